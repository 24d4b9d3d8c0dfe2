internal import Decoders

/// Which beginning of a body is decoded while it arrives, and which waits: one at a time, and of
/// those that come meanwhile only the latest (F15, T14).
///
/// Pure.
struct PreviewSlot: Sendable {
    /// The beginning of a body.
    struct PartialData: Sendable {
        let bytes: [UInt8]
        /// The length of the whole, if it was announced.
        var expected: Int?
    }

    /// A beginning that is worth a decode.
    struct Work: Sendable {
        let bytes: [UInt8]
        /// Whether it may be the picture, and not a preview of it.
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

    /// Takes in a longer beginning; returns it if it is to be decoded now.
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
