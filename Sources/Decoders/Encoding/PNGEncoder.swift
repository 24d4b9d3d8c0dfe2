internal import CImageCodecs

/// Writes 8-bit PNG.
public enum PNGEncoder {
    /// Encodes `pixels` without loss, as RGBA if they have alpha, else as RGB.
    ///
    /// `interlaced` writes Adam7. Blocks for as long as that takes.
    public static func encode(
        _ pixels: PixelBuffer,
        interlaced: Bool = false
    ) throws(ImageEncodingError) -> [UInt8] {
        try EncodedBytes.make(.png, from: pixels, maximumSide: Int(Int32.max)) {
            cic_png_encode($0, pixels.hasAlpha, interlaced, &$1)
        }
    }
}
