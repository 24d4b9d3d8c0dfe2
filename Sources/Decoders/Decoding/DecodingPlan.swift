internal import Glibc

/// The plan for decoding one image, made from the header before pixels are read.
struct DecodingPlan {
    /// The properties from the header.
    let properties: ImageProperties
    /// The size of the stored image, before orientation.
    let storedSize: PixelSize
    /// The size to decode to, before orientation.
    private(set) var storedTarget: PixelSize
    /// Whether a file with missing rows or scans is decoded without them instead of throwing an
    /// error.
    let acceptsTruncation: Bool
    /// Whether a damaged file is decoded without the rows and scans after the damage.
    private let acceptsDamage: Bool
    /// Whether this module's faster code may decode the image instead of libjpeg and libpng.
    let usesFastPaths: Bool
    private let orientation: Orientation
    private let conversion: (any PixelConversion)?
    /// The conversion from inks to sRGB, applied before pixels are averaged; nil if the profile is
    /// missing or unusable.
    let inks: ColorTable?
    private let limits: DecodingLimits
    private let timer: DecodingTimer
    /// A function that returns whether the caller no longer wants the image; called by
    /// `checkCancellation`.
    let isCancelled: @Sendable () -> Bool

    /// Creates the plan for a decode; throws an error if the image is empty or exceeds a limit.
    ///
    /// `colors` defines which colors the samples represent.
    init(
        properties: ImageProperties,
        options: DecodingOptions,
        colors: FileColors = .assumed
    ) throws(ImageDecodingError) {
        guard !properties.size.isEmpty else { throw .empty }
        let pixelLimit = min(options.limits.maximumPixelCount, Self.largestPixelCount)
        guard properties.size.pixelCount <= pixelLimit else {
            throw .tooManyPixels(properties.size, limit: pixelLimit)
        }
        let side = max(properties.size.width, properties.size.height)
        guard side <= options.limits.maximumSide else {
            throw .sideTooLong(properties.size, limit: options.limits.maximumSide)
        }
        self.properties = properties
        orientation = Orientation(rawValue: properties.orientation) ?? .upright
        conversion = colors.conversion
        inks = colors.inks
        limits = options.limits
        timer = DecodingTimer(options.clocks, limit: options.limits.maximumDuration)
        acceptsTruncation = options.acceptsTruncation || options.acceptsDamage
        acceptsDamage = options.acceptsDamage
        usesFastPaths = options.usesFastPaths
        isCancelled = options.isCancelled
        let shown = Self.size(of: properties, options)
        storedSize = orientation.apply(to: properties.size)
        storedTarget = orientation.apply(to: shown)
    }

    /// The maximum number of pixels of an image, so that sums over all pixels of 16-bit light times
    /// 8-bit alpha fit into 64 bits.
    private static let largestPixelCount = 1 << 40
    /// The maximum number of pixels of an image that is returned at full size if the caller accepts
    /// a larger image.
    private static let smallPixelCount = 1 << 16

    /// Returns the size to decode to, after orientation.
    private static func size(of image: ImageProperties, _ options: DecodingOptions) -> PixelSize {
        guard let box = options.targetSize else { return image.size }
        let size = image.size.scaled(into: box, mode: options.contentMode)
        let isSmall =
            image.size.pixelCount <= smallPixelCount
            || (image.size.width < size.width * 2 && image.size.height < size.height * 2)
        return options.acceptsLarger && isSmall ? image.size : size
    }

    /// Whether the pixels are used as the library returns them, without further scaling.
    private(set) var isAsDecoded = false

    /// Returns a copy of this plan for an image that the library decodes to `size` and that is not
    /// scaled afterwards.
    func taking(_ size: PixelSize) -> DecodingPlan {
        var plan = self
        (plan.storedTarget, plan.isAsDecoded) = (size, true)
        return plan
    }

    /// Whether pixels may be transparent; in a preview, pixels that have not been received are
    /// transparent.
    var hasAlpha: Bool { properties.hasAlpha || acceptsTruncation }

    /// Returns whether the part decoded before `error` is accepted as the image.
    func passesOver(_ error: ImageDecodingError) -> Bool {
        switch error {
        case .truncated: acceptsTruncation
        case .corrupt: acceptsDamage
        default: false
        }
    }

    /// Throws if fewer than `expected` rows were read or, if truncation is accepted, if no row was
    /// read.
    func checkRows(_ rowCount: Int, of expected: Int) throws(ImageDecodingError) {
        guard rowCount == expected || (acceptsTruncation && rowCount > 0) else {
            throw .truncated(properties.format)
        }
    }

