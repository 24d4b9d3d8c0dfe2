/// The header of a Netpbm image.
///
///     "P" and a digit from 1 to 6 | width | height | maximum (not for digits 1 and 4) | samples
///     "P" and the digit 7 | lines of a name and a value | ENDHDR | samples
///     "PF" or "Pf" | width | height | scale | samples
///
/// White space separates the fields. Except in a PFM, a comment starts with `#` and ends with the
/// line. See netpbm.sourceforge.net/doc (ppm, pgm, pbm, pam, pfm).
struct PNMHeader {
    /// The encoding of the samples.
    enum Samples {
        /// Decimal numbers separated by white space.
        case text
        /// Digits 0 and 1, optionally separated by white space; 1 is black.
        case textBits
        /// One bit per pixel; 1 is black. Each row is padded to whole bytes.
        case bits
        /// Big-endian numbers of 1 byte or, if the maximum exceeds 255, 2 bytes.
        case binary
        /// 32-bit floating-point numbers from 0 to 1; the lowest row of the image comes first.
        case float(isLittleEndian: Bool)
    }

    private(set) var width = 0
    private(set) var height = 0
    private(set) var samples = Samples.binary
    /// The number of samples per pixel, 1 to 4.
    private(set) var depth = 1
    /// The sample value of white, 1 to 65,535.
    private(set) var maximum = 1
    /// The offset of the first sample.
    private(set) var dataOffset = 0

    /// The maximum number of bytes in a header, including comments.
    private static let maximumByteCount = 64 << 10

    /// Returns whether a file that starts with `prefix` is a Netpbm image.
    ///
    /// The first two characters alone could be the start of a name in a list.
    static func isPresent(in prefix: [UInt8]) -> Bool {
        guard prefix.count >= 3, prefix[0] == UInt8(ascii: "P"),
            prefix[2].isSpace || prefix[2] == PNMScanner.commentStart
        else {
            return false
        }
        return prefix.withUnsafeBufferPointer { prefix in
            var scanner = PNMScanner(prefix, at: 2)
            switch prefix[1] {
            case UInt8(ascii: "7"):
                guard let name = scanner.word(skipsComments: true) else { return prefix.count < 4 }
                return PNMHeader.fieldNames.contains(name)
            case UInt8(ascii: "1")...UInt8(ascii: "6"), UInt8(ascii: "F"), UInt8(ascii: "f"):
                guard let word = scanner.word(skipsComments: true) else { return false }
                return word.utf8.allSatisfy { (0x30...0x39).contains($0) }
            default: return false
            }
        }
    }

    private static let fieldNames: Set = [
        "WIDTH", "HEIGHT", "DEPTH", "MAXVAL", "TUPLTYPE", "ENDHDR",
    ]

    /// Whether the last sample of each pixel is its opacity.
    var hasAlpha: Bool { depth == 2 || depth == 4 }

    /// The number of bytes per row; 0 if the samples are text.
    var rowByteCount: Int {
        switch samples {
        case .text, .textBits: 0
        case .bits: (width + 7) / 8
        case .binary: width * depth * (maximum > 255 ? 2 : 1)
        case .float: width * depth * 4
        }
    }

    /// Reads the header of `file`.
    init(_ file: UnsafeBufferPointer<UInt8>) throws(ImageDecodingError) {
        let head = UnsafeBufferPointer(rebasing: file.prefix(Self.maximumByteCount))
        guard head.count > 2 else { throw .truncated(.pnm) }
        var scanner = PNMScanner(head, at: 2)
        do throws(PNMScanner.Problem) {
            switch head[1] {
            case UInt8(ascii: "7"): try readFields(&scanner)
            case UInt8(ascii: "F"): try readFloat(&scanner, depth: 3)
            case UInt8(ascii: "f"): try readFloat(&scanner, depth: 1)
            default: try readNumbers(&scanner, kind: Int(head[1]) - 0x30)
            }
        } catch {
            guard error == .end else { throw .corrupt(.pnm, "invalid header") }
            guard head.count < Self.maximumByteCount else {
                throw .corrupt(.pnm, "header longer than \(Self.maximumByteCount >> 10) KiB")
            }
            throw .truncated(.pnm)
        }
        dataOffset = scanner.position
        guard (1...65_535).contains(maximum) else {
            throw .corrupt(.pnm, "maximum sample value \(maximum)")
        }
        guard (1...4).contains(depth) else {
            throw .unsupportedFeature(.pnm, "\(depth) samples per pixel")
        }
    }

