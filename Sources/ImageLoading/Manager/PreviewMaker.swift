internal import Decoders

/// Turns the beginnings of one body into previews, while it arrives.
///
/// Thread-safe; the decodes run on the decode pool, below everything that is wanted as a whole.
final class PreviewMaker: Sendable {
    /// Decodes and says what came of it; nil if there is nothing to show yet.
    typealias Decoder = @Sendable ([UInt8], CancellationFlag) -> DecodedImage?

    private let slot = Protected(PreviewSlot())
    private let flag = CancellationFlag()
    private let pool: WorkerPool
    private let decode: Decoder
    private let show: @Sendable (DecodedImage, _ byteCount: Int) -> Void

    init(
        pool: WorkerPool,
        decode: @escaping Decoder,
        show: @escaping @Sendable (DecodedImage, _ byteCount: Int) -> Void
    ) {
        self.pool = pool
        self.decode = decode
        self.show = show
    }

    /// Takes in a longer beginning than before.
    func offer(_ bytes: [UInt8]) {
        if let now = slot.withLock({ $0.offer(bytes) }) { begin(now) }
    }

    /// The body is there, or nobody wants it: no preview is begun or shown any more, but for one
    /// that is being shown at this moment.
    func stop() {
        flag.cancel()
        slot.withLock { $0.stop() }
    }

    private func begin(_ bytes: [UInt8]) {
        pool.submit(priority: .low) { [self] in
            if !flag.isCancelled, let image = decode(bytes, flag), !flag.isCancelled {
                show(image, bytes.count)
            }
            if let next = slot.withLock({ $0.ended() }) { begin(next) }
        }
    }
}
