import ImageLoading
import Testing
import VirtualTerminal

@testable import Feeds
@testable import GalleryCore
@testable import TerminalUI

@Suite struct SlideshowTests {
    private func feed(_ count: Int) -> Feed {
        let items = (0..<count).map {
            FeedItem(url: "http://h/\($0).jpg", caption: "Picture \($0)")
        }
        return Feed(items: items, title: "test")
    }

    /// A show of 1 s with its first picture there.
    private func show(_ count: Int = 3) -> Gallery {
        var gallery = Gallery(count: 0)
        gallery.state.settings.slideshow = .seconds(1)
        gallery.send(.feed(.success(feed(count))))
        gallery.send(.detail(.load(.image(.plain(8, 8), .network))))
        return gallery
    }

    private func tick(_ gallery: inout Gallery, _ count: Int) -> [Effect] {
        (0..<count).flatMap { _ in gallery.send(.tick) }
    }

    @Test func `the first image is opened, and the next one after its time`() {
        var gallery = show()
        #expect(gallery.state.detail?.item == 0)
        #expect(gallery.state.needsTicks)

        _ = tick(&gallery, 9)
        #expect(gallery.state.detail?.item == 0)
        let effects = tick(&gallery, 1)

        #expect(effects.contains(.detail(.open(item: 1, refreshing: false))))
        #expect(gallery.state.selectedItem == 1)
    }

    @Test func `the time of an image starts when it is loaded`() {
        var gallery = show()
        _ = tick(&gallery, 10)

        _ = tick(&gallery, 50)
        #expect(gallery.state.detail?.item == 1)
        gallery.send(.detail(.load(.image(.plain(8, 8), .network))))
        _ = tick(&gallery, 9)
        #expect(gallery.state.detail?.item == 1)
        _ = tick(&gallery, 1)
        #expect(gallery.state.detail?.item == 2)
    }

    @Test func `an image that never loads is skipped`() {
        var gallery = show()
        _ = tick(&gallery, 10)

        _ = tick(&gallery, 110)

        #expect(gallery.state.detail?.item == 2)
    }

    @Test func `the last image is followed by the first`() {
        var gallery = show(2)
        _ = tick(&gallery, 10)
        gallery.send(.detail(.load(.image(.plain(8, 8), .network))))
        _ = tick(&gallery, 10)

        #expect(gallery.state.detail?.item == 0)
    }

    @Test func `the next image is loaded once while the current one is shown`() {
        var gallery = Gallery(count: 0)
        gallery.state.settings.slideshow = .seconds(1)
        gallery.send(.feed(.success(feed(3))))

        let effects = gallery.send(.detail(.load(.image(.plain(8, 8), .network))), .tick, .tick)

        #expect(effects.filter { $0 == .prefetch(.open(item: 1)) }.count == 1)
    }

    @Test func `a stops and resumes the slideshow, and the bar reports it`() {
        var gallery = show()
        #expect(gallery.lines.last?.contains("slideshow 1 s") == true)

        gallery.press("a")
        _ = tick(&gallery, 100)
        #expect(gallery.state.detail?.item == 0)
        #expect(gallery.lines.last?.contains("slideshow") == false)
        gallery.press("a")
        _ = tick(&gallery, 10)
        #expect(gallery.state.detail?.item == 1)
    }

    @Test func `in any open image a starts one`() {
        var gallery = Gallery(count: 5)
        gallery.press(.enter)
        gallery.press("a")

        #expect(gallery.state.slideshow.show?.interval == .seconds(5))
        #expect(gallery.state.needsTicks)
    }

    @Test func `it ends with the open image, and waits during a prompt`() {
        var gallery = show()
        gallery.press("?")
        _ = tick(&gallery, 30)
        #expect(gallery.state.detail?.item == 0)
        gallery.press("?")

        let effects = gallery.press(.escape)

        #expect(effects.contains(.prefetch(.open(item: nil))))
        #expect(gallery.state.slideshow.show == nil)
        _ = tick(&gallery, 50)
        #expect(gallery.state.detail == nil)
    }

    @Test func `a manual step gives the image its whole time`() {
        var gallery = show()
        _ = tick(&gallery, 8)
        gallery.press("n")
        gallery.send(.detail(.load(.image(.plain(8, 8), .network))))

        _ = tick(&gallery, 9)
        #expect(gallery.state.detail?.item == 1)
    }
}
