public import ImageLoading
internal import SystemSupport

/// A clock that advances only when a test advances it.
///
///     let clock = ManualClock()
///     let cache = makeCache(clock: clock.clock)
///     clock.advance(by: .seconds(60))
///
/// The clock may be used on any thread. Wall time and uptime advance together. The wall time can
/// also be set separately, as a user or NTP does.
public final class ManualClock: Sendable {
    private struct Alarm: Sendable {
        let time: Duration
        let action: @Sendable () -> Void
    }

    private struct State {
        var uptime = Duration.zero
        var wallTime: Duration
        /// The alarms, earliest first; alarms with equal times are in the order in which they were
        /// set.
        var alarms: [Alarm] = []

        mutating func move(to newUptime: Duration) {
            wallTime += newUptime - uptime
            uptime = newUptime
        }
    }

    private let state: Protected<State>

    /// Creates a clock whose uptime is zero and whose wall time is `wallTime`, in seconds since
    /// 1970.
    ///
    /// By default, the wall time is a round number in 2001.
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

    /// The wall time in whole seconds since 1970.
    public var wallTime: Int { state.withLock { Int($0.wallTime.components.seconds) } }

    /// The number of pending alarms.
    public var alarmCount: Int { state.withLock { $0.alarms.count } }

    /// The time of the earliest alarm, or nil if none is pending.
    public var nextAlarm: Duration? { state.withLock { $0.alarms.first?.time } }

    /// Advances uptime and wall time, and stops at each alarm on the way.
    ///
    /// Alarms fire on the calling thread before this method returns, in the order of their times,
    /// and each alarm fires while the clock shows its time. If an alarm sets another alarm within
    /// `duration`, that alarm fires, too. No lock is held while an alarm fires.
    public func advance(by duration: Duration) {
        let end = state.withLock { $0.uptime + duration }
        while let action = nextAction(until: end) { action() }
        state.withLock { state in
            // An alarm may itself have advanced the clock.
            if state.uptime < end { state.move(to: end) }
        }
    }

    /// Sets only the wall time, in seconds since 1970; the new time may be earlier than the current
    /// time.
    public func setWallTime(_ seconds: Int) {
        state.withLock { $0.wallTime = .seconds(seconds) }
    }

    /// Sets an alarm.
    ///
    /// If its time has already passed, the alarm fires at the next `advance`.
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
