/// The type and position of a chunk in a PNG.
///
/// The layout of a chunk (PNG, section 5), with sizes in bits:
///
///     length of data (32) | type (4 letters) | data | CRC (32)
struct PNGChunk {
    /// The four letters as one big-endian number.
    let type: UInt32
    /// The range of the data.
    let data: Range<Int>

    /// The offset of the next chunk, which may be past the end of the file.
    var end: Int { data.upperBound + 4 }

    /// Reads the length and type at `offset`.
    ///
    /// Returns nil if the file is too short or the length exceeds the maximum, 2³¹ - 1.
    init?(at offset: Int, in bytes: UnsafeBufferPointer<UInt8>) {
        guard offset >= 0, offset <= bytes.count - 8 else { return nil }
        let length = Self.number(at: offset, in: bytes)
        guard length <= Int32.max else { return nil }
        type = Self.number(at: offset + 4, in: bytes)
        data = offset + 8..<offset + 8 + Int(length)
    }

    /// Returns the big-endian 32-bit number at `offset`.
    static func number(at offset: Int, in bytes: UnsafeBufferPointer<UInt8>) -> UInt32 {
        bytes[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// Returns the name of a chunk type as a number.
    static func type(_ name: StaticString) -> UInt32 {
        name.withUTF8Buffer { $0.reduce(0) { $0 << 8 | UInt32($1) } }
    }
}

/// Finds chunks in a PNG without decoding it.
///
/// The chunks follow the signature without gaps. All lengths are untrusted: the search ends at a
/// chunk that extends past the end of the file.
enum PNGChunks {
    private static let signatureByteCount = 8

    /// Returns the range of the first `type` chunk's data, or nil if no such chunk is found.
    ///
    /// Only the chunks before the first chunk of type `end` are searched; by default, these are all
    /// chunks. EXIF may precede or follow the pixels, and this method finds it in both cases.
    /// libpng does not report EXIF after the pixels until it has read the pixels.
    static func range(
        of type: StaticString,
        before end: StaticString = "IEND",
        in bytes: UnsafeBufferPointer<UInt8>
    ) -> Range<Int>? {
        let (type, end) = (PNGChunk.type(type), PNGChunk.type(end))
        for chunk in all(in: bytes) {
            guard chunk.type != end else { return nil }
            if chunk.type == type { return chunk.data }
        }
        return nil
    }

    /// Returns the complete chunks in the order of the file.
    static func all(in bytes: UnsafeBufferPointer<UInt8>) -> some Sequence<PNGChunk> {
        sequence(state: signatureByteCount) { offset in
            guard let chunk = PNGChunk(at: offset, in: bytes), chunk.end <= bytes.count else {
                return nil
            }
            offset = chunk.end
            return chunk
        }
    }

    /// Returns the number of frames that the `acTL` chunk of an animated PNG declares, or 1 if that
    /// chunk is missing or invalid.
    static func frameCount(in bytes: UnsafeBufferPointer<UInt8>) -> Int {
        guard let control = range(of: "acTL", in: bytes), control.count >= 4 else { return 1 }
        let count = bytes[control.prefix(4)].reduce(0) { $0 << 8 | Int($1) }
        return (1...Int(Int32.max)).contains(count) ? count : 1
    }
}
