import GalleryCore
import ImageLoading
import TerminalUI

/// Measures the time until input and the first image are visible.
struct ScreenWatch {
    private let start = ContinuousClock.now
    /// The time of the oldest input whose effect is not visible on the screen yet.
    private var inputTime: ContinuousClock.Instant?
    private(set) var statistics = ScreenStatistics()

    mutating func noteInput() { inputTime = inputTime ?? .now }

    /// Records that a frame was written to the terminal.
    mutating func noteFrame(showsImages: Bool, pictures: SentPictures) {
        if let inputTime { statistics.keyTimes.record(.now - inputTime) }
        inputTime = nil
        if statistics.firstPicture == nil, showsImages { statistics.firstPicture = .now - start }
        statistics.pictures = pictures
    }
}
