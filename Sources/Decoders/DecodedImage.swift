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
    /// The frames that the header announces; more than 1 if the file is animated.
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

/// The frames of an animated file, and how they follow each other.
public struct ImageAnimation: Equatable, Sendable {
    /// One image of an animation, as it is shown: whole, whatever the file stores of it.
    public struct Frame: Equatable, Sendable {
        /// The pixels, of the size of all other frames.
        public let pixels: PixelBuffer
        /// How long it is shown.
        public let duration: Duration

        /// Joins pixels with the time they are shown.
        public init(pixels: PixelBuffer, duration: Duration) {
            self.pixels = pixels
            self.duration = duration
        }
    }

    /// The frames in the order in which they are shown; the first one is `DecodedImage.pixels`.
    public let frames: [Frame]
    /// How often all frames are shown; nil stands for without end.
    public let loopCount: Int?

    /// Makes an animation of at least one frame.
    public init(frames: [Frame], loopCount: Int?) {
        precondition(!frames.isEmpty, "an animation without frames")
        self.frames = frames
        self.loopCount = loopCount
    }

    /// How long all frames are shown once.
    public var duration: Duration { frames.reduce(.zero) { $0 + $1.duration } }
}

/// A decoded picture, upright and at the size that was asked for.
public struct DecodedImage: Equatable, Sendable {
    /// The pixels; of an animation its first frame.
    public private(set) var pixels: PixelBuffer
    /// What the header said.
    public let properties: ImageProperties
    /// Whether the rest of the file would make no difference to the pixels at this size.
    ///
    /// False only for a file that was decoded with `DecodingOptions.acceptsTruncation` and has not
    /// come as far as the picture needs. A decoder may say false of pixels that would not change,
    /// never true of pixels that would.
    public package(set) var isFinal: Bool
    /// What is wrong with the file of an image that was made of a damaged one
    /// (`DecodingOptions.acceptsDamage`); nil if nothing is.
    public package(set) var damage: ImageDecodingError?
    /// Whether it is the thumbnail that a camera put into the file
    /// (`DecodingOptions.acceptsThumbnail`).
    public package(set) var isThumbnail: Bool
    /// The frames that `DecodingOptions.animation` asks for; nil if it asks for none, or the image is
    /// still.
    ///
    /// `ImageProperties.frameCount` says how many there are.
    public let animation: ImageAnimation?

    /// Joins pixels with what the header said.
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

    /// Whether nobody else has a copy of the pixels; see `PixelBuffer.isHeldAlone`.
    package mutating func isHeldAlone() -> Bool { pixels.isHeldAlone() }
}
