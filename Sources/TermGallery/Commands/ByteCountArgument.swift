import ArgumentParser

/// A number of bytes on the command line: "200000", "200k", "64M", "1G" (powers of 1024).
struct ByteCountArgument: ExpressibleByArgument, Equatable {
    let value: Int

    init(value: Int) {
        self.value = value
    }

    init?(argument: String) {
        let units: [Character: Int] = ["k": 10, "m": 20, "g": 30]
        let text = argument.lowercased()
        let shift = text.last.flatMap { units[$0] }
        let digits = shift == nil ? text[...] : text.dropLast()
        guard digits.allSatisfy({ ("0"..."9").contains($0) }), let number = Int(digits) else {
            return nil
        }
        let (value, overflow) = number.multipliedReportingOverflow(by: 1 << (shift ?? 0))
        guard !overflow else { return nil }
        self.value = value
    }

    var defaultValueDescription: String {
        for (unit, shift) in [("G", 30), ("M", 20), ("k", 10)]
        where value >= 1 << shift && value % (1 << shift) == 0 {
            return "\(value >> shift)\(unit)"
        }
        return "\(value)"
    }
}
