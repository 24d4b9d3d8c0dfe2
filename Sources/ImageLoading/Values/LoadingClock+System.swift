internal import Glibc

extension LoadingClock {
    /// The machine's clocks; `uptime` goes on while the machine sleeps (CLOCK_BOOTTIME), so that
    /// what expires in ten minutes does.
    public static let system = LoadingClock(
        uptime: {
            let now = reading(CLOCK_BOOTTIME)
            return .seconds(now.tv_sec) + .nanoseconds(now.tv_nsec)
        },
        wallTime: { reading(CLOCK_REALTIME).tv_sec }
    )

    private static func reading(_ clock: clockid_t) -> timespec {
        var time = timespec()
        clock_gettime(clock, &time)
        return time
    }
}
