/// Numbers in the middle of bytes from outside: nil where they don't lie within.
struct BigEndianBytes {
    let bytes: [UInt8]

    /// An unsigned number of 2 bytes.
    func uint16(at offset: Int) -> Int? {
        guard offset >= 0, offset <= bytes.count - 2 else { return nil }
        return Int(bytes[offset]) << 8 | Int(bytes[offset + 1])
    }

    /// An unsigned number of 4 bytes; also what a signature of four letters is compared by.
    func uint32(at offset: Int) -> Int? {
        guard let high = uint16(at: offset), let low = uint16(at: offset + 2) else { return nil }
        return high << 16 | low
    }

    /// A signed number with 16 bits behind the point (ICC.1, s15Fixed16Number).
    func fixed(at offset: Int) -> Double? {
        uint32(at: offset).map { Double(Int32(truncatingIfNeeded: $0)) / 65536 }
    }

    /// Whether `text` stands at `offset`.
    func has(_ text: StaticString, at offset: Int) -> Bool {
        guard offset >= 0, offset <= bytes.count - text.utf8CodeUnitCount else { return false }
        return (0..<text.utf8CodeUnitCount).allSatisfy { bytes[offset + $0] == text.utf8Start[$0] }
    }
}
