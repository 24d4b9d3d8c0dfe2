/// Where the engine gets the time from, so that tests can set it.
public struct LoadingClock: Sendable {
    /// Monotonic time since an arbitrary start; for expiry and pacing.
    public let uptime: @Sendable () -> Duration
    /// Seconds since 1970-01-01 UTC; for file times.
    public let wallTime: @Sendable () -> Int

    /// Makes a clock of two functions, callable on any thread.
    public init(
        uptime: @escaping @Sendable () -> Duration,
        wallTime: @escaping @Sendable () -> Int
    ) {
        self.uptime = uptime
        self.wallTime = wallTime
    }
}
