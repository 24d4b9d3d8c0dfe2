import ImageLoading
import Testing
import VirtualTerminal

@testable import Feeds
@testable import GalleryCore
@testable import TerminalUI

@Suite struct QuietRefreshTests {
    private func bound(_ effects: [Effect]) -> [Int] {
        effects.compactMap { effect in
            if case .bind(_, let item, _, _, true) = effect { item } else { nil }
        }
    }

    private func shown(_ count: Int = 3) -> Gallery {
        var gallery = Gallery(count: count)
        for slot in gallery.state.pool.slots.indices {
            gallery.send(.slot(slot, .image(.plain(8, 8), .network)))
        }
        return gallery
    }

    @Test func `the visible images are requested again, and stay meanwhile`() {
        var gallery = shown()

        let effects = gallery.send(.refreshDue)

        #expect(bound(effects).sorted() == [0, 1, 2])
        #expect(gallery.state.pool.shownCount == 3)
    }

    @Test func `F5 asks the server of the selected image, or of the open image`() {
        var gallery = shown()
        gallery.press(.right)

        #expect(bound(gallery.press(.function(5))) == [1])

        gallery.press(.enter)
        gallery.send(.detail(.load(.image(.plain(8, 8), .network))))
        let effects = gallery.press(.function(5))
        #expect(effects.contains(.detail(.open(item: 1, refreshing: true))))
        #expect(bound(effects) == [])
    }

    @Test func `a request that is still running is not repeated`() {
        var gallery = shown()
        gallery.send(.refreshDue)

        #expect(gallery.send(.refreshDue) == [.feed(.reload(isQuiet: true))])
    }

    @Test func `if the server fails, the image stays with the sign that it may be stale`() throws {
        var gallery = shown()
        gallery.send(.refreshDue)

        let slot = try #require(gallery.slot(ofItem: 0))
        gallery.send(.slot(slot, .failed(.notFound)))

        #expect(gallery.state.pool.slot(ofItem: 0)?.cellImage != nil)
        #expect(gallery.state.pool.slot(ofItem: 0)?.shown.isStale == true)
        #expect(gallery.state.pool.failedItems.isEmpty)
        #expect(gallery.lines.contains { $0.contains("Picture 0") && $0.contains("~") })
        // And it is asked for again the next time.
        #expect(bound(gallery.send(.refreshDue)) == [0])
    }

    @Test func `R still reports a failure`() throws {
        var gallery = shown()
        gallery.press("R")
        let slot = try #require(gallery.slot(ofItem: 0))

        gallery.send(.slot(slot, .failed(.notFound)))

        #expect(gallery.state.pool.failedItems == [0])
    }

    @Test func `nothing is refreshed while loading is paused`() {
        var gallery = shown()
        gallery.press("z")

        #expect(gallery.send(.refreshDue).isEmpty)
    }

    @Test func `only the open image is requested, and nothing behind it`() {
        var gallery = shown()
        gallery.press(.enter)
        gallery.send(.detail(.load(.image(.plain(8, 8), .network))))

        #expect(
            gallery.send(.refreshDue)
                == [.detail(.open(item: 0, refreshing: true)), .feed(.reload(isQuiet: true))]
        )
        gallery.send(.detail(.load(.failed(.notFound))))
        #expect(gallery.state.detail?.image != nil)
        #expect(gallery.state.detail?.shown.isStale == true)
    }

    @Test func `local files are not refreshed`() {
        var gallery = Gallery(count: 0)
        let items = [FeedItem(filePath: "/a.png")]
        gallery.send(.feed(.success(Feed(items: items, title: "f"))))
        gallery.send(.slot(0, .image(.plain(8, 8), .disk)))

        #expect(gallery.send(.refreshDue) == [.feed(.reload(isQuiet: true))])
        gallery.press("R")
        #expect(gallery.lines.last?.contains("reloading the files on the screen") == true)
    }
}
