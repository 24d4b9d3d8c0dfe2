internal import Glibc

/// What a decode of one picture will make: worked out from the header, before pixels are read.
struct DecodingPlan {
    /// What the header said.
    let properties: ImageProperties
    /// The size of the stored picture, before orientation.
    let storedSize: PixelSize
    /// The size to make of it, before orientation.
    private(set) var storedTarget: PixelSize
    /// Whether missing rows and scans are left out instead of refused.
    let acceptsTruncation: Bool
    /// Whether rows and scans behind damage are left out, too.
    private let acceptsDamage: Bool
    /// Whether faster code may decode in place of libjpeg and libpng.
    let usesFastPaths: Bool
    private let orientation: Orientation
    private let conversion: (any PixelConversion)?
    /// From inks to sRGB, which is done before pixels are averaged; nil if their profile is not known.
    let inks: ColorTable?
    private let limits: DecodingLimits
    private let timer: DecodingTimer
    /// Whether the caller no longer wants the picture; `checkCancellation` asks it.
    let isCancelled: @Sendable () -> Bool

    /// Plans a decode, or says which limit or rule forbids it.
    ///
    /// `colors` says what the samples mean.
    init(
        properties: ImageProperties,
        options: DecodingOptions,
        colors: FileColors = .assumed
    ) throws(ImageDecodingError) {
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
        conversion = colors.conversion
        inks = colors.inks
        limits = options.limits
        timer = DecodingTimer(options.clocks, limit: options.limits.maximumDuration)
        acceptsTruncation = options.acceptsTruncation || options.acceptsDamage
        acceptsDamage = options.acceptsDamage
        usesFastPaths = options.usesFastPaths
        isCancelled = options.isCancelled
        let shown =
            options.targetSize.map { box in
                properties.size.scaled(into: box, mode: options.contentMode)
            } ?? properties.size
        storedSize = orientation.apply(to: properties.size)
        storedTarget = orientation.apply(to: shown)
    }

    /// Whether pixels are taken as the library hands them out.
    private(set) var isAsDecoded = false

    /// The same for the picture of another size that the library makes.
    func taking(_ size: PixelSize) -> DecodingPlan {
        var plan = self
        (plan.storedTarget, plan.isAsDecoded) = (size, true)
        return plan
    }

    /// Whether pixels may be transparent: in a preview those that have not come are.
    var hasAlpha: Bool { properties.hasAlpha || acceptsTruncation }

    /// Whether what came before `error` is the picture all the same.
    func passesOver(_ error: ImageDecodingError) -> Bool {
        switch error {
        case .truncated: acceptsTruncation
        case .corrupt: acceptsDamage
        default: false
        }
    }

    /// Refuses a picture of which too few rows could be read: any is enough where truncation is
    /// accepted.
    func checkRows(_ rowCount: Int, of expected: Int) throws(ImageDecodingError) {
        guard rowCount == expected || (acceptsTruncation && rowCount > 0) else {
            throw .truncated(properties.format)
        }
    }

    /// Whether the result has fewer pixels than the picture.
    var isReduced: Bool { storedTarget != storedSize }

    /// Refuses a decode that would hold more than the limit: `byteCount` on the way to the result,
    /// on top of the result and the copies that turning it and converting its colours take.
    func checkMemory(_ byteCount: Int) throws(ImageDecodingError) {
        let copyCount = (orientation == .upright ? 0 : 1) + (conversion == nil ? 0 : 1)
        let result = storedTarget.byteCount.saturatingMultiply(by: 1 + copyCount)
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
    func checkCancellation() throws(ImageDecodingError) {
        if isCancelled() { throw .cancelled }
        if let spent = timer.excess { throw .tooMuchTime(spent, limit: limits.maximumDuration) }
    }

    /// The picture as it is shown: upright, in the colours of sRGB.
    ///
    /// `isFinal` says whether more of the file could not change it; without truncation that goes
    /// without saying.
    func image(
        from stored: PixelBuffer,
        isFinal: Bool = false
    ) throws(ImageDecodingError) -> DecodedImage {
        var shown = orientation.apply(to: stored)
        if isFinal, stored.hasAlpha, !properties.hasAlpha {
            // Only pixels that had not come would have been transparent.
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

    /// Rows that are converted between two cancellation checks.
    private static let rowCountPerConversion = 64
}

/// The clocks by which a decode's time is limited, to be replaced by tests.
///
/// The limit holds for processor time, because that does not depend on what else the machine does;
/// but asking for it is a system call (0.5 µs). A thread uses no more processor time than time
/// passes, and that is read without a system call: so only the time that passes is read until it
/// exceeds the limit.
struct DecodingClocks: Sendable {
    /// Time that has passed, from any moment on.
    let uptime: @Sendable () -> Duration
    /// Processor time of the calling thread, from any moment on.
    let processorTime: @Sendable () -> Duration

    /// The machine's.
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

/// What a decode has taken so far.
struct DecodingTimer: Sendable {
    private let clocks: DecodingClocks
    private let limit: Duration
    private let uptime: Duration
    private let processorTime: Duration

    /// Starts now, on the thread that decodes.
    init(_ clocks: DecodingClocks, limit: Duration) {
        self.clocks = clocks
        self.limit = limit
        uptime = clocks.uptime()
        processorTime = clocks.processorTime()
    }

    /// The processor time taken, if it is more than is allowed.
    var excess: Duration? {
        guard clocks.uptime() - uptime > limit else { return nil }
        let spent = clocks.processorTime() - processorTime
        return spent > limit ? spent : nil
    }
}
