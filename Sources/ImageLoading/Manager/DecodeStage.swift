internal import Decoders

/// Decodes on threads of its own, newest of the most urgent first.
///
/// Not on the cooperative pool and not on a dispatch queue: both have as many threads as cores, so
/// that two decodes would stop every other task (measured: up to 0.2 s). The threads run at nice
/// 10, which keeps the UI thread's wake-ups at 0.07 ms under full load instead of 1.9 ms.
struct DecodeStage: Sendable {
    private let registry: DecoderRegistry
    private let limits: DecodingLimits
    private let pool: WorkerPool

    init(registry: DecoderRegistry, limits: DecodingLimits, threadCount: Int) {
        self.registry = registry
        self.limits = limits
        self.pool = WorkerPool(name: "decode", threadCount: threadCount, niceness: 10)
    }

    /// Decodes `bytes`; cancelling the task drops waiting work and stops running work within a few
    /// rows.
    func decode(
        _ bytes: [UInt8],
        targetSize: PixelSize?,
        contentMode: ContentMode,
        priority: LoadPriority
    ) async throws(ImageLoadingError) -> DecodedImage {
        let outcome = try? await pool.run(priority: priority) { [registry, limits] flag in
            Result { () throws(DecodingError) in
                try registry.decode(
                    bytes,
                    options: DecodingOptions(
                        targetSize: targetSize,
                        contentMode: contentMode,
                        limits: limits,
                        isCancelled: { flag.isCancelled }
                    )
                )
            }
        }
        switch outcome {
        case nil, .failure(.cancelled): throw .cancelled
        case .success(let image): return image
        case .failure(let error):
            throw ImageLoadingError(stage: .decode, kind: .permanent, reason: .decoding(error))
        }
    }
}
