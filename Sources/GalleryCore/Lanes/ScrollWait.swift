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

/// Measures the time from the last scroll step until the image under the cursor is visible.
///
/// The time is measured separately with and without cancellation. Images that are visible at once,
/// because they were in memory, are not measured. This type has no side effects: times are passed
/// in.
package struct ScrollWait: Equatable, Sendable {
    /// The latest time with cancellation; nil before the first measurement.
    package private(set) var cancelling: Duration?
    /// The latest time without cancellation; nil before the first measurement.
    package private(set) var keeping: Duration?
    /// Whether the latest time is still growing, because the image is not visible yet.
    package private(set) var isGrowing = false

    private var scrollCount = 0
    /// The time of the last scroll step if its image is missing.
    private var start: ContinuousClock.Instant?
    /// Whether loads were cancelled at this time.
    private var startedCancelling = true

    /// Creates an empty measurement.
    package init() {}

    /// Records the state of the image in a frame that was drawn at this time.
    package mutating func note(_ image: CursorImage, at time: ContinuousClock.Instant) {
        if image.scrollCount != scrollCount {
            scrollCount = image.scrollCount
            start = image.state == .missing ? time : nil
            startedCancelling = image.cancels
        }
        // A wait that was partly with cancellation and partly without is not measured.
        if image.cancels != startedCancelling { start = nil }
        isGrowing = image.state == .missing && start != nil
        guard let start else { return }
        if image.state == .none { return self.start = nil }
        if image.cancels { cancelling = time - start } else { keeping = time - start }
        if image.state == .shown { self.start = nil }
    }
}
