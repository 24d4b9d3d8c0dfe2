import Decoders
import ImageLoading
import Testing
import VirtualTerminal

@testable import Feeds
@testable import GalleryCore
@testable import TerminalUI

@Suite struct CellPoolTests {
    private static let target = PixelSize(width: 17, height: 16)

    private func bind(
        _ slot: Int,
        _ item: Int,
        retrying: Bool = false,
        refreshing: Bool = false
    )
        -> Effect
    {
        .bind(
            slot: slot,
            item: item,
            targetSize: Self.target,
            retrying: retrying,
            refreshing: refreshing
        )
    }

    // F3: the newest request is served first, so the first cell of a screen is requested last.
    @Test func `only the visible cells are bound, the first one last`() {
        let gallery = Gallery()

        #expect(gallery.effects == (0..<8).reversed().map { bind($0, $0) })
    }

    @Test func `nothing is loaded before the screen size is known`() {
        var state = GalleryState(capabilities: .color, settings: GallerySettings())
        let feed = Feed(items: [FeedItem(url: "http://h/1")], title: "f")

        #expect(state.update(.feed(.success(feed))).isEmpty)
        #expect(state.update(.resize(ScreenSize(columns: 80, rows: 24))).count == 1)
    }

    // V2: setting a reused cell cancels what it loaded.
    @Test func `a row that scrolls in takes the slots of the row that left`() {
        var gallery = Gallery()

        let effects = gallery.send(.input(.mouse(.wheelDown)))

        #expect(effects.count == 4)
        #expect(Set(effects.compactMap(\.boundItem)) == [8, 9, 10, 11])
        #expect(Set(effects.compactMap(\.slot)) == [0, 1, 2, 3])
        #expect(gallery.state.pool.slots.count == 8)
    }

    @Test func `unused slots at the end of the feed are unbound`() {
        var gallery = Gallery(count: 10)

        let effects = gallery.press(.end)

        #expect(Set(effects.compactMap(\.boundItem)) == [8, 9])
        #expect(effects.count { if case .unbind = $0 { true } else { false } } == 2)
    }

    @Test func `an image stays in its slot while its cell stays on the screen`() {
        var gallery = Gallery()
        gallery.send(.slot(4, .image(.plain(2, 2), .network)))

        gallery.send(.input(.mouse(.wheelDown)))

        #expect(gallery.state.pool.slots[4].item == 4)
        #expect(gallery.state.pool.slots[4].load == .loaded(.network))
    }

    // The terminal reports pixel support while loads are running: a stopped transfer would start
    // again, although its bytes serve the larger image too.
    @Test func `a running transfer continues, and then the image is loaded larger`() {
        var gallery = Gallery()
        gallery.send(
            .slot(0, .progress(LoadProgress(received: 10, expected: 100))),
            .slot(1, .queued)
        )
        var sharper = ScreenCapabilities.color
        sharper.offeredGraphics = [.kitty]
        sharper.graphics = .kitty

        let restarted = gallery.send(.capabilities(sharper))
        let after = gallery.send(
            .slot(0, .image(.plain(17, 16), .network)),
            .slot(0, .image(.plain(170, 160), .network))
        )

        #expect(restarted.compactMap(\.slot).sorted() == Array(1..<8))
        #expect(after.compactMap(\.slot) == [0])
        #expect(gallery.state.pool.slots[0].load == .loaded(.network))
    }

