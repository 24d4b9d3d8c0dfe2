/// Limits the rate of an action to once per `pause`.
///
/// After a longer pause, the action is permitted immediately.
package struct Pace {
    package let pause: Duration
    package private(set) var due = ContinuousClock.now

    package init(pause: Duration) {
        self.pause = pause
    }

    /// Creates a limit that permits the first action after the duration `first`.
    package init(pause: Duration, first: Duration) {
        self.pause = pause
        due = .now + first
    }

    package var isDue: Bool { ContinuousClock.now >= due }
    package var timeLeft: Duration { max(.zero, due - .now) }

    package mutating func note() { due = .now + pause }
}
