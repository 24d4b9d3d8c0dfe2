internal import Decoders
internal import SystemSupport

/// Makes previews while a body is being received, until one is the final image.
///
/// This type is thread-safe. Decodes run on the decode pool, with lower priority than complete
/// images, except when the preview may be the final image.
final class PreviewMaker: Sendable {
    /// The operations on a partial body; they run on decode threads.
    struct Steps: Sendable {
        /// Decodes a partial body, or returns nil if nothing can be shown.
        let decode: @Sendable ([UInt8], CancellationFlag) -> DecodeStage.Product?
        /// Shows the decoded image; `byteCount` is the size of the partial body in bytes.
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

    /// Offers all received bytes for a preview.
    ///
    /// The bytes are decoded only if the expected result (a preview or the final image) is at least
    /// `least`. They are decoded at `priority` if the result may be the final image, and otherwise
    /// at low priority.
    func offer(
        _ partial: PreviewSlot.PartialData,
        least: DecodingSchedule.Gain,
        priority: LoadPriority
    ) {
        let now = clock.uptime()
        let work = slot.withLock { $0.offer(partial, least: least, at: now) }
        if let work { begin(work, priority) }
    }

    /// Stops making previews, because the body is complete or no longer needed.
    ///
    /// If `Steps.show` has already been called for a preview, the call is not interrupted.
    func stop() {
        flag.cancel()
        slot.withLock { $0.stop() }
    }

    private func begin(_ work: PreviewSlot.Work, _ priority: LoadPriority) {
        pool.submit(priority: work.mayBeFinal ? priority : .low) { [self] in
            if !flag.isCancelled, let product = steps.decode(work.bytes, flag), !flag.isCancelled {
                // No further preview is needed after a final one.
                if product.image.isFinal { slot.withLock { $0.stop() } }
                steps.show(product, work.bytes.count)
            }
            if let next = slot.withLock({ $0.ended() }) { begin(next, priority) }
        }
    }
}

/// The part of `PreviewMaker` without side effects, which chooses the bytes to decode next.
///
/// Only one decode runs at a time. If more bytes arrive several times during a decode, only the
/// latest partial body is decoded next.
struct PreviewSlot: Sendable {
    struct PartialData: Sendable {
        let bytes: [UInt8]
        /// The length of the complete body, if the server announced it.
        var expected: Int?
    }

    /// A partial body to decode.
    struct Work: Sendable {
        let bytes: [UInt8]
        /// Whether the result may be the final image rather than a preview.
        let mayBeFinal: Bool
    }

    private enum Phase {
        case idle
        case decoding(next: Work?)
        case stopped
    }

    private var phase = Phase.idle
    private var pacing = PreviewPacing()
    private var schedule: DecodingSchedule

    init(schedule: DecodingSchedule) {
        self.schedule = schedule
    }

    /// Offers all received bytes and returns them if they must be decoded now.
    ///
    /// The bytes are decoded only if the expected result is at least `least`.
    mutating func offer(
        _ partial: PartialData,
        least: DecodingSchedule.Gain,
        at now: Duration
    ) -> Work? {
        if case .stopped = phase { return nil }
        schedule.advance(to: partial.bytes, of: partial.expected)
        let gain = schedule.gain
        guard gain > .nothing, gain >= least, gain == .final || pacing.isDue(at: now) else {
            return nil
        }
        schedule.noteDecode()
        pacing.note(at: now)
        let work = Work(bytes: partial.bytes, mayBeFinal: gain == .final)
        guard case .idle = phase else {
            phase = .decoding(next: work)
            return nil
        }
        phase = .decoding(next: nil)
        return work
    }

    /// Records the end of a decode and returns the partial body to decode next.
    mutating func ended() -> Work? {
        guard case .decoding(let next) = phase else { return nil }
        phase = next == nil ? .idle : .decoding(next: nil)
        return next
    }

    /// Rejects all later partial bodies and drops the waiting one.
    mutating func stop() {
        phase = .stopped
    }
}

/// Limits previews to ten per second for each body, which is enough to show progress.
struct PreviewPacing: Sendable {
    static let interval = Duration.milliseconds(100)

    private var lastTime: Duration?

    /// Returns whether another preview is due.
    ///
    /// A preview is due if none has been made, or if the last one was made at least `interval` ago.
    func isDue(at now: Duration) -> Bool {
        lastTime.map { now - $0 >= Self.interval } ?? true
    }

    mutating func note(at now: Duration) {
        lastTime = now
    }
}
