/// How a picture is to be decoded.
public struct DecodingOptions: Sendable {
    /// The box to decode into, in pixels after orientation; nil decodes at full size.
    public var targetSize: PixelSize?
    /// How the picture is laid into `targetSize`.
    public var contentMode: ImageContentMode
    /// What may be spent.
    public var limits: DecodingLimits
    /// Whether a file that ends too early gives what is there instead of `truncated`, for previews
    /// while it arrives: rows that have not come are transparent, scans and passes that have not
    /// come leave the picture coarse.
    ///
    /// A file with nothing to show yet is still `truncated`.
    public var acceptsTruncation: Bool
    /// Whether a damaged file gives what can be made of it instead of an error, as in browsers: what
    /// is missing is transparent, what is damaged looks as it may.
    ///
    /// `DecodedImage.damage` then says what is wrong. A registry asks its decoder without this first,
    /// and a second time with it if that found damage; a decoder that is asked with it goes on where
    /// it can, and need not say that anything is wrong.
    public var acceptsDamage: Bool
    /// Whether the thumbnail that a camera put into a file may stand for the picture, where it has the
    /// pixels that are asked for and nothing says that it is of another picture.
    ///
    /// `DecodedImage.isThumbnail` then says so. It costs a hundredth of what the picture does.
    public var acceptsThumbnail: Bool
    /// Whether a picture that is larger than asked for will do, where it is cheaper to make: for callers
    /// that reduce it themselves, by a kernel of their own.
    ///
    /// Less than twice as large each way. Of a JPEG it is what libjpeg makes by leaving frequencies out,
    /// with a sample at least for each pixel that is asked for.
    public var acceptsLarger = false
    /// The frames of an animated file to decode beside the first, for `DecodedImage.animation`; nil for
    /// none.
    ///
    /// A frame that is damaged is shown as far as it goes, and does not end the others.
    public var animation: AnimationRequest?
    /// Whether faster code may decode what it can in place of libjpeg and libpng; false leaves
    /// everything to the libraries, for comparison.
    public var usesFastPaths: Bool
    /// Asked every few rows; true ends the decode with `ImageDecodingError.cancelled`.
    public var isCancelled: @Sendable () -> Bool
    /// The clocks that `DecodingLimits.maximumDuration` is held against.
    var clocks = DecodingClocks.system

    /// Makes options; without arguments: full size, default limits, never cancelled.
    public init(
        targetSize: PixelSize? = nil,
        contentMode: ImageContentMode = .fit,
        limits: DecodingLimits = DecodingLimits(),
        acceptsTruncation: Bool = false,
        acceptsDamage: Bool = false,
        acceptsThumbnail: Bool = false,
        animation: AnimationRequest? = nil,
        usesFastPaths: Bool = true,
        isCancelled: @escaping @Sendable () -> Bool = { false }
    ) {
        self.targetSize = targetSize
        self.contentMode = contentMode
        self.limits = limits
        self.acceptsTruncation = acceptsTruncation
        self.acceptsDamage = acceptsDamage
        self.acceptsThumbnail = acceptsThumbnail
        self.animation = animation
        self.usesFastPaths = usesFastPaths
        self.isCancelled = isCancelled
    }
}

/// Which frames of an animated file to decode.
public struct AnimationRequest: Hashable, Sendable {
    /// The first frame that is wanted, from 0 on.
    public var firstFrame: Int
    /// The most bytes that the frames may take, at the size asked for; one comes in any case.
    public var maximumByteCount: Int

    /// Asks for the frames from `firstFrame` on, up to the last or to 32 MiB.
    public init(firstFrame: Int = 0, maximumByteCount: Int = 32 << 20) {
        self.firstFrame = firstFrame
        self.maximumByteCount = maximumByteCount
    }
}

/// What may be spent on one picture; what is over a limit is refused with an error that names it.
///
/// Files from outside declare what they like: a few kilobytes can stand for gigabytes of pixels,
/// hours of work or thousands of passes.
public struct DecodingLimits: Hashable, Sendable {
    /// The largest declared picture, in pixels.
    public var maximumPixelCount: Int
    /// The most bytes a decode may hold at once, the result included.
    public var maximumByteCount: Int
    /// The longest side, in pixels; by default 65,500, the most that libjpeg takes.
    ///
    /// A row costs something however short it is: without this limit, a PNG of one column within
    /// the limit of pixels has a hundred million of them.
    public var maximumSide = 65_500
    /// The most processor time a decode may take, from its header on; by default 20 s.
    ///
    /// The largest pictures that the other limits let pass take a few seconds. Decoders check the time
    /// every few rows.
    public var maximumDuration = Duration.seconds(20)
    /// The most scans of a JPEG; by default 500.
    ///
    /// Each is a pass over all of the picture and can be as short as 20 bytes: a few kilobytes ask for
    /// thousands. Encoders write about ten.
    public var maximumScanCount = 500
    /// The most bytes of a colour profile, joined and inflated, and of an EXIF block, each by itself;
    /// by default 4 MiB, twice the largest profiles of printing presses.
    ///
    /// Decoders read no other metadata: texts, previews and unknown chunks are skipped, whatever
    /// their size.
    public var maximumMetadataByteCount = 4 << 20

    /// Makes limits; by default 100 MP (as in `Documentation/Architecture.md`) and 512 MiB.
    public init(maximumPixelCount: Int = 100_000_000, maximumByteCount: Int = 512 << 20) {
        self.maximumPixelCount = maximumPixelCount
        self.maximumByteCount = maximumByteCount
    }
}
