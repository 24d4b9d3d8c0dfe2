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
    /// Asked every few rows; true ends the decode with `ImageDecodingError.cancelled`.
    public var isCancelled: @Sendable () -> Bool
    /// The clocks that `DecodingLimits.maximumDuration` is held against.
    var clocks = DecodingClocks.system

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
