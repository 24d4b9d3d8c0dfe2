import GalleryCore
import ImageLoading
import TerminalUI

/// Measures the times until an input takes effect on the screen and until the first image appears.
///
/// This type has no side effects.
struct ScreenWatch {
    private let start: ContinuousClock.Instant
    /// The time of the oldest input whose effect has not been displayed yet.
    private var inputTime: ContinuousClock.Instant?
    private(set) var statistics = ScreenStatistics()

    init(start: ContinuousClock.Instant) {
        self.start = start
    }

    mutating func noteInput(at time: ContinuousClock.Instant) { inputTime = inputTime ?? time }

    /// Records that a frame was written to the terminal.
    mutating func noteFrame(
        at time: ContinuousClock.Instant,
        showsImages: Bool,
        cursor: CursorImage? = nil,
        pictures: SentPictures
    ) {
        if let inputTime { statistics.keyTimes.record(time - inputTime) }
        inputTime = nil
        if statistics.firstPicture == nil, showsImages { statistics.firstPicture = time - start }
        if let cursor { statistics.scrollWait.note(cursor, at: time) }
        statistics.pictures = pictures
    }
}
