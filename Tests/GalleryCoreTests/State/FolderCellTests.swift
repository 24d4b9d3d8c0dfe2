import BitCollections
import Decoders
import ImageLoading
import Testing
import VirtualTerminal

@testable import Feeds
@testable import GalleryCore
@testable import TerminalUI

@Suite struct FolderCellTests {
    /// Opens a folder with two subfolders, "b/" and "c/", and three images.
    private func gallery(images: Int = 3, columns: Int = 80, rows: Int = 24) -> Gallery {
        var gallery = Gallery(count: 0, columns: columns, rows: rows)
        let folders = ["/a/b", "/a/c"].map { FeedItem(folderPath: $0) }
        let files = (0..<images).map { FeedItem(filePath: "/a/\($0).jpg") }
        var feed = Feed(items: folders + files, title: "a")
        feed.folder = FeedFolder(path: "/a", folderCount: 2)
        gallery.send(.feed(.success(feed)))
        return gallery
    }

    private func isOpening(_ effects: [Effect], _ path: String) -> Bool {
        effects.contains { effect in
            if case .feed(.openFolder(let request)) = effect {
                request.target == path
            } else {
                false
            }
        }
    }

    @Test(arguments: [Key.enter, .character(" ")])
    func `Enter and Space enter the selected folder`(key: Key) {
        var gallery = gallery()

        let effects = gallery.press(.right, key)

        #expect(isOpening(effects, "/a/c"))
        #expect(gallery.state.detail == nil)
    }

    @Test func `a double click enters a folder`() {
        var gallery = gallery()
        let rect = gallery.state.grid.layout.imageRect(at: 1)

        let effects = gallery.send(.input(.mouse(.doublePress(row: rect.row, column: rect.column))))

        #expect(isOpening(effects, "/a/c"))
    }

    @Test func `Backspace leaves an entered folder, and arrows never do`() {
        var gallery = gallery()
        var inner = Feed(items: [FeedItem(filePath: "/a/b/x.png")], title: "b")
        inner.folder = FeedFolder(path: "/a/b")
        gallery.send(.feed(.success(inner)))

        #expect(!isOpening(gallery.press(.left, .up) + gallery.press("hk"), "/a"))
        #expect(isOpening(gallery.press(.backspace), "/a"))
    }

    @Test func `Backspace in the first folder says that it was opened first`() {
        var gallery = gallery()
        #expect(gallery.press(.backspace).isEmpty)
        #expect(gallery.state.notice?.text == "this is the folder that was opened first")
    }

    @Test func `a cell shows the name of its folder and the number of its images`() throws {
        var gallery = gallery()
        let slot = try #require(gallery.slot(ofItem: 0))

        gallery.send(.cover(slot, .listed(FolderContents(imageCount: 12))))
        gallery.send(.cover(slot, .finished(DecodedImage.plain(40, 30).pixels)))

        #expect(gallery.lines.contains { $0.contains("▤ b/") && $0.contains("12") })
        #expect(gallery.lines.last?.contains("12 images") == true)
        #expect(gallery.state.pool.slots[slot].cellImage != nil)
    }

    @Test func `the number of images beyond the limit is shown with a plus sign`() {
        #expect(FolderContents(imageCount: 1000, isIncomplete: true).countText == "1,000+")
        #expect(FolderContents(imageCount: 1000).countText == "1,000")
        let unknown = FolderContents(imageCount: 0, isIncomplete: true)
        #expect(unknown.countText == nil)
        #expect(FolderCell(contents: unknown).lines == ["no images found"])
        #expect(FolderCell(contents: FolderContents(imageCount: 0)).lines == ["no images"])
    }

    @Test func `a folder without images shows the number of its folders`() throws {
        var gallery = gallery()
        let slot = try #require(gallery.slot(ofItem: 0))

        gallery.send(.cover(slot, .listed(FolderContents(imageCount: 0, folderCount: 3))))
        gallery.send(.cover(slot, .finished(nil)))

        #expect(gallery.lines.contains { $0.contains("no images") })
        #expect(gallery.lines.contains { $0.contains("3 folders") })
        #expect(gallery.state.pool.failedItems.isEmpty)
    }

    @Test func `a folder that cannot be read says why, and can be retried`() throws {
        var gallery = gallery()
        let slot = try #require(gallery.slot(ofItem: 1))

        gallery.send(.cover(slot, .unreadable("Permission denied")))

        #expect(gallery.lines.joined().contains("Permission"))
        #expect(gallery.state.pool.failedItems == [1])
        let retried = gallery.press("r").contains { effect in
            if case .bind(slot, 1, _, true, _) = effect { true } else { false }
        }
        #expect(retried)
    }

    @Test func `the images of covers count as loaded, and the cover itself does not`() throws {
        var gallery = gallery()
        let slot = try #require(gallery.slot(ofItem: 0))

        gallery.send(.cover(slot, .loaded(from: .disk)), .cover(slot, .loaded(from: .memory)))
        gallery.send(.cover(slot, .finished(DecodedImage.plain(4, 3).pixels)))

        #expect(gallery.state.pool.arrivals == [.disk: 1, .memory: 1])
    }

    @Test func `a cover still fills its cell if the terminal then reports other cell pixels`() {
        var area = ImageArea(box: ScreenSize(columns: 8, rows: 4), capabilities: .color)
        area.capabilities.cellPixels = PixelSize(width: 10, height: 20)
        var slot = CellSlot()
        _ = slot.bind(item: 0, FeedItem(folderPath: "/a/b"), isFolder: true)
        let cover = DecodedImage.plain(80, 80).pixels
        slot.apply(CoverEvent.finished(cover), in: area)

        area.capabilities.cellPixels = PixelSize(width: 10, height: 40)
        slot.render(in: area)

        #expect(slot.cellImage?.columns == 8)
        #expect(slot.cellImage?.rows == 4)
    }

