/// The state of the image under the cursor.
package struct CursorImage: Equatable, Sendable {
    /// The visibility of the image.
    package enum State: Equatable, Sendable {
        /// The image is visible, completely or in part.
        case shown
        /// The image is being loaded.
        case missing
        /// There is no image, or it cannot be loaded.
        case none
    }

    /// The number of times the grid was scrolled.
    package var scrollCount: Int
    /// Whether loads are cancelled when their cells leave the screen.
    package var cancels: Bool
    /// The visibility of the image.
    package var state = State.none
}

/// Measures the time from the last scroll step until the image under the cursor is visible.
///
/// The time is measured separately with and without cancellation. An image that is visible
/// immediately because it was in memory is not measured. A wait is also not measured if it ends in
/// another scroll step, a failure, or a change of the mode. This type has no side effects: times
/// are passed in.
package struct ScrollWait: Equatable, Sendable {
    private var scrollCount = 0
    /// The wait that is being measured, or nil if there is none.
    private var current: Wait?
    private var lastCancelling: Duration?
    private var lastKeeping: Duration?

    private struct Wait: Equatable, Sendable {
        let start: ContinuousClock.Instant
        let cancels: Bool
        var time = Duration.zero
    }

    /// The minimum duration for the current wait to be shown.
    ///
    /// While a key is held down, scroll steps follow each other faster than this.
    private static let restingTime = Duration.milliseconds(200)

    /// Creates an empty measurement.
    package init() {}

    /// The user's last waiting time for the image under the cursor with cancellation on.
    ///
    /// Cancellation is on if loads are cancelled when their cells leave the screen. The value is
    /// nil before the first measurement, and grows during a wait.
    package var cancelling: Duration? { growing(cancels: true) ?? lastCancelling }

    /// The user's last waiting time for the image under the cursor with cancellation off.
    ///
    /// Cancellation is off if loads are kept when their cells leave the screen. The value is nil
    /// before the first measurement, and grows during a wait.
    package var keeping: Duration? { growing(cancels: false) ?? lastKeeping }

    private func growing(cancels: Bool) -> Duration? {
        guard let current, current.cancels == cancels, current.time >= Self.restingTime else {
            return nil
        }
        return current.time
    }

    /// Records the state of the image under the cursor in a frame that was drawn at `time`.
    package mutating func note(_ image: CursorImage, at time: ContinuousClock.Instant) {
        if image.scrollCount != scrollCount {
            scrollCount = image.scrollCount
            current = image.state == .missing ? Wait(start: time, cancels: image.cancels) : nil
        }
        guard var wait = current else { return }
        guard image.cancels == wait.cancels, image.state != .none else { return current = nil }
        wait.time = time - wait.start
        current = image.state == .missing ? wait : nil
        guard image.state == .shown else { return }
        if wait.cancels { lastCancelling = wait.time } else { lastKeeping = wait.time }
    }
}
