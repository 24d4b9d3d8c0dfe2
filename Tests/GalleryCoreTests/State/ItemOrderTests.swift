import ImageLoading
import Testing
import VirtualTerminal

@testable import Feeds
@testable import GalleryCore
@testable import TerminalUI

@Suite struct ItemOrderTests {
    private let some = ItemOrder(items: [2, 5, 9, 40], isAscending: true)
    private let mixed = ItemOrder(items: [9, 2, 40, 5], isAscending: false)

    @Test func `positions and items find each other`() {
        let feed = ItemOrder(feedCount: 50)
        #expect(feed.count == 50)
        #expect(feed[7] == 7)
        #expect(feed.position(of: 7) == 7)
        #expect(feed.position(of: 50) == nil)
        for order in [some, mixed] {
            for position in 0..<4 { #expect(order.position(of: order[position]) == position) }
            #expect(order.position(of: 3) == nil)
            #expect(order.position(of: 41) == nil)
        }
    }

    @Test func `the selected item stays selected, or else its neighbor is`() {
        var gallery = Gallery()
        gallery.press("6g")

        _ = gallery.state.show(some)
        #expect(gallery.state.selectedItem == 5)
        #expect(gallery.lines.last?.hasPrefix(" 2/4 of 100  Picture 5 ") == true)
        _ = gallery.state.show(ItemOrder(items: [0, 3, 7, 8], isAscending: true))
        #expect(gallery.state.selectedItem == 7)
        _ = gallery.state.show(ItemOrder(items: [0], isAscending: true))
        #expect(gallery.state.selectedItem == 0)
        _ = gallery.state.show(ItemOrder(items: [], isAscending: true))
        #expect(gallery.state.selectedItem == nil)
        _ = gallery.state.show(ItemOrder(feedCount: 100))
        #expect(gallery.state.selectedItem == 0)
    }

    @Test func `an image that moves on the screen is not loaded again`() {
        var gallery = Gallery()
        let slots = (0..<8).map { gallery.slot(ofItem: $0) }

        let effects = gallery.state.show(
            ItemOrder(items: [7, 6, 5, 4, 3, 2, 1, 50], isAscending: false)
        )

        #expect(effects.compactMap(\.boundItem) == [50])
        for item in 1..<8 { #expect(gallery.slot(ofItem: item) == slots[item]) }
        #expect(gallery.state.visibleItems == [7, 6, 5, 4, 3, 2, 1, 50])
    }

    @Test func `tiles keep their size if there are fewer images`() {
        var gallery = Gallery(tileWidth: nil)
        let box = gallery.state.grid.layout.imageBox

        _ = gallery.state.show(ItemOrder(items: [3], isAscending: true))

        #expect(gallery.state.grid.layout.imageBox == box)
        gallery.send(.resize(ScreenSize(columns: 80, rows: 24)))
        #expect(gallery.state.grid.layout.imageBox == box)
    }

    @Test func `opening, stepping and prefetching follow the shown order`() {
        var gallery = Gallery()
        _ = gallery.state.show(mixed)
        gallery.press(.home)

        #expect(gallery.press(.enter).contains(.detail(.open(item: 9, refreshing: false))))
        #expect(gallery.press("n").contains(.detail(.open(item: 2, refreshing: false))))
        #expect(gallery.press("n").contains(.detail(.open(item: 40, refreshing: false))))
        #expect(gallery.press("p").contains(.detail(.open(item: 2, refreshing: false))))
    }

    @Test func `the next items of the order are prefetched`() {
        var gallery = Gallery()
        let reversed = ItemOrder(items: (0..<100).reversed().map(UInt32.init), isAscending: false)
        _ = gallery.state.show(reversed)
        gallery.press(.home)
        for slot in 0..<8 {
            gallery.send(.slot(slot, .image(.plain(4, 4), .network)))
        }

        let effects = gallery.send(.tick, .tick, .tick)

        let requests = effects.compactMap { effect in
            if case .prefetch(.load(let request?)) = effect { request } else { nil }
        }
        #expect(requests.last?.soon.first == 91)
    }
}
