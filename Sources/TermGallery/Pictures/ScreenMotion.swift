import GalleryCore

/// Tells a screen at rest from one that flies by.
///
/// Pure. One step is no flight, nor are two: a picture that is opened takes the place of the others,
/// and a sharper one its place, perhaps a moment later. While steps follow each other, pictures are drawn in
/// cells, which cost a hundredth of the bytes.
struct ScreenMotion {
    /// Steps closer than this are a flight, and so long after the last one there is rest.
    static let pause = Duration.milliseconds(120)

    private var places: [UInt64: Place] = [:]
    private var lastStep: ContinuousClock.Instant?
    /// The steps that followed each other.
    private var stepCount = 0
    private var isFlying: Bool { stepCount > 2 }

    private struct Place: Hashable {
        let row: Int
        let column: Int
    }

    /// Takes the next frame's pictures; whether those that are new may be sent.
    mutating func isResting(with images: [PlacedImage], now: ContinuousClock.Instant) -> Bool {
        var next: [UInt64: Place] = [:]
        // What plays does so in its place.
        for placed in images where !placed.image.isAnimationFrame {
            next[placed.image.fingerprint] = Place(row: placed.row, column: placed.column)
        }
        // A picture that comes is none; one that has moved or gone is a step.
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