    private mutating func readNumbers(
        _ scanner: inout PNMScanner,
        kind: Int
    ) throws(PNMScanner.Problem) {
        try readSize(&scanner)
        depth = kind == 3 || kind == 6 ? 3 : 1
        switch kind {
        case 1: samples = .textBits
        case 4: samples = .bits
        default:
            samples = kind < 4 ? .text : .binary
            maximum = try scanner.number()
        }
        try scanner.skipSeparator()
    }

    private mutating func readFields(_ scanner: inout PNMScanner) throws(PNMScanner.Problem) {
        while true {
            guard let name = scanner.word(skipsComments: true) else { throw .end }
            switch name {
            case "WIDTH": width = try scanner.number()
            case "HEIGHT": height = try scanner.number()
            case "DEPTH": depth = try scanner.number()
            case "MAXVAL": maximum = try scanner.number()
            case "ENDHDR":
                try scanner.skipSeparator()
                return
            // The tuple type repeats information in the other fields.
            default: scanner.skipLine()
            }
        }
    }

    private mutating func readFloat(
        _ scanner: inout PNMScanner,
        depth: Int
    ) throws(PNMScanner.Problem) {
        try readSize(&scanner)
        guard let scale = scanner.word(skipsComments: false) else { throw .end }
        self.depth = depth
        samples = .float(isLittleEndian: scale.hasPrefix("-"))
        try scanner.skipSeparator()
    }

    private mutating func readSize(_ scanner: inout PNMScanner) throws(PNMScanner.Problem) {
        width = try scanner.number()
        height = try scanner.number()
    }
}

/// A scanner for the words and numbers of a Netpbm file.
struct PNMScanner {
    enum Problem: Error {
        /// The bytes end inside the header.
        case end
        /// A field is not a number.
        case invalid
    }

    /// The maximum value of a number; larger numbers are clamped to it.
    private static let maximumNumber = Int(Int32.max)
    private static let longestWord = 32

    private let bytes: UnsafeBufferPointer<UInt8>
    private(set) var position: Int

    init(_ bytes: UnsafeBufferPointer<UInt8>, at position: Int) {
        self.bytes = bytes
        self.position = position
    }

    /// The number sign, which starts a comment.
    static let commentStart = UInt8(ascii: "#")

    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    /// Skips white space and comments.
    private mutating func skipSpace(skipsComments: Bool) {
        while let byte = next {
            if skipsComments, byte == Self.commentStart {
                skipLine()
            } else if byte.isSpace {
                position += 1
            } else {
                return
            }
        }
    }

    /// Skips the rest of the line.
    mutating func skipLine() {
        while let byte = next, byte != 0x0A { position += 1 }
    }

    /// Skips the white space character that ends the header.
    mutating func skipSeparator() throws(Problem) {
        guard let byte = next else { throw .end }
        guard byte.isSpace else { throw .invalid }
        position += 1
    }

    /// Returns the next word, truncated to 32 bytes, or nil if the bytes end inside the word.
    mutating func word(skipsComments: Bool) -> String? {
        skipSpace(skipsComments: skipsComments)
        let start = position
        while let byte = next, !byte.isSpace, !skipsComments || byte != Self.commentStart {
            guard position - start < Self.longestWord else { break }
            position += 1
        }
        guard next != nil else { return nil }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    /// Returns the next decimal number.
    mutating func number() throws(Problem) -> Int {
        skipSpace(skipsComments: true)
        guard let first = next else { throw .end }
        guard (0x30...0x39).contains(first) else { throw .invalid }
        var number = 0
        while let byte = next, (0x30...0x39).contains(byte) {
            number = min(number * 10 + Int(byte) - 0x30, Self.maximumNumber)
            position += 1
        }
        return number
    }

    /// Returns the next digit, which must be 0 or 1.
    mutating func bit() throws(Problem) -> Int {
        skipSpace(skipsComments: true)
        guard let byte = next else { throw .end }
        guard byte == UInt8(ascii: "0") || byte == UInt8(ascii: "1") else { throw .invalid }
        position += 1
        return Int(byte) - 0x30
    }
}
