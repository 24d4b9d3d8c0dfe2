internal import Glibc

/// The times at which one transfer received its last byte and its last kilobyte.
struct TransferActivity: Equatable {
    /// The number of bytes that a body must deliver in twice the silence limit.
    ///
    /// Every real connection is faster. Without this minimum, a server that sends single bytes
    /// would keep its transfer running forever.
    static let slowestStep = 1_024

    /// The time at which the last byte of the body or the complete head was received, or the
    /// request was sent.
    private(set) var lastByte: Duration
    private var lastStep: Duration
    private var byteCount = 0

    /// Creates a record for a request that was just sent or a head that was just completed.
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

/// A watch for transfers whose server has been silent or nearly silent for too long.
///
/// This type replaces libcurl's own limit, which compares an average over five seconds: it takes
/// effect up to seven seconds late and treats one byte per second as silence. The transfers are
/// checked only when a transfer may have timed out, not for each byte, because bytes only postpone
/// the timeout. The type does no I/O.
struct SilenceWatch {
    /// The silence limit.
    let limit: Duration
    /// The time before which no transfer can time out; nil while no transfer runs.
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
    /// `transfers` contains all running transfers with their activity, which is nil for a transfer
    /// that waits for its connection. Connecting has a separate limit.
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

    /// Returns the maximum time to sleep before the next check, in milliseconds, rounded up; nil if
    /// there is no limit.
    func sleepLimit(at now: Duration) -> Int32? {
        nextLook.map { time in
            let (seconds, rest) = max(.zero, time - now).components
            // An hour at a time is enough, because waking up only causes another check.
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
