import ArgumentParser

/// Parses byte counts on the command line, such as "200000", "200k", "64M" or "1G".
///
/// The suffixes are powers of 1024.
enum ByteCountArgument {
    /// Returns the number of bytes, or throws an error if the argument is invalid.
    @Sendable static func value(_ argument: String) throws -> Int {
        let units: [Character: Int] = ["k": 10, "m": 20, "g": 30]
        let text = argument.lowercased()
        let shift = text.last.flatMap { units[$0] }
        let digits = shift == nil ? text[...] : text.dropLast()
        let isNumber = digits.allSatisfy { ("0"..."9").contains($0) }
        guard isNumber, let number = Int(digits) else {
            throw ValidationError("use a number of bytes such as 200000, 200k, 64M or 1G.")
        }
        let (value, overflow) = number.multipliedReportingOverflow(by: 1 << (shift ?? 0))
        guard !overflow else { throw ValidationError("the number is too large.") }
        return value
    }
}
