internal import Glibc

/// Where the engine gets the time from, so that tests can set it.
public struct LoadingClock: Sendable {
    /// Calls an action once, on any thread, as soon as the uptime has reached a time.
    public typealias Alarm =
        @Sendable (_ uptime: Duration, _ action: @escaping @Sendable () -> Void) -> Void

    /// Monotonic time since an arbitrary start; for expiry and pacing.
    public let uptime: @Sendable () -> Duration
    /// Seconds since 1970-01-01 UTC; for file times.
    public let wallTime: @Sendable () -> Int

    private let alarm: Alarm

    /// Makes a clock of two or three functions, callable on any thread.
    ///
    /// Without an `alarm` the time that is still missing passes as real time, which fits only
    /// clocks that go as real ones do.
    public init(
        uptime: @escaping @Sendable () -> Duration,
        wallTime: @escaping @Sendable () -> Int,
        alarm: Alarm? = nil
    ) {
        self.uptime = uptime
        self.wallTime = wallTime
        self.alarm =
            alarm ?? { time, action in
                Self.system.notify(at: Self.system.uptime() + time - uptime(), then: action)
            }
    }

    /// Calls `action` once, as soon as `uptime` has reached `time`; soon, if it has already.
    ///
    /// Never from inside this call by the system's clock; on a thread of the clock, which waits for
    /// it, so `action` must be quick. It can't be taken back: let it look whether it still matters.
    public func notify(at time: Duration, then action: @escaping @Sendable () -> Void) {
        alarm(time, action)
    }
}

extension LoadingClock {
    /// The machine's clocks; `uptime` counts the time that the machine sleeps (CLOCK_BOOTTIME), so
    /// that what expires in ten minutes does.
    ///
    /// Its alarms share one thread of the process, started by the first. An alarm that is set when
    /// the machine goes to sleep comes late by as much as the sleep took at most.
    public static let system = LoadingClock(
        uptime: bootTime,
        wallTime: { reading(CLOCK_REALTIME).tv_sec },
        alarm: { time, action in timer.call(at: time, action) }
    )

    private static let timer = TimerThread(uptime: bootTime)

    @Sendable private static func bootTime() -> Duration {
        let now = reading(CLOCK_BOOTTIME)
        return .seconds(now.tv_sec) + .nanoseconds(now.tv_nsec)
    }

    private static func reading(_ clock: clockid_t) -> timespec {
        var time = timespec()
        clock_gettime(clock, &time)
        return time
    }
}
