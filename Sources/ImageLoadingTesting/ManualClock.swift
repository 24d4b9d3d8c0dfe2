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
    private struct Alarm: Sendable {
        let time: Duration
        let action: @Sendable () -> Void
    }

    private struct State {
        var uptime = Duration.zero
        var wallTime: Duration
        /// The earliest first; equal ones in the order of being set.
        var alarms: [Alarm] = []

        mutating func move(to newUptime: Duration) {
            wallTime += newUptime - uptime
            uptime = newUptime
        }
    }

    private let state: Protected<State>

    /// Makes a clock at uptime zero and at a wall time in seconds since 1970; by default a round
    /// number in 2001.
    public init(wallTime: Int = 1_000_000_000) {
        state = Protected(State(wallTime: .seconds(wallTime)))
    }

    /// What to hand to the code under test.
    public var clock: LoadingClock {
        LoadingClock(
            uptime: { self.uptime },
            wallTime: { self.wallTime },
            alarm: { time, action in self.setAlarm(at: time, action) }
        )
    }

    /// Time since the clock was made.
    public var uptime: Duration { state.withLock { $0.uptime } }

    /// Whole seconds since 1970.
    public var wallTime: Int { state.withLock { Int($0.wallTime.components.seconds) } }

    /// Alarms that are set and have not gone off.
    public var alarmCount: Int { state.withLock { $0.alarms.count } }

    /// When the earliest alarm goes off; nil if none is set.
    public var nextAlarm: Duration? { state.withLock { $0.alarms.first?.time } }

    /// Lets time pass on both scales, stopping at each alarm on the way.
    ///
    /// Alarms go off on the calling thread before this returns, in the order of their times, each
    /// while the clock shows its time: one that sets the next within `duration` sees that one go
    /// off too. No lock is held meanwhile.
    public func advance(by duration: Duration) {
        let end = state.withLock { $0.uptime + duration }
        while let action = nextAction(until: end) { action() }
        state.withLock { state in
            // An alarm may itself have moved the clock on.
            if state.uptime < end { state.move(to: end) }
        }
    }

    /// Sets the wall time alone, in seconds since 1970; it may go back.
    public func setWallTime(_ seconds: Int) {
        state.withLock { $0.wallTime = .seconds(seconds) }
    }

    /// An alarm for a time that is past goes off at the next `advance`.
    private func setAlarm(at time: Duration, _ action: @escaping @Sendable () -> Void) {
        state.withLock { state in
            let index = state.alarms.firstIndex { $0.time > time } ?? state.alarms.endIndex
            state.alarms.insert(Alarm(time: time, action: action), at: index)
        }
    }

    private func nextAction(until end: Duration) -> (@Sendable () -> Void)? {
        state.withLock { state in
            guard let first = state.alarms.first, first.time <= end else { return nil }
            state.alarms.removeFirst()
            state.move(to: max(state.uptime, first.time))
            return first.action
        }
    }
}
