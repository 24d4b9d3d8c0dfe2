/// What may be spent on one picture.
public struct DecodingLimits: Hashable, Sendable {
    /// The largest declared picture, in pixels.
    public var maximumPixelCount: Int
    /// The most bytes a decode may hold at once, the result included.
    public var maximumByteCount: Int

    /// Makes limits; by default 100 MP (as in `Documentation/Architecture.md`) and 512 MiB.
    public init(maximumPixelCount: Int = 100_000_000, maximumByteCount: Int = 512 << 20) {
        self.maximumPixelCount = maximumPixelCount
        self.maximumByteCount = maximumByteCount
    }
}

/// How a picture is to be decoded.
public struct DecodingOptions: Sendable {
    /// The box to decode into, in pixels after orientation; nil decodes at full size.
    public var targetSize: PixelSize?
    /// How the picture is laid into `targetSize`.
    public var contentMode: ContentMode
    /// What may be spent.
    public var limits: DecodingLimits
    /// Whether a file that ends too early gives what is there instead of `truncated`, for previews
    /// while it arrives: rows that have not come are transparent, scans and passes that have not
    /// come leave the picture coarse.
    ///
    /// A file with nothing to show yet is still `truncated`.
    public var acceptsTruncation: Bool
    /// Whether the faster ways of our own may be taken where they suffice; false reads everything
    /// through libjpeg and libpng, to compare with.
    public var usesFastPaths: Bool
    /// Asked every few rows; true ends the decode with `DecodingError.cancelled`.
    public var isCancelled: @Sendable () -> Bool

    /// Makes options; without arguments: full size, default limits, never cancelled.
    public init(
        targetSize: PixelSize? = nil,
        contentMode: ContentMode = .fit,
        limits: DecodingLimits = DecodingLimits(),
        acceptsTruncation: Bool = false,
        usesFastPaths: Bool = true,
        isCancelled: @escaping @Sendable () -> Bool = { false }
    ) {
        self.targetSize = targetSize
        self.contentMode = contentMode
        self.limits = limits
        self.acceptsTruncation = acceptsTruncation
        self.usesFastPaths = usesFastPaths
        self.isCancelled = isCancelled
    }
}