    // The memory cache has the image, and knows nothing of the file it was made of.
    @Test func `an item that becomes visible again keeps the size of its file`() {
        var gallery = Gallery()
        let slot = gallery.slot(ofItem: 0) ?? -1
        gallery.send(.slot(slot, .progress(LoadProgress(received: 10, expected: 24_000))))
        gallery.send(.slot(slot, .image(.plain(17, 16), .network)))

        gallery.press(.pageDown)
        gallery.press(.pageUp)

        let known =
            gallery.slot(ofItem: 0).map { gallery.state.pool.slots[$0].shown.facts.byteCount }
        #expect(known == 24_000)
        #expect(
            gallery.slot(ofItem: 1).map { gallery.state.pool.slots[$0].shown.facts.byteCount }
                == .some(nil)
        )
    }

    // The previous content of a slot is removed with its item.
    @Test func `a reused slot shows nothing of its earlier item`() {
        var gallery = Gallery()
        gallery.send(.slot(0, .image(.plain(2, 2), .network)))

        gallery.press(.pageDown)

        #expect(gallery.state.pool.slots.allSatisfy { $0.cellImage == nil && $0.load == .asked })
    }

    // V19: the old picture stays as it is until the one of the other size is there.
    @Test func `a resize loads at the other size and keeps the old cells meanwhile`() {
        var gallery = Gallery(count: 1)
        gallery.send(.slot(0, .image(.plain(17, 16), .network)))

        let effects = gallery.send(.resize(ScreenSize(columns: 90, rows: 24)))

        #expect(effects.compactMap(\.boundItem) == [0])
        #expect(effects.compactMap(\.targetSize) != [Self.target])
        #expect(gallery.state.pool.slots[0].cellImage != nil)
        #expect(gallery.state.pool.slots[0].load.isPending)
    }

    @Test func `a resize that does not change the cells loads nothing`() {
        var gallery = Gallery(count: 4)

        #expect(gallery.send(.resize(ScreenSize(columns: 80, rows: 24))).isEmpty)
    }

    @Test func `news for unknown and spare slots is ignored`() {
        var gallery = Gallery(count: 1)
        let before = gallery.lines

        gallery.send(.slot(7, .failed(.notFound)), .slot(-1, .queued))

        #expect(gallery.lines == before)
    }

    @Test func `an item with a problem fails without a load and cannot be retried`() {
        var state = GalleryState(capabilities: .color, settings: GallerySettings())
        let bad = FeedItem(url: "ftp://h", problem: "unknown scheme ftp:")
        let feed = Feed(items: [bad, FeedItem(url: "http://h/1")], title: "f")

        let effects =
            state.update(.resize(ScreenSize(columns: 80, rows: 24)))
            + state.update(.feed(.success(feed)))

        #expect(effects.compactMap(\.boundItem) == [1])
        #expect(state.frame().lines.joined().contains("unknown scheme"))
        #expect(state.update(.input(.key(.character("r")))).isEmpty)
        #expect(state.update(.input(.key(.character("R")))).compactMap(\.boundItem) == [1])
    }

    @Test func `r loads the failed cells again, R all cells past the caches`() {
        var gallery = Gallery(count: 3)
        gallery.send(.slot(1, .failed(.notFound)), .slot(2, .image(.plain(1, 1), .memory)))

        #expect(gallery.press("r") == [bind(1, 1, retrying: true)])
        #expect(
            gallery.press("R")
                == (0..<3).reversed().map { bind($0, $0, retrying: true, refreshing: true) }
        )
    }

    @Test func `X cancels and marks the running loads, so that r can load them again`() {
        var gallery = Gallery(count: 2)
        gallery.send(.slot(0, .image(.plain(1, 1), .memory)))

        #expect(gallery.press("X") == [.loading(.cancelAll)])
        #expect(gallery.state.pool.slots[1].load == .failed(.cancelled))
        #expect(gallery.press("r") == [bind(1, 1, retrying: true)])
    }

    // M15
    @Test func `a refresh keeps the images until the new ones are loaded`() {
        var gallery = Gallery(count: 1)
        gallery.send(.slot(0, .image(.plain(17, 16), .disk)))
        let before = gallery.state.frame()

        gallery.press("R")
        gallery.send(
            .slot(0, .preview(.plain(17, 16))),
            .slot(0, .progress(LoadProgress(received: 1, expected: 2)))
        )
        let during = gallery.state.frame()

        let caption = before.lines.firstIndex { $0.contains("Picture 0") } ?? 0
        for row in 0..<caption {
            for column in 0..<80 { #expect(during[row, column] == before[row, column]) }
        }
        #expect(during.lines[caption].hasSuffix("Picture 0     … ▌"))
        #expect(
            during.lines.last?.contains("reloading the images on the screen from their servers")
                == true
        )
        gallery.send(.slot(0, .image(.plain(17, 16, [1, 2, 3, 255]), .network)))
        let box = gallery.state.grid.layout.imageRect(at: 0)
        let (row, column) = (box.row + box.rows / 2, box.column + box.columns / 2)
        #expect(gallery.state.frame()[row, column] != before[row, column])
        #expect(gallery.lines[caption].hasSuffix("Picture 0     ↓ ▌"))
    }

    @Test func `missing parts of a preview are plain, and transparent parts of an image are not`()
        throws
    {
        let nothing = PixelBuffer(
            size: PixelSize(width: 8, height: 8),
            bytes: Array(repeating: 0, count: 256),
            hasAlpha: true
        )
        var gallery = Gallery(count: 1)

        gallery.send(.slot(0, .preview(DecodedImage(nothing))))
        let preview = try #require(gallery.state.pool.slots[0].cellImage)
        gallery.send(.slot(0, .image(DecodedImage(nothing), .network)))
        let picture = try #require(gallery.state.pool.slots[0].cellImage)

        #expect((0..<preview.columns).allSatisfy { preview[0, $0] == preview[0, 0] })
        #expect(picture[0, 0] != picture[0, 2])
    }

    @Test func `a cancelled refresh keeps the image, and a preview does not replace it`() {
        var gallery = Gallery(count: 2)
        gallery.send(.slot(0, .image(.plain(1, 1), .disk)))
        gallery.send(.slot(1, .preview(.plain(1, 1))))

        gallery.press("RX")

        #expect(gallery.state.pool.slots[0].load == .loaded(.disk))
        #expect(gallery.state.pool.slots[1].load == .failed(.cancelled))
        gallery.send(.slot(0, .failed(.cancelled)), .slot(1, .failed(.cancelled)))
        #expect(gallery.state.pool.slots[0].cellImage != nil)
        #expect(gallery.state.pool.slots[1].cellImage == nil)
    }

    @Test func `progress after the end changes nothing`() {
        var gallery = Gallery(count: 1)
        gallery.send(.slot(0, .image(.plain(1, 1), .memory)))

        gallery.send(.slot(0, .progress(LoadProgress(received: 1, expected: 2))), .slot(0, .queued))

        #expect(gallery.state.pool.slots[0].load == .loaded(.memory))
    }

    @Test func `another feed unbinds the cells of the previous one`() {
        var gallery = Gallery(count: 2)

        let effects = gallery.send(
            .feed(.success(Feed(items: [FeedItem(url: "http://h/x")], title: "other")))
        )

        #expect(effects.contains(.unbind(slot: 0)))
        #expect(effects.contains(.unbind(slot: 1)))
        #expect(effects.last?.boundItem == 0)
    }
}

extension Effect {
    var boundItem: Int? {
        if case .bind(_, let item, _, _, _) = self { item } else { nil }
    }

    var targetSize: PixelSize? {
        if case .bind(_, _, let size, _, _) = self { size } else { nil }
    }

    var slot: Int? {
        switch self {
        case .bind(let slot, _, _, _, _), .unbind(let slot): slot
        default: nil
        }
    }
}
