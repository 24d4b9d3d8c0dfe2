internal import Glibc

/// Signs of life of one transfer: when its last byte came, and its last kilobyte.
struct TransferActivity: Equatable {
    /// What a body has to bring in twice the longest silence: slower than any line, but a server
    /// that sends a byte now and then would hold its transfer for ever.
    static let slowestStep = 1_024

    /// When the last byte of the body came, or the whole head, or when the request went out.
    private(set) var lastByte: Duration
    private var lastStep: Duration
    private var byteCount = 0

    /// A request went out, or a head is whole.
    init(startAt now: Duration) {
        (lastByte, lastStep) = (now, now)
    }

    /// Some bytes of the body came.
    mutating func note(byteCount count: Int, at now: Duration) {
        lastByte = now
        byteCount += count
        guard byteCount >= Self.slowestStep else { return }
        (lastStep, byteCount) = (now, 0)
    }

    /// When the transfer is over, if nothing comes until then.
    func end(limit: Duration) -> Duration {
        min(lastByte + limit, lastStep + limit * 2)
    }
}

/// Finds the transfers whose server has been silent, or has all but stood still, for too long.
///
/// In place of libcurl's own limit, which compares a mean of five seconds: it comes up to seven
/// seconds late, and takes one byte a second for silence. Work is done only when the time of one may
/// be over, never for each byte: bytes only put that time off. Pure.
struct SilenceWatch {
    /// The longest silence.
    let limit: Duration
    /// Before this nobody's time is over; nil while nothing runs.
    private(set) var nextLook: Duration?

    init(limit: Duration) {
        self.limit = limit
    }

    /// A transfer starts.
    mutating func note(startAt now: Duration) {
        nextLook = min(nextLook ?? .seconds(Int64.max), now + limit)
    }

    /// The transfers whose time is over, of all that run; of each its signs of life, nil for one
    /// that waits for its connection, which has a limit of its own.
    mutating func overdue<ID>(
        at now: Duration,
        _ transfers: some Sequence<(id: ID, activity: TransferActivity?)>
    ) -> [ID] {
        guard let nextLook, nextLook <= now else { return [] }
        self.nextLook = nil
        var overdue: [ID] = []
        for (id, activity) in transfers {
            let end = activity?.end(limit: limit) ?? now + limit
            if end <= now {
                overdue.append(id)
            } else {
                self.nextLook = min(self.nextLook ?? end, end)
            }
        }
        return overdue
    }

    /// How many milliseconds to sleep at most until the next look, rounded up; nil for no limit.
    func sleepLimit(at now: Duration) -> Int32? {
        nextLook.map { time in
            let (seconds, rest) = max(.zero, time - now).components
            // Whole hours are enough: it only means to look once more.
            return Int32(min(seconds, 3_600)) * 1_000 + Int32(rest / 1_000_000_000_000_000) + 1
        }
    }

    /// The time by which silence is measured; it stands still while the machine sleeps.
    static func now() -> Duration {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
