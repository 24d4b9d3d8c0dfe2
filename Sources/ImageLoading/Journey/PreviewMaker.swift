internal import Decoders

/// Turns what has come of one body into previews, while it arrives, up to the first that is final.
///
/// Thread-safe; the decodes run on the decode pool, below everything that is wanted as a whole.
final class PreviewMaker: Sendable {
    /// What is done with part of a body, on the decode pool's threads.
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

    /// Takes in more of the body than before; decodes that bring less than `least` are left out.
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

/// Which part of a body is decoded while it arrives, and which waits: one at a time, and of
/// those that come meanwhile only the latest.
///
/// Pure.
struct PreviewSlot: Sendable {
    /// What has come of a body.
    struct PartialData: Sendable {
        let bytes: [UInt8]
        /// The length of the whole, if it was announced.
        var expected: Int?
    }

    /// Part of a body that is worth a decode.
    struct Work: Sendable {
        let bytes: [UInt8]
        /// Whether it may be the final image, and not a preview of it.
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

    /// Takes in more of the body; returns it if it is to be decoded now.
    ///
    /// Decodes that bring less than `least` are left out.
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

    /// A decode has ended; returns what is to be decoded next.
    mutating func ended() -> Work? {
        guard case .decoding(let next) = phase else { return nil }
        phase = next == nil ? .idle : .decoding(next: nil)
        return next
    }

    /// Nothing more is wanted.
    mutating func stop() {
        phase = .stopped
    }
}

/// Decides when a preview may be made of a body that is arriving: no more than ten times a second,
/// which is more than an eye needs.
struct PreviewPacing: Sendable {
    /// The least time between two.
    static let interval = Duration.milliseconds(100)

    private var lastTime: Duration?

    /// Whether it is time for another one.
    func isDue(at now: Duration) -> Bool {
        lastTime.map { now - $0 >= Self.interval } ?? true
    }

    mutating func note(at now: Duration) {
        lastTime = now
    }
}
