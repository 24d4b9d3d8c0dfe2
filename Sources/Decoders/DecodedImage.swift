/// The properties of an image that can be read from the file's header and metadata.
public struct ImageProperties: Hashable, Sendable {
    /// The format, detected from the contents of the file instead of its name.
    public let format: ImageFormat
    /// The full size of the displayed image, with the EXIF orientation applied.
    public let size: PixelSize
    /// The EXIF orientation, 1 to 8; 1 is upright.
    public let orientation: Int
    /// Whether pixels may be transparent.
    public let hasAlpha: Bool
    /// Whether the file is progressive (JPEG) or interlaced (PNG).
    public let isProgressive: Bool
    /// The number of frames that the header declares; more than 1 if the file is animated.
    public let frameCount: Int

    /// Creates properties from the values found by a decoder.
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

/// The frames of an animated file and the number of loops.
public struct ImageAnimation: Equatable, Sendable {
    /// One complete frame of an animation, even if the file stores only the changed part.
    public struct Frame: Equatable, Sendable {
        /// The pixels; all frames have the same size.
        public let pixels: PixelBuffer
        /// The display time of the frame.
        public let duration: Duration

        /// Creates a frame from pixels and their display time.
        public init(pixels: PixelBuffer, duration: Duration) {
            self.pixels = pixels
            self.duration = duration
        }
    }

    /// The frames in display order; the pixels of the first frame are `DecodedImage.pixels`.
    public let frames: [Frame]
    /// The number of times the animation plays, or nil to loop forever.
    public let loopCount: Int?

    /// Creates an animation of at least one frame.
    public init(frames: [Frame], loopCount: Int?) {
        precondition(!frames.isEmpty, "an animation without frames")
        self.frames = frames
        self.loopCount = loopCount
    }

    /// The duration of one loop.
    public var duration: Duration { frames.reduce(.zero) { $0 + $1.duration } }
}

/// A decoded image, upright and at the requested size.
public struct DecodedImage: Equatable, Sendable {
    /// The pixels of the image or, for an animation, of its first frame.
    public private(set) var pixels: PixelBuffer
    /// The properties from the header.
    public let properties: ImageProperties
    /// Whether the pixels are final: at this size, the rest of the file would not change them.
    ///
    /// The value is false only if the file was decoded with `DecodingOptions.acceptsTruncation` and
    /// data that the image needs is missing. A decoder may report false even if the pixels would
    /// not change, but never true if they would.
    public package(set) var isFinal: Bool
    /// The error in a damaged file that was decoded anyway, or nil if the file is intact.
    ///
    /// See `DecodingOptions.acceptsDamage`.
    public package(set) var damage: ImageDecodingError?
    /// Whether the image is a smaller version that a camera embedded in the file.
    ///
    /// See `DecodingOptions.acceptsThumbnail`.
    public package(set) var isThumbnail: Bool
    /// The frames requested with `DecodingOptions.animation`.
    ///
    /// Nil if no frames were requested or the image is not animated. `ImageProperties.frameCount`
    /// is the total number of frames in the file.
    public let animation: ImageAnimation?

    /// Creates an image from its pixels and properties.
    public init(
        pixels: PixelBuffer,
        properties: ImageProperties,
        isFinal: Bool = true,
        damage: ImageDecodingError? = nil,
        isThumbnail: Bool = false,
        animation: ImageAnimation? = nil
    ) {
        self.pixels = pixels
        self.properties = properties
        self.isFinal = isFinal
        self.damage = damage
        self.isThumbnail = isThumbnail
        self.animation = animation
    }

    /// Returns whether no other copy of the pixels exists; see `PixelBuffer.isHeldAlone`.
    package mutating func isHeldAlone() -> Bool { pixels.isHeldAlone() }
}
