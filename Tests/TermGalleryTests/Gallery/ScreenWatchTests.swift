import ImageLoading
import Testing

@testable import GalleryCore
@testable import TermGallery
@testable import TerminalUI

@Suite struct ScreenWatchTests {
    private let start = ContinuousClock.now

    private func time(_ milliseconds: Int) -> ContinuousClock.Instant {
        start + .milliseconds(milliseconds)
    }

    @Test func `a frame ends the wait of the oldest input, and only that of input`() {
        var watch = ScreenWatch(start: start)
        watch.noteFrame(at: time(1), showsImages: false, pictures: SentPictures())
        #expect(watch.statistics.keyTimes.count == 0)
        watch.noteInput(at: time(10))
        watch.noteInput(at: time(25))
        watch.noteFrame(at: time(30), showsImages: false, pictures: SentPictures())
        watch.noteFrame(at: time(90), showsImages: false, pictures: SentPictures())
        #expect(watch.statistics.keyTimes.count == 1)
        var expected = DurationHistogram()
        expected.record(.milliseconds(20))
        #expect(watch.statistics.keyTimes == expected)
    }

    @Test func `the first frame with an image is measured from the start`() {
        var watch = ScreenWatch(start: start)
        watch.noteFrame(at: time(5), showsImages: false, pictures: SentPictures())
        #expect(watch.statistics.firstPicture == nil)
        watch.noteFrame(at: time(40), showsImages: true, pictures: SentPictures())
        watch.noteFrame(at: time(80), showsImages: true, pictures: SentPictures())
        #expect(watch.statistics.firstPicture == .milliseconds(40))
    }
}
