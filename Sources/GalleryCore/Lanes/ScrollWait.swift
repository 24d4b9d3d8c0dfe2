/// The state of the image under the cursor.
package struct CursorImage: Equatable, Sendable {
    /// Whether the image is visible.
    package enum State: Equatable, Sendable {
        /// The image is visible, completely or in part.
        case shown
        /// The image is being loaded.
        case missing
        /// There is no image, or it cannot be loaded.
        case none
    }

    /// The number of times that the grid was scrolled.
    package var scrollCount: Int
    /// Whether loads are cancelled when their cells leave the screen.
    package var cancels: Bool
    /// Whether the image is visible.
    package var state = State.none
}

/// A measurement of the time from the last scroll step until the image under the cursor is visible.
///
/// The time is measured separately with and without cancellation. An image that is visible
/// immediately, because it was in memory, is not measured. A wait that ends in another scroll step,
/// a failure, or a change of the mode is not measured either. This type has no side effects: times
/// are passed in.
package struct ScrollWait: Equatable, Sendable {
    private var scrollCount = 0
    /// The wait that is being measured, or nil.
    private var current: Wait?
    private var lastCancelling: Duration?
    private var lastKeeping: Duration?

    private struct Wait: Equatable, Sendable {
        let start: ContinuousClock.Instant
        let cancels: Bool
        var time = Duration.zero
    }

    /// The minimum duration at which the current wait is shown.
    ///
    /// While a key is held, scroll steps follow each other faster than this.
    private static let restingTime = Duration.milliseconds(200)

    /// Creates an empty measurement.
    package init() {}

    /// The time that the user last waited for the image under the cursor with cancellation on.
    ///
    /// Cancellation is on if loads are cancelled when their cells leave the screen. The value is
    /// nil before the first measurement, and grows until the wait ends.
    package var cancelling: Duration? { growing(cancels: true) ?? lastCancelling }

    /// The time that the user last waited for the image under the cursor with cancellation off.
    ///
    /// Cancellation is off if loads are kept when their cells leave the screen. The value is nil
    /// before the first measurement, and grows until the wait ends.
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
