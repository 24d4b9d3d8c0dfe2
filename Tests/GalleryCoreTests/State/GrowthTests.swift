@testable import Feeds
@testable import GalleryCore
@testable import TerminalUI
import Testing
import VirtualTerminal

@Suite struct GrowthTests {
    private func feed(_ count: Int, isOpen: Bool = true) -> Feed {
        let items = (0..<count).map {
            FeedItem(url: "http://h/\($0).jpg", caption: "Picture \($0)")
        }
        var feed = Feed(items: items, title: "test")
        feed.isOpen = isOpen
        return feed
    }

    @Test func `added items are loaded where visible, and nothing is loaded again`() {
        var gallery = Gallery(count: 0)
        gallery.send(.feed(.success(feed(3))))

        let effects = gallery.send(.feedChanged(feed(20)))

        let bound = effects.compactMap { effect -> Int? in
            if case .bind(_, let item, _, _, _) = effect { item } else { nil }
        }
        #expect(bound.sorted() == [3, 4, 5, 6, 7])
        #expect(gallery.state.itemCount == 20)
    }

    @Test func `the selection, the position and the size of tiles stay`() {
        var gallery = Gallery(count: 0, tileWidth: nil)
        gallery.send(.feed(.success(feed(30))))
        gallery.press(.pageDown, .right)
        let (item, topRow) = (gallery.state.selectedItem, gallery.state.grid.topRow)
        let box = gallery.state.grid.layout.imageBox

        for count in [31, 500, 100_000] { gallery.send(.feedChanged(feed(count))) }
        gallery.send(.feedChanged(feed(100_001, isOpen: false)))

        #expect(gallery.state.selectedItem == item)
        #expect(gallery.state.grid.topRow == topRow)
        #expect(gallery.state.grid.layout.imageBox == box)
    }

    @Test func `a list that may grow is laid out as a long one`() {
        var open = Gallery(count: 0, tileWidth: nil)
        open.send(.feed(.success(feed(1))))
        var long = Gallery(count: 0, tileWidth: nil)
        long.send(.feed(.success(feed(1000))))

        #expect(open.state.grid.layout.imageBox == long.state.grid.layout.imageBox)
    }

    @Test func `the status bar reports that there may be more items`() {
        var gallery = Gallery(count: 0)

        gallery.send(.feed(.success(feed(6))))
        #expect(gallery.lines.last?.hasPrefix(" 1/6+") == true)
        gallery.send(.feedChanged(feed(9, isOpen: false)))
        #expect(gallery.lines.last?.hasPrefix(" 1/9 ") == true)
    }

    @Test func `the open image stays open while the feed grows`() {
        var gallery = Gallery(count: 3)
        gallery.press(.right, .enter)

        let effects = gallery.send(.feedChanged(feed(4)))

        #expect(gallery.state.detail?.item == 1)
        #expect(!effects.contains(.detail(.close)))
    }
}
