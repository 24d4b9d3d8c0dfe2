import ImageLoading
import Testing
import VirtualTerminal

@testable import Feeds
@testable import GalleryCore
@testable import TerminalUI

/// Items whose files change.
@Suite struct WatchedItemTests {
    private var pictures = WatchedPictures(title: "w")
    private var gallery = Gallery(count: 0)

    init() throws {
        for number in 0..<4 { pictures.write("/w/\(number).png") }
        let change = pictures.takeChange()
        gallery.send(.feedChanged(try #require(change).feed))
        for slot in gallery.state.pool.slots.indices {
            gallery.send(.slot(slot, .image(.plain(8, 8), .disk)))
        }
    }

    private mutating func tell() throws -> [Effect] {
        let taken = pictures.takeChange()
        let change = try #require(taken)
        return gallery.send(.feedChanged(change.feed, items: change.items))
    }

    @Test mutating func `an image that is written again stays until its new content is loaded`()
        throws
    {
        let before = gallery.state.pool.slot(ofItem: 1)?.cellImage
        #expect(before != nil)

        pictures.write("/w/1.png")
        let effects = try tell()

        let slot = try #require(gallery.slot(ofItem: 1))
        #expect(
            effects.contains { effect in
                if case .bind(slot, 1, _, _, _) = effect { true } else { false }
            }
        )
        #expect(effects.count { if case .bind = $0 { true } else { false } } == 1)
        #expect(gallery.state.pool.slot(ofItem: 1)?.cellImage == before)
        gallery.send(.slot(slot, .image(.plain(8, 8, [0, 0, 255, 255]), .disk)))
        #expect(gallery.state.pool.slot(ofItem: 1)?.cellImage != before)
    }

    @Test mutating func `a deleted image leaves a trace that is not a failure`() throws {
        pictures.delete("/w/2.png")
        let effects = try tell()

        let slot = try #require(gallery.slot(ofItem: 2))
        #expect(effects.contains(.unbind(slot: slot)))
        #expect(gallery.state.pool.failedItems.isEmpty)
        #expect(gallery.lines.contains { $0.contains("deleted") })
        #expect(gallery.lines.contains { $0.contains("2.png") && $0.contains("–") })

        pictures.write("/w/2.png")
        _ = try tell()
        #expect(!gallery.lines.contains { $0.contains("deleted") })
    }

    @Test mutating func `a renamed image has its new name and stays`() throws {
        let before = gallery.state.pool.slot(ofItem: 0)?.cellImage

        pictures.rename("/w/0.png", to: "/w/new.png")
        let effects = try tell()

        #expect(effects.isEmpty)
        #expect(gallery.lines.contains { $0.contains("new.png") })
        #expect(gallery.state.pool.slot(ofItem: 0)?.cellImage == before)
    }

    @Test mutating func `the open image is loaded again, and outlives its file`() throws {
        gallery.press(.end, .enter)
        gallery.send(.detail(.load(.image(.plain(8, 8), .disk))))

        pictures.write("/w/0.png")
        let rewritten = try tell()
        #expect(rewritten.contains(.detail(.open(item: 0, refreshing: false))))
        #expect(gallery.state.detail?.image != nil)

        pictures.delete("/w/0.png")
        let deleted = try tell()
        #expect(!deleted.contains(.detail(.close)))
        #expect(gallery.state.detail?.image != nil)
        #expect(gallery.lines.last?.contains("was deleted") == true)
    }

    @Test mutating func `the newest image is first, and followed while the grid is at the top`()
        throws
    {
        #expect(gallery.state.visibleItems == [3, 2, 1, 0])
        #expect(gallery.state.selectedItem == 3)

        pictures.write("/w/4.png")
        let effects = try tell()

        #expect(gallery.state.selectedItem == 4)
        #expect(gallery.state.visibleItems == [4, 3, 2, 1, 0])
        let bound = effects.filter { if case .bind = $0 { true } else { false } }
        #expect(bound.count == 1)
    }

    @Test mutating func `nothing moves if the user has selected an image`() throws {
        for number in 4..<100 { pictures.write("/w/\(number).png") }
        _ = try tell()
        gallery.press(.right, .down, .down, .down)
        let (item, shown) = (gallery.state.selectedItem, gallery.state.visibleItems)

        for number in 100..<333 {
            pictures.write("/w/\(number).png")
            _ = try tell()
            #expect(gallery.state.selectedItem == item)
            #expect(gallery.state.visibleItems == shown)
        }

        // 333 less 1: rows of four, of which the first isn't whole.
        #expect(gallery.state.grid.order.count == 332)
        #expect(gallery.lines.last?.contains("/332 of 333+") == true)
        gallery.press("g")
        #expect(gallery.state.selectedItem == 332)
        #expect(gallery.state.grid.order.count == 333)
    }

    @Test mutating func `an open image stays while others arrive`() throws {
        gallery.press(.enter)

        for number in 4..<9 { pictures.write("/w/\(number).png") }
        _ = try tell()

        #expect(gallery.state.detail?.item == 3)
        #expect(gallery.state.selectedItem == 3)
        gallery.press("n")
        #expect(gallery.state.detail?.item == 2)
    }

    @Test func `an empty folder reports that it waits for images`() throws {
        var gallery = Gallery(count: 0)
        var none = WatchedPictures(title: "w")

        let change = none.takeChange()

        gallery.send(.feedChanged(try #require(change).feed))

        #expect(gallery.lines.contains { $0.contains("No images yet.") })
        #expect(gallery.lines.last?.hasPrefix(" 0/0+") == true)
    }
}
