internal import Glibc

/// The clocks by which a decode's time is limited, to be replaced by tests.
///
/// Processor time is what is limited, because it does not depend on what else the machine does; but
/// asking for it is a system call (0.5 µs). A thread can't use more of it than time has passed, and
/// that is read without one: so it alone is asked until more has passed than is allowed.
struct DecodingClocks: Sendable {
    /// Time that has passed, from any moment on.
    let uptime: @Sendable () -> Duration
    /// Processor time of the calling thread, from any moment on.
    let processorTime: @Sendable () -> Duration

    /// The machine's.
    static let system = DecodingClocks(
        uptime: { read(CLOCK_MONOTONIC) },
        processorTime: { read(CLOCK_THREAD_CPUTIME_ID) }
    )

    private static func read(_ clock: clockid_t) -> Duration {
        var time = timespec()
        clock_gettime(clock, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}

/// What a decode has taken so far.
struct DecodingTimer: Sendable {
    private let clocks: DecodingClocks
    private let limit: Duration
    private let uptime: Duration
    private let processorTime: Duration

    /// Starts now, on the thread that decodes.
    init(_ clocks: DecodingClocks, limit: Duration) {
        self.clocks = clocks
        self.limit = limit
        uptime = clocks.uptime()
        processorTime = clocks.processorTime()
    }

    /// The processor time taken, if it is more than is allowed.
    var excess: Duration? {
        guard clocks.uptime() - uptime > limit else { return nil }
        let spent = clocks.processorTime() - processorTime
        return spent > limit ? spent : nil
    }
}
