/// Reads big-endian numbers of an untrusted file in place.
///
/// Reading outside of the file returns nil.
struct BigEndianBuffer {
    let bytes: UnsafeBufferPointer<UInt8>

    /// Returns the unsigned number of up to 8 bytes at `offset`, or nil if it does not fit into an
    /// `Int`.
    func number(at offset: Int, byteCount: Int) -> Int? {
        guard offset >= 0, offset <= bytes.count - byteCount else { return nil }
        let value = bytes[offset..<offset + byteCount].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return Int(exactly: value)
    }

    /// Returns the unsigned 2-byte number at `offset`.
    func uint16(at offset: Int) -> Int? { number(at: offset, byteCount: 2) }

    /// Returns the unsigned 4-byte number at `offset`.
    func uint32(at offset: Int) -> Int? { number(at: offset, byteCount: 4) }

    /// Returns the `byteCount` bytes at `offset` as text, such as the type of a box.
    func text(at offset: Int, byteCount: Int = 4) -> String? {
        guard offset >= 0, offset <= bytes.count - byteCount else { return nil }
        return String(decoding: bytes[offset..<offset + byteCount], as: UTF8.self)
    }
}
