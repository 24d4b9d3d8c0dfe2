public import ImageLoading
internal import SystemSupport

/// A clock that advances only when a test advances it.
///
///     let clock = ManualClock()
///     let cache = makeCache(clock: clock.clock)
///     clock.advance(by: .seconds(60))
///
/// The clock may be used on any thread. Wall time and uptime advance together. A test can also set
/// the wall time alone, as a user or NTP might.
public final class ManualClock: Sendable {
    private struct Alarm: Sendable {
        let time: Duration
        let action: @Sendable () -> Void
    }

    private struct State {
        var uptime = Duration.zero
        var wallTime: Duration
        /// The alarms, earliest first; alarms with the same time are in the order they were set.
        var alarms: [Alarm] = []

        mutating func move(to newUptime: Duration) {
            wallTime += newUptime - uptime
            uptime = newUptime
        }
    }

    private let state: Protected<State>

    /// Creates a clock with an uptime of zero.
    ///
    /// `wallTime` is in seconds since 1970. The default is a round number in 2001.
    public init(wallTime: Int = 1_000_000_000) {
        state = Protected(State(wallTime: .seconds(wallTime)))
    }

    /// The clock to pass to the code under test.
    public var clock: LoadingClock {
        LoadingClock(
            uptime: { self.uptime },
            wallTime: { self.wallTime },
            alarm: { time, action in self.setAlarm(at: time, action) }
        )
    }

    /// The time since the clock was created.
    public var uptime: Duration { state.withLock { $0.uptime } }

    /// The wall time in seconds since 1970, rounded down.
    public var wallTime: Int { state.withLock { Int($0.wallTime.components.seconds) } }

    /// The number of pending alarms.
    public var alarmCount: Int { state.withLock { $0.alarms.count } }

    /// The time of the earliest alarm; nil if no alarm is pending.
    public var nextAlarm: Duration? { state.withLock { $0.alarms.first?.time } }

    /// Advances uptime and wall time by `duration`, and runs the alarms that become due.
    ///
    /// The alarms run on the calling thread before this method returns, in the order of their
    /// times. While an alarm runs, the clock shows the alarm's time. If an alarm sets another alarm
    /// within `duration`, that alarm runs too. No lock is held while the alarms run.
    public func advance(by duration: Duration) {
        let end = state.withLock { $0.uptime + duration }
        while let action = nextAction(until: end) { action() }
        state.withLock { state in
            // An alarm may itself have advanced the clock.
            if state.uptime < end { state.move(to: end) }
        }
    }

    /// Sets only the wall time, in seconds since 1970; it may be set back.
    public func setWallTime(_ seconds: Int) {
        state.withLock { $0.wallTime = .seconds(seconds) }
    }

    /// Sets an alarm.
    ///
    /// If `time` has already passed, the next call to `advance` runs `action`.
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
