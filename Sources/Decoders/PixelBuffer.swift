/// Decoded pixels: 8-bit RGBA, sRGB, straight (not premultiplied) alpha, rows from top to bottom
/// without padding.
public struct PixelBuffer: Equatable, Sendable {
    /// Width and height.
    public let size: PixelSize
    /// `size.width * size.height * 4` bytes in the order R, G, B, A.
    public let bytes: [UInt8]
    /// Whether any pixel may have an alpha below 255.
    public let hasAlpha: Bool

    /// Wraps `bytes`, whose count must be `size.pixelCount * 4`.
    public init(size: PixelSize, bytes: [UInt8], hasAlpha: Bool) {
        precondition(bytes.count == size.pixelCount * 4, "four bytes a pixel")
        self.size = size
        self.bytes = bytes
        self.hasAlpha = hasAlpha
    }
}
