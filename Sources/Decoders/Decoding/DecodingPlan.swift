/// What a decode of one picture will make: worked out from the header, before pixels are read.
struct DecodingPlan {
    /// What the header said.
    let properties: ImageProperties
    /// The size of the stored picture, before orientation.
    let storedSize: PixelSize
    /// The size to make of it, before orientation.
    let storedTarget: PixelSize
    /// Whether missing rows and scans are left out instead of refused.
    let acceptsTruncation: Bool
    /// Whether the ways of our own may be taken.
    let usesFastPaths: Bool
    private let orientation: Orientation
    private let limits: DecodingLimits
    private let timer: DecodingTimer
    private let isCancelled: @Sendable () -> Bool

    /// Plans a decode, or says which limit or rule forbids it.
    init(properties: ImageProperties, options: DecodingOptions) throws(DecodingError) {
        guard !properties.size.isEmpty else { throw .empty }
        guard properties.size.pixelCount <= options.limits.maximumPixelCount else {
            throw .tooManyPixels(properties.size, limit: options.limits.maximumPixelCount)
        }
        let side = max(properties.size.width, properties.size.height)
        guard side <= options.limits.maximumSide else {
            throw .sideTooLong(properties.size, limit: options.limits.maximumSide)
        }
        self.properties = properties
        orientation = Orientation(rawValue: properties.orientation) ?? .upright
        limits = options.limits
        timer = DecodingTimer(options.clocks, limit: options.limits.maximumDuration)
        acceptsTruncation = options.acceptsTruncation
        usesFastPaths = options.usesFastPaths
        isCancelled = options.isCancelled
        let shown =
            options.targetSize.map { box in
                properties.size.scaled(into: box, mode: options.contentMode)
            } ?? properties.size
        storedSize = orientation.apply(to: properties.size)
        storedTarget = orientation.apply(to: shown)
    }

    /// Whether pixels may be transparent: in a preview those that have not come are.
    var hasAlpha: Bool { properties.hasAlpha || acceptsTruncation }

    /// Whether the result has fewer pixels than the picture.
    var isReduced: Bool { storedTarget != storedSize }

    /// Refuses a decode that would hold more than the limit: `byteCount` on the way to the result,
    /// on top of the result and the copy that turning it takes.
    func checkMemory(_ byteCount: Int) throws(DecodingError) {
        let result = storedTarget.byteCount
            .saturatingMultiply(by: orientation == .upright ? 1 : 2)
        let total = byteCount.saturatingAdd(result)
        guard total <= limits.maximumByteCount else {
            throw .tooMuchMemory(byteCount: total, limit: limits.maximumByteCount)
        }
    }

    /// The most bytes this decode may hold.
    var maximumByteCount: Int { limits.maximumByteCount }

    /// The most scans a JPEG may have.
    var maximumScanCount: Int { limits.maximumScanCount }

    /// Ends the decode if the caller no longer wants it, or if it has taken too long.
    func checkCancellation() throws(DecodingError) {
        if isCancelled() { throw .cancelled }
        if let spent = timer.excess { throw .tooMuchTime(spent, limit: limits.maximumDuration) }
    }

    /// The picture as it is shown.
    ///
    /// `isFinal` says whether more of the file could not change it; without truncation that goes
    /// without saying.
    func image(from stored: PixelBuffer, isFinal: Bool = false) -> DecodedImage {
        DecodedImage(
            pixels: orientation.apply(to: stored),
            properties: properties,
            isFinal: isFinal || !acceptsTruncation
        )
    }
}
