/// One chunk of a PNG: where its parts stand in the file.
///
/// The layout (PNG, section 5):
///
///     length of data (32) | type (4 letters) | data | CRC (32)
struct PNGChunk {
    /// The bytes of a chunk beside its data.
    static let frameByteCount = 12

    /// The four letters as one number, the first highest.
    let type: UInt32
    /// The data.
    let data: Range<Int>

    /// Where the next chunk starts; possibly past the end of the file.
    var end: Int { data.upperBound + 4 }

    /// Reads length and type at `offset`; nil if the file ends before them or the length is none
    /// that a PNG may have.
    init?(at offset: Int, in bytes: UnsafeBufferPointer<UInt8>) {
        guard offset >= 0, offset <= bytes.count - 8 else { return nil }
        let length = Self.number(at: offset, in: bytes)
        guard length <= Int32.max else { return nil }
        type = Self.number(at: offset + 4, in: bytes)
        data = offset + 8..<offset + 8 + Int(length)
    }

    /// The 32-bit number at `offset`, highest byte first.
    static func number(at offset: Int, in bytes: UnsafeBufferPointer<UInt8>) -> UInt32 {
        bytes[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// The type as a number, for comparison.
    static func type(_ name: StaticString) -> UInt32 {
        name.withUTF8Buffer { $0.reduce(0) { $0 << 8 | UInt32($1) } }
    }
}
