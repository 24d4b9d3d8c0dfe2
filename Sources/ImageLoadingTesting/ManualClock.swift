public import ImageLoading

/// A clock that stands still until a test moves it.
///
///     let clock = ManualClock()
///     let cache = makeCache(clock: clock.clock)
///     clock.advance(by: .seconds(60))
///
/// Callable on any thread. Wall time and uptime advance together; wall time can also be set by
/// itself, as a person or NTP does.
public final class ManualClock: Sendable {
    private struct Time {
        var uptime = Duration.zero
        var wallTime: Duration
    }

    private let time: Protected<Time>

    /// Makes a clock at uptime zero and at a wall time in seconds since 1970; by default a round
    /// number in 2001.
    public init(wallTime: Int = 1_000_000_000) {
        time = Protected(Time(wallTime: .seconds(wallTime)))
    }

    /// What to hand to the code under test.
    public var clock: LoadingClock {
        LoadingClock(uptime: { self.uptime }, wallTime: { self.wallTime })
    }

    /// Time since the clock was made.
    public var uptime: Duration { time.withLock { $0.uptime } }

    /// Whole seconds since 1970.
    public var wallTime: Int { time.withLock { Int($0.wallTime.components.seconds) } }

    /// Lets time pass on both scales.
    public func advance(by duration: Duration) {
        time.withLock { time in
            time.uptime += duration
            time.wallTime += duration
        }
    }

    /// Sets the wall time alone, in seconds since 1970; it may go back.
    public func setWallTime(_ seconds: Int) {
        time.withLock { $0.wallTime = .seconds(seconds) }
    }
}
