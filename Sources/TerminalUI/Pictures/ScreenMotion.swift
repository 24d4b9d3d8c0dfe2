/// Detects continuous scrolling of the screen.
///
/// This type has no side effects. One or two steps do not count as continuous scrolling: when an
/// image is opened, it replaces the thumbnails, and a sharper version may replace it a moment
/// later. During continuous scrolling, images are drawn with characters, which take a hundredth of
/// the bytes.
struct ScreenMotion {
    /// The maximum time between two steps of continuous scrolling.
    ///
    /// Continuous scrolling ends this long after the last step.
    package static let pause = Duration.milliseconds(120)

    private var places: [UInt64: Place] = [:]
    private var lastStep: ContinuousClock.Instant?
    /// The number of scroll steps that followed each other within `pause`.
    private var stepCount = 0
    private var isFlying: Bool { stepCount > 2 }

    private struct Place: Hashable {
        let row: Int
        let column: Int
    }

    /// Processes the images of the next frame, and returns whether new images may be sent.
    mutating func isResting(with images: [PlacedImage], now: ContinuousClock.Instant) -> Bool {
        var next: [UInt64: Place] = [:]
        // Animation frames change without moving, so they are ignored.
        for placed in images where !placed.image.isAnimationFrame {
            next[placed.image.fingerprint] = Place(row: placed.row, column: placed.column)
        }
        // A new image is not a step, but an image that moved or disappeared is.
        let isStep = places.contains { next[$0.key] != $0.value }
        places = next
        let isRecent = lastStep.map { now - $0 < Self.pause } ?? false
        if isStep {
            stepCount = isRecent ? stepCount + 1 : 1
            lastStep = now
        } else if !isRecent {
            stepCount = 0
        }
        return !isFlying
    }
}
