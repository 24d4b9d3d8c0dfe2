/// What a picture's header says.
public struct ImageProperties: Hashable, Sendable {
    /// The format found by magic bytes.
    public let format: ImageFormat
    /// The full size as shown, after EXIF orientation.
    public let size: PixelSize
    /// The EXIF orientation found, 1 to 8; 1 is upright.
    public let orientation: Int
    /// Whether pixels may be transparent.
    public let hasAlpha: Bool
    /// Whether the file is progressive (JPEG) or interlaced (PNG).
    public let isProgressive: Bool
    /// Pictures in the file; more than 1 if it is animated, of which the first is decoded.
    public let frameCount: Int

    /// Makes properties from a decoder's findings.
    public init(
        format: ImageFormat,
        size: PixelSize,
        orientation: Int,
        hasAlpha: Bool,
        isProgressive: Bool,
        frameCount: Int = 1
    ) {
        self.format = format
        self.size = size
        self.orientation = orientation
        self.hasAlpha = hasAlpha
        self.isProgressive = isProgressive
        self.frameCount = frameCount
    }
}

/// A decoded picture, upright and at the size that was asked for.
public struct DecodedImage: Equatable, Sendable {
    /// The pixels.
    public private(set) var pixels: PixelBuffer
    /// What the header said.
    public let properties: ImageProperties
    /// Whether the rest of the file would make no difference to the pixels at this size.
    ///
    /// False only for a file that was decoded with `DecodingOptions.acceptsTruncation` and has not
    /// come as far as the picture needs. A decoder may say false of pixels that would not change,
    /// never true of pixels that would.
    public let isFinal: Bool

    /// Joins pixels with what the header said.
    public init(pixels: PixelBuffer, properties: ImageProperties, isFinal: Bool = true) {
        self.pixels = pixels
        self.properties = properties
        self.isFinal = isFinal
    }

    /// Whether nobody else has a copy of the pixels; see `PixelBuffer.isHeldAlone`.
    package mutating func isHeldAlone() -> Bool { pixels.isHeldAlone() }
}
