/// The IP addresses in URLs.
///
/// The URL standard permits many spellings of an address, such as "0x7f.1" for 127.0.0.1. All of
/// them are converted to one spelling, so the address checks, the caches and the requests use the
/// same address.
enum URLAddress {
    /// Returns whether the last label of a host is a number.
    ///
    /// Such a host is an IPv4 address, or invalid.
    static func endsInNumber(_ host: ArraySlice<UInt8>) -> Bool {
        let dot = UInt8(ascii: ".")
        let name = host.last == dot ? host.dropLast() : host
        let label = name[(name.lastIndex(of: dot).map { $0 + 1 } ?? name.startIndex)...]
        guard let first = label.first, ASCII.isDigit(first) else { return false }
        return label.allSatisfy(ASCII.isDigit) || hexadecimalDigits(label) != nil
    }

    /// Returns the usual spelling of an IPv4 address, or nil if the address is invalid.
    ///
    /// An address has one to four decimal, octal or hexadecimal numbers. The last number fills all
    /// remaining bytes.
    static func ipv4(_ host: ArraySlice<UInt8>) -> [UInt8]? {
        if isUsual(host) { return Array(host) }
        let dot = UInt8(ascii: ".")
        let name = host.last == dot ? host.dropLast() : host
        let labels = name.split(separator: dot, omittingEmptySubsequences: false)
        let numbers = labels.prefix(5).compactMap(number)
        guard numbers.count == labels.count, numbers.count <= 4, let last = numbers.last,
            numbers.dropLast().allSatisfy({ $0 < 256 }), last < 1 << (8 * (5 - numbers.count))
        else { return nil }
        let address = zip(numbers.dropLast(), [24, 16, 8]).reduce(last) { $0 + $1.0 << $1.1 }
        let bytes = [24, 16, 8, 0].map { String(address >> $0 & 255) }
        return Array(bytes.joined(separator: ".").utf8)
    }

    /// Returns whether an IPv4 address consists of four decimal numbers without leading zeros.
    private static func isUsual(_ host: ArraySlice<UInt8>) -> Bool {
        var (dotCount, digitCount, number) = (0, 0, 0)
        for byte in host {
            if byte == UInt8(ascii: "."), digitCount > 0 {
                (dotCount, digitCount, number) = (dotCount + 1, 0, 0)
            } else {
                guard ASCII.isDigit(byte), digitCount == 0 || number > 0 else { return false }
                number = number * 10 + Int(byte - UInt8(ascii: "0"))
                guard number < 256 else { return false }
                digitCount += 1
            }
        }
        return dotCount == 3 && digitCount > 0
    }

    /// Returns the usual spelling of an IPv6 address in brackets, or nil if the address is invalid.
    ///
    /// The longest sequence of zeros is written as "::" (RFC 5952), and no part of the address is
    /// written like an IPv4 address.
    static func ipv6(_ host: ArraySlice<UInt8>) -> [UInt8]? {
        guard host.count <= 64, host.last == UInt8(ascii: "]"),
            host.dropFirst().dropLast().allSatisfy({
                ASCII.isHexadecimal($0) || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".")
            }),
            let bytes = IPAddress(String(decoding: host, as: UTF8.self))?.bytes, bytes.count == 16
        else { return nil }
        let groups = (0..<8).map { Int(bytes[2 * $0]) << 8 | Int(bytes[2 * $0 + 1]) }
        let text = { (range: Range<Int>) in
            groups[range].map { String($0, radix: 16) }.joined(separator: ":")
        }
        let zeros = longestZeros(groups)
        let address =
            zeros.count < 2
            ? text(0..<8) : "\(text(0..<zeros.lowerBound))::\(text(zeros.upperBound..<8))"
        return Array("[\(address)]".utf8)
    }

    /// Returns the first of the longest sequences of zeros.
    private static func longestZeros(_ groups: [Int]) -> Range<Int> {
        var (longest, start) = (0..<0, 0)
        for (index, group) in groups.enumerated() {
            if group != 0 { start = index + 1 }
            if index + 1 - start > longest.count { longest = start..<(index + 1) }
        }
        return longest
    }

    /// Parses one number of an IPv4 address; returns nil if it is invalid or exceeds 32 bits.
    private static func number(_ label: ArraySlice<UInt8>) -> Int? {
        let isOctal = label.count > 1 && label.first == UInt8(ascii: "0")
        let hexadecimal = hexadecimalDigits(label)
        let digits = (hexadecimal ?? label).drop { $0 == UInt8(ascii: "0") }
        guard !label.isEmpty, digits.count <= 12, digits.allSatisfy(ASCII.isAlphanumeric) else {
            return nil
        }
        guard !digits.isEmpty else { return 0 }
        let radix = hexadecimal != nil ? 16 : isOctal ? 8 : 10
        return Int(String(decoding: digits, as: UTF8.self), radix: radix)
    }

    /// Returns the digits after "0x", or nil if the text is not a hexadecimal number.
    private static func hexadecimalDigits(_ label: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard label.count >= 2, label.first == UInt8(ascii: "0"),
            label[label.startIndex + 1] | 0x20 == UInt8(ascii: "x")
        else { return nil }
        let digits = label.dropFirst(2)
        return digits.allSatisfy(ASCII.isHexadecimal) ? digits : nil
    }
}