    @Test func `a cover that arrives for the cell of an image is ignored`() throws {
        var gallery = gallery()
        let slot = try #require(gallery.slot(ofItem: 2))
        gallery.send(
            .cover(slot, .finished(DecodedImage.plain(4, 3).pixels)),
            .cover(99, .finished(nil))
        )
        #expect(gallery.state.pool.slots[slot].cellImage == nil)
    }

    @Test func `folders are not marked, deleted, saved, labeled or opened elsewhere`() {
        var gallery = gallery()
        for key in ["m", "D", "w", "o", "!", "|"] {
            #expect(gallery.press(key).allSatisfy { !isExternal($0) }, "\(key)")
            #expect(gallery.state.notice?.text == "this is a folder, not an image", "\(key)")
            #expect(gallery.state.prompt.overlay == nil)
        }
        gallery.press(.control("a"))
        #expect(Array(gallery.state.choices.marks) == [2, 3, 4])
        gallery.press(.control("r"))
        #expect(gallery.state.choices.marks.isEmpty)
    }

    private func isExternal(_ effect: Effect) -> Bool {
        if case .external = effect { true } else { false }
    }

    @Test func `an open image steps to images only`() {
        var gallery = gallery()
        gallery.press(.right, .right, .enter)
        #expect(gallery.state.detail?.item == 2)
        gallery.press("p")
        #expect(gallery.state.detail?.item == 2)
        gallery.press("G")
        gallery.press("g")
        #expect(gallery.state.detail?.item == 2)
        gallery.press("1G")
        #expect(gallery.state.detail?.item == 2)
    }

    @Test(arguments: [SortKey.name, .date, .random, .feed], [false, true])
    func `folders come first in every order`(key: SortKey, isReversed: Bool) throws {
        let feed = try #require(gallery().state.currentFeed)
        var arranger = FeedArranger(feed: feed, file: { _ in nil })
        var arrangement = ItemArrangement()
        arrangement.key = key
        arrangement.isReversed = isReversed

        let found = arranger.order(arrangement, known: KnownItems()) { false }

        let order = try #require(found)
        #expect(Set((0..<2).map { order[$0] }) == [0, 1])
        #expect(order.count == 5)
    }

    @Test func `a random sample has all folders, and its number of images`() throws {
        let feed = try #require(gallery().state.currentFeed)
        var arranger = FeedArranger(feed: feed, file: { _ in nil })
        var arrangement = ItemArrangement()
        arrangement.key = .random
        arrangement.sampleCount = 2

        let found = arranger.order(arrangement, known: KnownItems()) { false }

        let order = try #require(found)
        #expect(Set((0..<2).map { order[$0] }) == [0, 1])
        #expect(order.count == 4)
    }

    @Test func `F5 reads a visible folder again, and its cover stays until then`() throws {
        var gallery = gallery()
        let slot = try #require(gallery.slot(ofItem: 0))
        gallery.send(.cover(slot, .finished(DecodedImage.plain(4, 3).pixels)))

        let bound = gallery.press(.function(5)).filter { effect in
            if case .bind(_, 0...1, _, true, true) = effect { true } else { false }
        }

        #expect(bound.count == 1, "the second folder is still being read")
        #expect(gallery.state.pool.slots[slot].cellImage != nil)
    }

    @Test func `the loads of covers are not shown in the lanes, where they would never end`() {
        let state = gallery().state
        let imageCount = state.pool.slots.count { $0.item != nil && $0.folder == nil }

        #expect(imageCount > 0)
        #expect(state.lanes.transfers.pendingCount == imageCount)
    }

    @Test func `a slideshow starts with an image, and never shows its only image again`() {
        var gallery = gallery(images: 1)
        gallery.press(.right, .right, .enter, .character("a"))
        gallery.send(.detail(.load(.image(.plain(8, 8), .disk))))

        let effects = (0..<100).flatMap { _ in gallery.send(.tick) }

        #expect(gallery.state.detail?.item == 2)
        #expect(!effects.contains(.detail(.open(item: 2, refreshing: false))))
    }

    @Test func `a folder whose reload fails is left if it no longer exists`() {
        var gallery = gallery()
        var inner = Feed(items: [FeedItem(filePath: "/a/b/x.png")], title: "b")
        inner.folder = FeedFolder(path: "/a/b")
        gallery.send(.feed(.success(inner)))

        let effects = gallery.send(.reloaded(FeedReload(change: nil, faults: ["b: not there"])))

        let expected = FolderRequest(target: nil, current: "/a/b", ancestors: ["/a"])
        #expect(effects.contains(.feed(.openFolder(expected))))
    }

    @Test func `names with control characters and 255 bytes fit into the smallest screen`() throws {
        for name in ["a\u{1B}[31mb\n\u{7}", String(repeating: "n", count: 255), "\u{202E}x"] {
            var gallery = Gallery(count: 0, columns: 20, rows: 5)
            var feed = Feed(items: [FeedItem(folderPath: "/a/\(name)")], title: "a")
            feed.folder = FeedFolder(path: "/a", folderCount: 1)
            gallery.send(.feed(.success(feed)))
            let slot = try #require(gallery.slot(ofItem: 0))
            gallery.send(.cover(slot, .listed(FolderContents(imageCount: 7, folderCount: 1))))
            gallery.send(.cover(slot, .finished(nil)))

            #expect(gallery.lines.count == 5)
            #expect(gallery.lines.allSatisfy { $0.count <= 20 && !$0.contains("\u{1B}") })
        }
    }
}
