import Testing
import VirtualTerminal

@testable import Feeds
@testable import GalleryCore
@testable import TerminalUI

@Suite struct AutoScrollTests {
    /// The top row after each tick that moved it, from the top of a feed of four rows.
    @Test func `the grid scrolls a row per interval, and at the end turns around`() {
        var gallery = Gallery(count: 16)
        gallery.press("a")
        var rows: [Int] = []

        for _ in 0..<6 {
            for _ in 0..<8 { gallery.send(.tick) }
            rows.append(gallery.state.grid.topRow)
        }

        #expect(rows == [1, 2, 1, 0, 1, 2])
    }

    @Test func `the frame timer runs only while something moves automatically`() {
        var gallery = Gallery(count: 16)
        // A new screen is a movement, which is followed until it rests.
        #expect(gallery.state.needsTicks)
        gallery.send(.tick, .tick)
        #expect(!gallery.state.needsTicks)

        gallery.press("a")
        #expect(gallery.state.needsTicks)

        gallery.state.notice = nil
        gallery.press("?")
        #expect(!gallery.state.needsTicks)
        gallery.press(.escape)
        gallery.press(.enter)
        #expect(!gallery.state.needsTicks)
        gallery.press(.escape)
        #expect(gallery.state.needsTicks)

        gallery.press("a")
        gallery.state.notice = nil
        #expect(!gallery.state.needsTicks)
    }

    @Test func `if everything is on the screen, nothing scrolls`() {
        var gallery = Gallery(count: 8)
        gallery.send(.tick, .tick)

        gallery.press("a")

        #expect(gallery.state.grid.autoScroll == nil)
        #expect(gallery.lines.last?.contains("nothing to scroll") == true)
    }

    @Test func `automatic scrolling can be on from the start`() {
        var state = GalleryState(
            capabilities: .color,
            settings: GallerySettings(tileWidth: 17, scrollsByItself: true, ticksPerRow: 1)
        )
        #expect(!state.needsTicks)
        let items = (0..<50).map { FeedItem(url: "http://h/\($0)") }
        _ = state.update(.resize(ScreenSize(columns: 80, rows: 24)))
        _ = state.update(.feed(.success(Feed(items: items, title: "f"))))

        #expect(state.needsTicks)
        #expect(state.update(.tick).compactMap(\.boundItem) == [11, 10, 9, 8])
        #expect(state.grid.topRow == 1)
    }
}
