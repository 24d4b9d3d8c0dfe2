internal import Glibc

/// The engine's source of time, which tests can replace.
public struct LoadingClock: Sendable {
    /// A function that calls an action once, as soon as the uptime reaches a specified time.
    ///
    /// The action may be called on any thread.
    public typealias Alarm =
        @Sendable (_ uptime: Duration, _ action: @escaping @Sendable () -> Void) -> Void

    /// The monotonic time since an arbitrary start, for lifetimes and intervals.
    public let uptime: @Sendable () -> Duration
    /// The number of seconds since 1970-01-01 UTC, for file times.
    public let wallTime: @Sendable () -> Int

    private let alarm: Alarm

    /// Creates a clock from functions, which may be called on any thread.
    ///
    /// If `alarm` is nil, alarms wait in real time, which is suitable only for clocks that run at
    /// the speed of real time.
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

    /// Calls `action` once, as soon as `uptime` reaches `time`, or soon if that time has passed.
    ///
    /// The system clock never calls `action` from within this method. The action runs on a thread
    /// of the clock and delays other actions, so it must be quick. The call cannot be cancelled, so
    /// the action should check whether it is still needed.
    public func notify(at time: Duration, then action: @escaping @Sendable () -> Void) {
        alarm(time, action)
    }
}

extension LoadingClock {
    /// The machine's clocks.
    ///
    /// `uptime` includes the time that the machine spends asleep (CLOCK_BOOTTIME), so an entry with
    /// a lifetime of ten minutes expires after ten minutes. All alarms share one thread of the
    /// process, which the first alarm starts. If the machine sleeps while an alarm is set, the
    /// alarm may be late, by at most the duration of the sleep.
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
