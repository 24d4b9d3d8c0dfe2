internal import Decoders
internal import SystemSupport

/// The dedicated threads that decode and process images: highest priority first, then newest first.
///
/// The cooperative pool and dispatch queues have only as many threads as there are cores. On them,
/// two decodes would block every other task (measured: up to 0.2 s). In a gallery, the decode
/// threads run at nice 10. The wake-up latency of the UI thread under full load is then 0.07 ms
/// instead of 1.9 ms.
struct DecodeStage: Sendable {
    let registry: DecoderRegistry
    let limits: DecodingLimits
    let clock: LoadingClock
    let pool: WorkerPool

    /// An image and the time spent on decoding and processing it.
    struct Product: Sendable {
        let image: DecodedImage
        let duration: Duration
    }

    /// Decodes `bytes` and applies the processors of `key` in order.
    ///
    /// If the task is cancelled, waiting work is dropped, and running work stops within a few rows.
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

    /// Runs `work`, such as a hook that transforms a body, on a decode thread.
    ///
    /// Throws `cancelled` if the task is cancelled before the work begins.
    func perform<Value: Sendable>(
        _ handle: PriorityHandle,
        _ work: @escaping @Sendable (CancellationFlag) throws(ImageLoadingError) -> Value
    ) async throws(ImageLoadingError) -> Value {
        let result = try? await pool.run(handle) { flag in
            Result { () throws(ImageLoadingError) in try work(flag) }
        }
        if let result { return try result.get() }
        // The pool refused the work, because no caller is waiting for it or the pool has no
        // threads.
        guard !Task.isCancelled else { throw .cancelled }
        throw ImageLoadingError(
            stage: .decode,
            kind: .transient,
            reason: .outOfResources("cannot start a decoding thread")
        )
    }

    /// Decodes and processes a partial body; returns nil if nothing can be shown.
    ///
    /// This method blocks, so call it only on a decode thread.
    func preview(of bytes: [UInt8], for key: LoadKey, _ flag: CancellationFlag) -> Product? {
        let start = clock.uptime()
        var options = options(for: key, flag)
        options.acceptsTruncation = true
        // The missing rest of the body may look like damage.
        options.acceptsDamage = false
        guard let decoded = try? registry.decode(bytes, options: options) else { return nil }
        // Previews are processed like the final image. A processor that fails will fail again on
        // the final image, where the failure is reported.
        guard var image = try? process(decoded, for: key, flag) else { return nil }
        // A processor may create a new image, which does not have the flags of the decoded image.
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

    /// Returns an image without pixels if its header can be read within microseconds.
    ///
    /// Returns nil if the header requires a decode thread or a helper process. The properties of
    /// the image are sufficient for a load that only fills the disk cache.
    func plainHeader(of bytes: [UInt8]) -> Product? {
        let start = clock.uptime()
        guard let properties = registry.plainHeader(bytes) else { return nil }
        let image = DecodedImage(pixels: .empty, properties: properties)
        return Product(image: image, duration: clock.uptime() - start)
    }

    /// Reads only the header, which proves that the bytes are an image.
    ///
    /// A load that only fills the disk cache does not need the pixels.
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
    /// Returns the error for bytes that cannot be decoded.
    static func undecodable(_ error: ImageDecodingError) -> ImageLoadingError {
        guard error != .cancelled else { return .cancelled }
        var kind = Class.permanent
        if case .isolationUnavailable = error { kind = .transient }
        return ImageLoadingError(stage: .decode, kind: kind, reason: .decoding(error))
    }

    /// Returns the error for an image processor or a body hook that returned nil.
    static func processing(by identifier: String) -> ImageLoadingError {
        ImageLoadingError(stage: .process, kind: .permanent, reason: .processing(identifier))
    }
}

extension WorkerPool {
    /// Creates the pool of decode threads.
    static func decoding(_ configuration: ImageManagerConfiguration) -> WorkerPool {
        WorkerPool(
            name: "decode",
            threadCount: configuration.decodeThreadCount,
            niceness: configuration.decodeThreadNiceness
        )
    }
}

extension PixelBuffer {
    /// An empty buffer, for loads that decode no pixels.
    static var empty: PixelBuffer {
        PixelBuffer(size: PixelSize(width: 0, height: 0), bytes: [], hasAlpha: false)
    }
}

extension DecodedImage {
    /// An empty image, for a load that requests only the body.
    ///
    /// The body of such a load need not be an image.
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
