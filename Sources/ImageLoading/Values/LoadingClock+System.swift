internal import Glibc

extension LoadingClock {
    /// The machine's clocks; `uptime` goes on while the machine sleeps (CLOCK_BOOTTIME), so that
    /// what expires in ten minutes does.
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
