/// Bytes of a file in which numbers have their lowest byte first; what lies beyond the end is nil.
struct LittleEndianBytes {
    let bytes: UnsafeBufferPointer<UInt8>

    var count: Int { bytes.count }

    func uint8(at offset: Int) -> Int? { number(at: offset, byteCount: 1) }

    func uint16(at offset: Int) -> Int? { number(at: offset, byteCount: 2) }

    func uint32(at offset: Int) -> Int? { number(at: offset, byteCount: 4) }

    /// A number that can be negative.
    func int32(at offset: Int) -> Int? {
        uint32(at: offset).map { Int(Int32(truncatingIfNeeded: $0)) }
    }

    private func number(at offset: Int, byteCount: Int) -> Int? {
        guard offset >= 0, offset <= bytes.count - byteCount else { return nil }
        return bytes[offset..<offset + byteCount].reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}
