/// Finds chunks in a PNG without decoding it.
///
/// The layout (PNG, section 5):
///
///     signature (8 bytes) | chunks: length of data (32) | type (4 letters) | data | CRC (32)
///
/// Every length comes from outside; a chunk that reaches past the end ends the walk.
enum PNGChunks {
    private static let signatureByteCount = 8
    private static let frameByteCount = 12

    /// Where the data of the first chunk of `type` lie, wherever in the file it is, or before the
    /// first chunk of type `end`.
    ///
    /// EXIF may stand before or after the pixels; libpng tells only of the former before it has
    /// read the latter.
    static func range(
        of type: StaticString,
        before end: StaticString = "IEND",
        in bytes: UnsafeBufferPointer<UInt8>
    ) -> Range<Int>? {
        var offset = signatureByteCount
        while offset <= bytes.count - frameByteCount {
            let length = bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
            let next = offset + frameByteCount + length
            guard next <= bytes.count, !bytes.has(end, at: offset + 4) else { return nil }
            if bytes.has(type, at: offset + 4) { return offset + 8..<next - 4 }
            offset = next
        }
        return nil
    }

    /// The number of frames that the `acTL` chunk of an animated PNG announces; 1 without one.
    static func frameCount(in bytes: UnsafeBufferPointer<UInt8>) -> Int {
        guard let control = range(of: "acTL", in: bytes), control.count >= 4 else { return 1 }
        return max(1, bytes[control.prefix(4)].reduce(0) { $0 << 8 | Int($1) })
    }
}