    /// Whether the result has fewer pixels than the image.
    var isReduced: Bool { storedTarget != storedSize }

    /// Throws if the decode would hold more bytes than the limit.
    ///
    /// `byteCount` is the working memory. This method adds the memory for the result and for the
    /// copies made by rotation and color conversion.
    func checkMemory(_ byteCount: Int) throws(ImageDecodingError) {
        let copyCount = (orientation == .upright ? 0 : 1) + (conversion == nil ? 0 : 1)
        let result = storedTarget.byteCount.saturatingMultiply(by: 1 + copyCount)
        let total = byteCount.saturatingAdd(result)
        guard total <= limits.maximumByteCount else {
            throw .tooMuchMemory(byteCount: total, limit: limits.maximumByteCount)
        }
    }

    /// The maximum number of bytes this decode may hold.
    var maximumByteCount: Int { limits.maximumByteCount }

    /// The maximum number of scans in a JPEG.
    var maximumScanCount: Int { limits.maximumScanCount }

    /// Throws if the caller no longer wants the image, or if the decode exceeded its time limit.
    func checkCancellation() throws(ImageDecodingError) {
        if isCancelled() { throw .cancelled }
        if let spent = timer.excess { throw .tooMuchTime(spent, limit: limits.maximumDuration) }
    }

    /// Returns the image for display: upright and in sRGB.
    ///
    /// If `isFinal` is true, the rest of the file cannot change the image. If truncation is not
    /// accepted, the result is always final.
    func image(
        from stored: PixelBuffer,
        isFinal: Bool = false
    ) throws(ImageDecodingError) -> DecodedImage {
        var shown = orientation.apply(to: stored)
        if isFinal, stored.hasAlpha, !properties.hasAlpha {
            // The image itself is opaque, and no pixels are missing.
            shown = PixelBuffer(size: shown.size, bytes: shown.bytes, hasAlpha: false)
        }
        return DecodedImage(
            pixels: try converted(shown),
            properties: properties,
            isFinal: isFinal || !acceptsTruncation
        )
    }

    private func converted(_ pixels: PixelBuffer) throws(ImageDecodingError) -> PixelBuffer {
        guard let conversion else { return pixels }
        var bytes = pixels.bytes
        let stripByteCount = max(1, pixels.size.width) * 4 * Self.rowCountPerConversion
        for start in stride(from: 0, to: bytes.count, by: stripByteCount) {
            try checkCancellation()
            let end = min(start + stripByteCount, bytes.count)
            bytes.withUnsafeMutableBufferPointer { bytes in
                conversion.convert(UnsafeMutableBufferPointer(rebasing: bytes[start..<end]))
            }
        }
        return PixelBuffer(size: pixels.size, bytes: bytes, hasAlpha: pixels.hasAlpha)
    }

    /// The number of rows converted between two cancellation checks.
    private static let rowCountPerConversion = 64
}

/// The clocks for the time limit of a decode, replaceable in tests.
///
/// The limit applies to processor time, because processor time does not depend on other load on the
/// machine. However, reading processor time is a system call (0.5 µs), and reading elapsed time is
/// not. A thread cannot use more processor time than elapsed time, so only elapsed time is read
/// until it exceeds the limit.
struct DecodingClocks: Sendable {
    /// The elapsed time since an arbitrary moment.
    let uptime: @Sendable () -> Duration
    /// The processor time of the calling thread since an arbitrary moment.
    let processorTime: @Sendable () -> Duration

    /// The clocks of the system.
    static let system = DecodingClocks(
        uptime: { read(CLOCK_MONOTONIC) },
        processorTime: { read(CLOCK_THREAD_CPUTIME_ID) }
    )

    private static func read(_ clock: clockid_t) -> Duration {
        var time = timespec()
        clock_gettime(clock, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}

/// Measures the time that a decode has taken.
struct DecodingTimer: Sendable {
    private let clocks: DecodingClocks
    private let limit: Duration
    private let uptime: Duration
    private let processorTime: Duration

    /// Creates a timer that starts now; must be called on the thread that decodes.
    init(_ clocks: DecodingClocks, limit: Duration) {
        self.clocks = clocks
        self.limit = limit
        uptime = clocks.uptime()
        processorTime = clocks.processorTime()
    }

    /// The processor time used if it exceeds the limit, otherwise nil.
    var excess: Duration? {
        guard clocks.uptime() - uptime > limit else { return nil }
        let spent = clocks.processorTime() - processorTime
        return spent > limit ? spent : nil
    }
}
