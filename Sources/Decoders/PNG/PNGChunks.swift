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

    /// The data of the first chunk of `type`, wherever in the file it is.
    ///
    /// EXIF may stand before or after the pixels; libpng tells only of the former before it has
    /// read the latter.
    static func data(of type: String, in bytes: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        var offset = signatureByteCount
        while offset <= bytes.count - frameByteCount {
            let length = bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
            let end = offset + frameByteCount + length
            guard end <= bytes.count else { return nil }
            if bytes[(offset + 4)..<(offset + 8)].elementsEqual(type.utf8) {
                return Array(bytes[(offset + 8)..<(end - 4)])
            }
            offset = end
        }
        return nil
    }

    /// The number of frames that the `acTL` chunk of an animated PNG announces; 1 without one.
    static func frameCount(in bytes: UnsafeBufferPointer<UInt8>) -> Int {
        guard let control = data(of: "acTL", in: bytes), control.count >= 4 else { return 1 }
        return max(1, control[..<4].reduce(0) { $0 << 8 | Int($1) })
    }
}
