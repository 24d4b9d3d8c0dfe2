internal import Decoders
internal import SystemSupport

/// Makes previews of one body while it is received, until a preview is final.
///
/// Thread-safe. The decodes run on the decode pool, with lower priority than complete images.
final class PreviewMaker: Sendable {
    /// The operations on a partial body, which run on the threads of the decode pool.
    struct Steps: Sendable {
        /// Decodes a partial body, and returns nil if nothing can be shown.
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

    /// Offers a part of the body that is longer than the previous part.
    ///
    /// The part is not decoded if the expected gain is less than `least`.
    ///
    /// A part that may give the final image is decoded at `priority`, and any other part at low
    /// priority.
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
    /// A preview that is being shown at this moment is completed.
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

/// Decides which part of a body that is being received is decoded and which part waits.
///
/// Only one decode runs at a time. Only the latest of the parts that arrive in the meantime is
/// decoded next.
///
/// This type has no side effects.
struct PreviewSlot: Sendable {
    /// A partial body.
    struct PartialData: Sendable {
        let bytes: [UInt8]
        /// The length of the complete body, if announced.
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

    /// Offers a longer part of the body, and returns the part if it must be decoded now.
    ///
    /// The part is not decoded if the expected gain is less than `least`.
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

    /// Records the end of a decode, and returns the part to decode next.
    mutating func ended() -> Work? {
        guard case .decoding(let next) = phase else { return nil }
        phase = next == nil ? .idle : .decoding(next: nil)
        return next
    }

    /// Rejects all further parts, and drops the waiting part.
    mutating func stop() {
        phase = .stopped
    }
}

/// Limits the previews of a body that is being received to ten per second, which is fast enough for
/// a viewer.
struct PreviewPacing: Sendable {
    /// The shortest interval between two previews.
    static let interval = Duration.milliseconds(100)

    private var lastTime: Duration?

    /// Returns whether another preview is due: none was made before, or the last one was made at
    /// least `interval` ago.
    func isDue(at now: Duration) -> Bool {
        lastTime.map { now - $0 >= Self.interval } ?? true
    }

    mutating func note(at now: Duration) {
        lastTime = now
    }
}
