internal import CImageCodecs

/// Writes 8-bit YCbCr JPEG; alpha is dropped.
public enum JPEGEncoder {
    /// libjpeg's own limit (JPEG_MAX_DIMENSION).
    private static let maximumSide = 65500

    /// Encodes `pixels` at a quality of 1 to 100, colour at half resolution below 90.
    ///
    /// A quality outside is clamped. An `orientation` of 2 to 8 is written as an EXIF tag; the
    /// pixels stay as they are. Blocks for as long as that takes.
    public static func encode(
        _ pixels: PixelBuffer,
        quality: Int,
        progressive: Bool = false,
        orientation: Int = 1
    ) throws(ImageEncodingError) -> [UInt8] {
        let bytes = try EncodedBytes.make(.jpeg, from: pixels, maximumSide: maximumSide) {
            cic_jpeg_encode($0, Int32(min(max(1, quality), 100)), progressive, &$1)
        }
        guard (2...8).contains(orientation) else { return bytes }
        return bytes.prefix(2) + exifMarker(orientation: UInt8(orientation)) + bytes.dropFirst(2)
    }

    /// An APP1 marker with one directory of one entry; it belongs right behind the start marker.
    private static func exifMarker(orientation: UInt8) -> [UInt8] {
        let tiff: [UInt8] =
            Array("MM".utf8) + [0, 42, 0, 0, 0, 8]
            + [0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0, 0, 0, 0, 0]
        let payload = Array("Exif".utf8) + [0, 0] + tiff
        return [0xFF, 0xE1, 0, UInt8(payload.count + 2)] + payload
    }
}
