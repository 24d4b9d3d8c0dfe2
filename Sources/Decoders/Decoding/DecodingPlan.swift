internal import Glibc

/// The settings for decoding one image, calculated from its header and the caller's options.
struct DecodingPlan {
    let properties: ImageProperties
    let storedSize: PixelSize
    /// The size to which the image is decoded, before it is rotated upright.
    private(set) var storedTarget: PixelSize
    /// Whether a truncated file is accepted; if so, missing rows and scans are omitted.
    let acceptsTruncation: Bool
    /// Whether a damaged file is accepted; if so, rows and scans after the damage are omitted.
    private let acceptsDamage: Bool
    /// Whether this module's faster code may be used instead of libjpeg and libpng.
    let usesFastPaths: Bool
    private let orientation: Orientation
    private var conversion: (any PixelConversion)?
    private var wideProfile: ColorProfile?
    /// The conversion from inks to sRGB, or nil if the profile is missing or unusable.
    ///
    /// Inks are converted before pixels are averaged.
    let inks: ColorTable?
    private let limits: DecodingLimits
    private let timer: DecodingTimer
    /// A function that returns true if the caller no longer needs the image.
    let isCancelled: @Sendable () -> Bool

    /// Creates the plan for an image; throws an error if the image is empty or exceeds a limit.
    ///
    /// `colors` is the color space of the stored samples.
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
        wideProfile = colors.wideProfile
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

    /// The maximum number of pixels of an image.
    ///
    /// With more pixels, a sum of 16-bit light times 8-bit alpha might not fit into 64 bits.
    private static let largestPixelCount = 1 << 40
    /// The maximum number of pixels of a small image.
    ///
    /// If the caller accepts a larger image than requested, a small image is returned at full size.
    private static let smallPixelCount = 1 << 16

    /// Returns the size of the decoded image after it is rotated upright.
    private static func size(of image: ImageProperties, _ options: DecodingOptions) -> PixelSize {
        guard let box = options.targetSize else { return image.size }
        let size = image.size.scaled(into: box, mode: options.contentMode)
        let isSmall =
            image.size.pixelCount <= smallPixelCount
            || (image.size.width < size.width * 2 && image.size.height < size.height * 2)
        return options.acceptsLarger && isSmall ? image.size : size
    }

    /// Whether the decoded pixels are used without further scaling.
    private(set) var isAsDecoded = false

    /// Returns a copy of this plan for a library that scales the image to `size` while decoding.
    func taking(_ size: PixelSize) -> DecodingPlan {
        var plan = self
        (plan.storedTarget, plan.isAsDecoded) = (size, true)
        return plan
    }

    /// Replaces the color space of the stored samples.
    mutating func setColors(_ colors: FileColors) {
        (conversion, wideProfile) = (colors.conversion, colors.wideProfile)
    }

    /// Whether 16-bit samples should be converted before they are reduced to 8 bits.
    var prefersWideSamples: Bool { wideProfile != nil }

    /// Returns the profile of 16-bit samples, or nil if 8 bits are enough.
    ///
    /// The plan then no longer converts the decoded image.
    mutating func takeWideProfile() -> ColorProfile? {
        guard let wideProfile else { return nil }
        (conversion, self.wideProfile) = (nil, nil)
        return wideProfile
    }

    /// Whether pixels may be transparent.
    ///
    /// In a preview, missing pixels are transparent.
    var hasAlpha: Bool { properties.hasAlpha || acceptsTruncation }

    /// Returns whether the part of the image decoded before `error` is an acceptable result.
    func passesOver(_ error: ImageDecodingError) -> Bool {
        switch error {
        case .truncated: acceptsTruncation
        case .corrupt: acceptsDamage
        default: false
        }
    }

    /// Throws if rows are missing; if truncation is accepted, throws only if all rows are missing.
    func checkRows(_ rowCount: Int, of expected: Int) throws(ImageDecodingError) {
        guard rowCount == expected || (acceptsTruncation && rowCount > 0) else {
            throw .truncated(properties.format)
        }
    }

    /// Whether the result has fewer pixels than the image.
    var isReduced: Bool { storedTarget != storedSize }

    /// Throws if decoding needs more memory than the limit allows.
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

    /// The memory limit for the decode, in bytes.
    var maximumByteCount: Int { limits.maximumByteCount }

    var maximumScanCount: Int { limits.maximumScanCount }

    /// Throws if the caller no longer needs the image, or if decoding exceeds its time limit.
    func checkCancellation() throws(ImageDecodingError) {
        if isCancelled() { throw .cancelled }
        if let spent = timer.excess { throw .tooMuchTime(spent, limit: limits.maximumDuration) }
    }

    /// Returns the image as displayed: upright and in sRGB.
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

/// The clocks for the time limit of a decode; tests can replace them.
///
/// The limit applies to processor time, which does not depend on the load of the machine. Unlike
/// reading elapsed time, reading processor time takes a system call (0.5 µs). A thread never uses
/// more processor time than elapsed time, so processor time is read only after the elapsed time has
/// exceeded the limit.
struct DecodingClocks: Sendable {
    /// The elapsed time since an arbitrary moment.
    let uptime: @Sendable () -> Duration
    /// The processor time of the calling thread since an arbitrary moment.
    let processorTime: @Sendable () -> Duration

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

/// A timer that measures how long a decode has taken.
struct DecodingTimer: Sendable {
    private let clocks: DecodingClocks
    private let limit: Duration
    private let uptime: Duration
    private let processorTime: Duration

    /// Starts a timer; must be called on the decoding thread.
    init(_ clocks: DecodingClocks, limit: Duration) {
        self.clocks = clocks
        self.limit = limit
        uptime = clocks.uptime()
        processorTime = clocks.processorTime()
    }

    /// The processor time used, if it exceeds the limit; otherwise nil.
    var excess: Duration? {
        guard clocks.uptime() - uptime > limit else { return nil }
        let spent = clocks.processorTime() - processorTime
        return spent > limit ? spent : nil
    }
}
