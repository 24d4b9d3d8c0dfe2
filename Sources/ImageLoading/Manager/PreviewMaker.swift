internal import Decoders

/// Turns the beginnings of one body into previews, while it arrives, up to the first that is final.
///
/// Thread-safe; the decodes run on the decode pool, below everything that is wanted as a whole.
final class PreviewMaker: Sendable {
    /// What is done with a beginning, on the decode pool's threads.
    struct Steps: Sendable {
        /// Decodes; nil if there is nothing to show yet.
        let decode: @Sendable ([UInt8], CancellationFlag) -> DecodeStage.Product?
        /// Hears what came of it.
        let show: @Sendable (DecodeStage.Product, _ byteCount: Int) -> Void
    }

    private let slot: Protected<PreviewSlot>
    private let flag = CancellationFlag()
    private let pool: WorkerPool
    private let clock: LoadingClock
    private let steps: Steps

    init(_ slot: PreviewSlot, pool: WorkerPool, clock: LoadingClock, steps: Steps) {
        self.slot = Protected(slot)
        self.pool = pool
        self.clock = clock
        self.steps = steps
    }

    /// Takes in a longer beginning than before; decodes that bring less than `least` are left out.
    ///
    /// What may be final is decoded at `priority`.
    func offer(
        _ partial: PreviewSlot.PartialData,
        least: DecodingSchedule.Gain,
        priority: LoadPriority
    ) {
        let now = clock.uptime()
        let work = slot.withLock { $0.offer(partial, least: least, at: now) }
        if let work { begin(work, priority) }
    }

    /// The body is there, or nobody wants it: no preview is begun or shown any more, but for one
    /// that is being shown at this moment.
    func stop() {
        flag.cancel()
        slot.withLock { $0.stop() }
    }

    private func begin(_ work: PreviewSlot.Work, _ priority: LoadPriority) {
        pool.submit(priority: work.mayBeFinal ? priority : .low) { [self] in
            if !flag.isCancelled, let product = steps.decode(work.bytes, flag), !flag.isCancelled {
                // Nothing is better than the last word.
                if product.image.isFinal { slot.withLock { $0.stop() } }
                steps.show(product, work.bytes.count)
            }
            if let next = slot.withLock({ $0.ended() }) { begin(next, priority) }
        }
    }
}
