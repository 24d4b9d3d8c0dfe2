internal import Glibc

/// The times at which a transfer received its latest byte and its latest kilobyte.
struct TransferActivity: Equatable {
    /// The minimum number of body bytes that must be received within twice the silence limit.
    ///
    /// Every real connection is faster. Without this minimum, a server that sends single bytes
    /// would keep its transfer running forever.
    static let slowestStep = 1_024

    /// The time at which the latest byte of the body was received.
    ///
    /// Before the first byte, it is the time at which the request was sent or the response head was
    /// complete.
    private(set) var lastByte: Duration
    private var lastStep: Duration
    private var byteCount = 0

    /// Creates the record of a transfer that has not received a byte of its body.
    ///
    /// `now` is the time at which the request was sent or the response head was complete.
    init(startAt now: Duration) {
        (lastByte, lastStep) = (now, now)
    }

    /// Records received bytes of the body.
    mutating func note(byteCount count: Int, at now: Duration) {
        lastByte = now
        byteCount += count
        guard byteCount >= Self.slowestStep else { return }
        (lastStep, byteCount) = (now, 0)
    }

    /// Returns the time at which the transfer times out if it receives nothing more.
    func end(limit: Duration) -> Duration {
        min(lastByte + limit, lastStep + limit * 2)
    }
}

/// Detects transfers whose servers have been silent, or nearly silent, for too long.
///
/// libcurl's own limit is not used. It compares an average over five seconds, so it takes effect up
/// to seven seconds late, and it treats one byte per second as silence. Received bytes only
/// postpone a timeout, so the transfers are checked only when one may have timed out, not after
/// each byte. This type performs no I/O.
struct SilenceWatch {
    /// How long a server may be silent.
    let limit: Duration
    /// The time of the next check; nil while no transfer is running.
    ///
    /// No transfer can time out before this time.
    private(set) var nextLook: Duration?

    init(limit: Duration) {
        self.limit = limit
    }

    /// Records the start of a transfer.
    mutating func note(startAt now: Duration) {
        nextLook = min(nextLook ?? .seconds(Int64.max), now + limit)
    }

    /// Returns the identifiers of the transfers that have timed out.
    ///
    /// `transfers` contains all running transfers. The activity is nil while a transfer waits for
    /// its connection, because connecting has its own time limit.
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

    /// Returns the maximum time to sleep before the next check, in milliseconds, rounded up.
    ///
    /// Returns nil if there is no limit.
    func sleepLimit(at now: Duration) -> Int32? {
        nextLook.map { time in
            let (seconds, rest) = max(.zero, time - now).components
            // An hour is always sufficient, because waking up only causes another check.
            return Int32(min(seconds, 3_600)) * 1_000 + Int32(rest / 1_000_000_000_000_000) + 1
        }
    }

    /// Returns the current time of the clock that measures silence.
    ///
    /// The clock stops while the machine sleeps.
    static func now() -> Duration {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
