internal import Decoders

/// Decodes and processes on threads of its own, newest of the most urgent first.
///
/// Not on the cooperative pool and not on a dispatch queue: both have as many threads as cores, so
/// that two decodes would stop every other task (measured: up to 0.2 s). In a gallery the threads
/// run at nice 10, which keeps the UI thread's wake-ups at 0.07 ms under full load instead of 1.9 ms.
struct DecodeStage: Sendable {
    let registry: DecoderRegistry
    let limits: DecodingLimits
    let clock: LoadingClock
    let pool: WorkerPool

    /// An image, and how long the work on it took.
    struct Product: Sendable {
        let image: DecodedImage
        let duration: Duration
    }

    /// Decodes `bytes` as the key says, and runs its processors on the result, one after the other.
    ///
    /// Cancelling the task drops waiting work and stops running work within a few rows.
    func image(
        from bytes: [UInt8],
        for key: LoadKey,
        _ handle: PriorityHandle
    ) async throws(ImageLoadingError) -> Product {
        try await perform(handle) { [self] flag throws(ImageLoadingError) in
            let start = clock.uptime()
            let decoded = try decode(bytes, for: key, flag)
            let image = try process(decoded, for: key, flag)
            return Product(image: image, duration: clock.uptime() - start)
        }
    }

    /// Runs work that computes, such as a hook on a body.
    ///
    /// Throws `cancelled` if the task is cancelled before the work began.
    func perform<Value: Sendable>(
        _ handle: PriorityHandle,
        _ work: @escaping @Sendable (CancellationFlag) throws(ImageLoadingError) -> Value
    ) async throws(ImageLoadingError) -> Value {
        let result = try? await pool.run(handle) { flag in
            Result { () throws(ImageLoadingError) in try work(flag) }
        }
        if let result { return try result.get() }
        // Refused: nobody waits, or the pool has no threads.
        guard !Task.isCancelled else { throw .cancelled }
        throw ImageLoadingError(
            stage: .decode,
            kind: .transient,
            reason: .outOfResources("cannot start a decoding thread")
        )
    }

    /// What can be shown of a body that has come in part; nil if that is nothing.
    ///
    /// Blocks; for the decode pool's threads.
    func preview(of bytes: [UInt8], for key: LoadKey, _ flag: CancellationFlag) -> Product? {
        let start = clock.uptime()
        var options = options(for: key, flag)
        options.acceptsTruncation = true
        // Damage may be for want of the rest.
        options.acceptsDamage = false
        guard let decoded = try? registry.decode(bytes, options: options) else { return nil }
        // Previews are processed as the image will be. What ends a processor here ends it there
        // too, where it is reported.
        guard var image = try? process(decoded, for: key, flag) else { return nil }
        // A processor may make an image of its own, which does not know where it came from.
        image.isFinal = decoded.isFinal
        return Product(image: image, duration: clock.uptime() - start)
    }

    private func options(for key: LoadKey, _ flag: CancellationFlag) -> DecodingOptions {
        var options = DecodingOptions(
            targetSize: key.image.targetSize,
            contentMode: key.image.contentMode,
            limits: limits,
            acceptsDamage: !key.refusesDamaged,
            acceptsThumbnail: key.acceptsThumbnail,
            isCancelled: { flag.isCancelled }
        )
        options.acceptsLarger = key.acceptsLarger
        return options
    }

    private func decode(
        _ bytes: [UInt8],
        for key: LoadKey,
        _ flag: CancellationFlag
    ) throws(ImageLoadingError) -> DecodedImage {
        guard key.purpose == .image else { return try header(of: bytes) }
        do throws(ImageDecodingError) {
            return try registry.decode(bytes, options: options(for: key, flag))
        } catch {
            throw .undecodable(error)
        }
    }

    /// What a load for the disk alone needs, if the header tells it in microseconds: then it need not wait
    /// for a thread, and a helper.
    func plainHeader(of bytes: [UInt8]) -> Product? {
        let start = clock.uptime()
        guard let properties = registry.plainHeader(bytes) else { return nil }
        let image = DecodedImage(pixels: .empty, properties: properties)
        return Product(image: image, duration: clock.uptime() - start)
    }

    /// All that a load for the disk alone needs: to know that it is an image.
    private func header(of bytes: [UInt8]) throws(ImageLoadingError) -> DecodedImage {
        do throws(ImageDecodingError) {
            return DecodedImage(pixels: .empty, properties: try registry.probe(bytes))
        } catch {
            throw .undecodable(error)
        }
    }

    private func process(
        _ decoded: DecodedImage,
        for key: LoadKey,
        _ flag: CancellationFlag
    ) throws(ImageLoadingError) -> DecodedImage {
        guard key.purpose == .image else { return decoded }
        guard decoded.properties.frameCount == 1 || key.transformsAnimated else { return decoded }
        var image = decoded
        for processor in key.processors {
            guard !flag.isCancelled else { throw .cancelled }
            let processed = processor.process(image) { flag.isCancelled }
            guard !flag.isCancelled else { throw .cancelled }
            guard let processed else { throw .processing(by: processor.identifier) }
            image = processed
        }
        (image.damage, image.isThumbnail) = (decoded.damage, decoded.isThumbnail)
        return image
    }
}

extension ImageLoadingError {
    /// The error of a load whose bytes don't decode.
    static func undecodable(_ error: ImageDecodingError) -> ImageLoadingError {
        guard error != .cancelled else { return .cancelled }
        var kind = Class.permanent
        if case .isolationUnavailable = error { kind = .transient }
        return ImageLoadingError(stage: .decode, kind: kind, reason: .decoding(error))
    }

    /// A processor or a hook on the body gave nothing.
    static func processing(by identifier: String) -> ImageLoadingError {
        ImageLoadingError(stage: .process, kind: .permanent, reason: .processing(identifier))
    }
}

extension WorkerPool {
    /// Threads for decoding.
    static func decoding(_ configuration: ImageManagerConfiguration) -> WorkerPool {
        WorkerPool(
            name: "decode",
            threadCount: configuration.decodeThreadCount,
            niceness: configuration.decodeThreadNiceness
        )
    }
}

extension PixelBuffer {
    /// No pixels: of a load that decodes none.
    static var empty: PixelBuffer {
        PixelBuffer(size: PixelSize(width: 0, height: 0), bytes: [], hasAlpha: false)
    }
}

extension DecodedImage {
    /// Stands in the response of a load for the body alone, which may be no image at all.
    static var empty: DecodedImage {
        let properties = ImageProperties(
            format: .unidentified,
            size: PixelSize(width: 0, height: 0),
            orientation: 1,
            hasAlpha: false,
            isProgressive: false
        )
        return DecodedImage(pixels: .empty, properties: properties)
    }
}

extension ImageFormat {
    fileprivate static let unidentified = ImageFormat(
        rawValue: "unidentified",
        displayName: "unidentified",
        fileSuffixes: [],
        mediaTypes: []
    )
}
