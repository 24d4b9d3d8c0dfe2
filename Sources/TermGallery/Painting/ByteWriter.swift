/// Bytes for the terminal, gathered so that a frame is one `write`.
struct ByteWriter {
    /// What was written so far.
    private(set) var bytes: [UInt8] = []

    /// "0;" to "255;" as they lie in memory, and how many digits they have: colours are most of a
    /// frame, and dividing for each digit showed in the profile.
    private static let decimals: [(text: UInt32, digitCount: Int)] = (0...255).map { value in
        let digits = String(value).utf8
        let text = (Array(digits) + [UInt8(ascii: ";")]).reversed()
        return (text.reduce(0) { $0 << 8 | UInt32($1) }, digits.count)
    }
    private let decimals = Self.decimals

    /// Forgets the bytes, keeps the room.
    mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
    }

    mutating func append(_ text: StaticString) {
        bytes.append(
            contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
        )
    }

    /// Overwrites the last byte; there must be one.
    mutating func replaceLast(with byte: UInt8) {
        bytes[bytes.count - 1] = byte
    }

    mutating func append(_ byte: UInt8) {
        bytes.append(byte)
    }

    mutating func append(decimal value: UInt8) {
        let (text, count) = decimals[Int(value)]
        bytes.append(UInt8(truncatingIfNeeded: text))
        if count > 1 { bytes.append(UInt8(truncatingIfNeeded: text >> 8)) }
        if count > 2 { bytes.append(UInt8(truncatingIfNeeded: text >> 16)) }
    }

    /// Appends three numbers with semicolons between them: a colour, in one piece.
    mutating func append(decimals first: UInt8, _ second: UInt8, _ third: UInt8) {
        let (decimals, width) = (decimals, MemoryLayout<UInt32>.size)
        withUnsafeTemporaryAllocation(byteCount: 3 * width, alignment: width) { room in
            var end = 0
            func put(_ value: UInt8) {
                let (text, digitCount) = decimals[Int(value)]
                room.storeBytes(of: text.littleEndian, toByteOffset: end, as: UInt32.self)
                end += digitCount + 1
            }
            put(first)
            put(second)
            put(third)
            bytes.append(contentsOf: room[..<(end - 1)])
        }
    }

    mutating func append(decimal value: Int) {
        if let small = UInt8(exactly: value) {
            append(decimal: small)
        } else {
            bytes.append(contentsOf: String(value).utf8)
        }
    }

    /// Appends a scalar as UTF-8; what is no scalar, or a control character, becomes U+FFFD.
    mutating func append(scalar value: UInt32) {
        switch value {
        case 0x20..<0x7F:
            bytes.append(UInt8(truncatingIfNeeded: value))
        case 0xA0..<0x800:
            bytes.append(0xC0 | UInt8(truncatingIfNeeded: value >> 6))
            bytes.append(0x80 | UInt8(truncatingIfNeeded: value & 0x3F))
        case 0x800..<0xD800, 0xE000..<0x1_0000:
            bytes.append(0xE0 | UInt8(truncatingIfNeeded: value >> 12))
            bytes.append(0x80 | UInt8(truncatingIfNeeded: value >> 6 & 0x3F))
            bytes.append(0x80 | UInt8(truncatingIfNeeded: value & 0x3F))
        case 0x1_0000..<0x11_0000:
            bytes.append(0xF0 | UInt8(truncatingIfNeeded: value >> 18))
            bytes.append(0x80 | UInt8(truncatingIfNeeded: value >> 12 & 0x3F))
            bytes.append(0x80 | UInt8(truncatingIfNeeded: value >> 6 & 0x3F))
            bytes.append(0x80 | UInt8(truncatingIfNeeded: value & 0x3F))
        default:
            append(scalar: 0xFFFD)
        }
    }
}
