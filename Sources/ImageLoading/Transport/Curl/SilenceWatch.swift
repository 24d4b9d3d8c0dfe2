internal import Glibc

/// Finds the transfers whose server has been silent for too long.
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

    /// The transfers whose time is over, of all that run; of each the time of its last byte, nil for
    /// one that waits for its connection, which has a limit of its own.
    mutating func overdue<ID>(
        at now: Duration,
        _ lastBytes: some Sequence<(id: ID, time: Duration?)>
    ) -> [ID] {
        guard let nextLook, nextLook <= now else { return [] }
        self.nextLook = nil
        var overdue: [ID] = []
        for (id, time) in lastBytes {
            if let time, time + limit <= now {
                overdue.append(id)
            } else {
                note(startAt: time ?? now)
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
