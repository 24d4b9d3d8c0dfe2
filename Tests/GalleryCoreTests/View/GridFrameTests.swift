import ImageLoading
import Testing
import VirtualTerminal

@testable import Feeds
@testable import GalleryCore
@testable import TerminalUI

/// Whole screens, as text.
@Suite struct GridFrameTests {
    // V7
    @Test func `a bar at the end of the caption fills in eighths as bytes arrive`() {
        let lines = Scene.gallery(80, 24, .color).lines

        #expect(lines[10].contains("▐ harbour-pa…-2019.png ✗ ▌  hillside-s…t.jpg ██▌  "))
    }

    @Test(arguments: [(19, 24), (80, 4), (1, 1), (9, 2)])
    func `a smaller screen shows a message and loads nothing`(columns: Int, rows: Int) {
        let gallery = Gallery(columns: columns, rows: rows)

        #expect(gallery.effects.isEmpty)
        let text = gallery.lines.joined()
        #expect(columns < 16 || text.contains("needs 20×5"))
    }

    @Test func `before the feed is received the screen shows that it is being read`() {
        let state = GalleryState(capabilities: .color, settings: GallerySettings())

        #expect(state.frame().lines.joined().contains("reading the feed…"))
    }

    @Test func `an unreadable feed is explained instead of the grid`() {
        var gallery = Gallery()

        gallery.send(.feed(.failure(FeedError(name: "x.txt", fault: "is an image, not a feed"))))

        #expect(gallery.lines.joined(separator: " ").contains("x.txt: is an image, not a feed"))
    }

    @Test func `a feed without images reports it and suggests others`() {
        let lines = Gallery(count: 0).lines

        #expect(lines[10].hasSuffix("   No images here."))
        #expect(lines[11].hasSuffix("   termgallery demo shows some."))
    }

    // F28: nothing flashes before the loader has something to say.
    @Test func `a load is shown as waiting only after it has waited for a while`() {
        var gallery = Gallery(count: 1)
        gallery.send(.slot(0, .queued))
        #expect(gallery.lines.joined().contains("Picture 0"))
        #expect(!gallery.lines.joined().contains("·"))
        #expect(gallery.state.needsTicks)

        gallery.send(.tick, .tick)

        #expect(gallery.lines.joined().contains("Picture 0     ·"))
    }

    @Test func `loads waiting because of a pause show that`() {
        var gallery = Gallery(count: 1)

        gallery.press("z")

        #expect(gallery.lines.joined().contains("Picture 0     ‖"))
    }

    @Test func `each source has its own sign, in ASCII too`() {
        for (capabilities, signs) in [(ScreenCapabilities.color, "●■↓"), (.plain, "mdn")] {
            var gallery = Gallery(count: 3, capabilities: capabilities)
            for (item, source) in ImageSource.allCases.enumerated() {
                let slot = gallery.slot(ofItem: item) ?? 0
                gallery.send(.slot(slot, .image(.plain(1, 1), source)))
            }

            let captions = gallery.lines.first { $0.contains("Picture 0") } ?? ""

            #expect(signs.allSatisfy { captions.contains($0) }, "\(captions)")
        }
    }

    @Test func `a local file needs no sign`() {
        var gallery = Gallery(count: 0)
        let items = [FeedItem(filePath: "/pictures/a.jpg"), FeedItem(filePath: "/pictures/b.jpg")]
        gallery.send(.feed(.success(Feed(items: items, title: "folder"))))

        gallery.send(.slot(0, .image(.plain(1, 1), .disk)), .slot(1, .image(.plain(1, 1), .memory)))

        #expect(gallery.lines.contains { $0.hasSuffix("▐ a.jpg           ▌  b.jpg") })
    }

    @Test func `stale and incomplete images are distinguished from others`() {
        var gallery = Gallery(count: 2)
        gallery.send(.slot(0, .image(.plain(4, 4), .disk, isStale: true)))
        gallery.send(.slot(1, .preview(.plain(4, 4))))
        let lost = ImageLoadingError(
            stage: .download,
            kind: .transient,
            reason: .transport(TransferFailure(.connectionLost))
        )
        gallery.send(.slot(1, .failed(lost)))

        let captions = gallery.lines.first { $0.contains("Picture 0") } ?? ""
        #expect(captions.contains("Picture 0     ~"))
        #expect(captions.contains("Picture 1     ◐"))
        #expect(gallery.state.pool.slots[1].cellImage != nil)
    }

    @Test(arguments: ColorDepth.allCases, ["", "s", "?", "C", "5", "w", " ", ":12"])
    func `an ASCII terminal gets only ASCII`(depth: ColorDepth, keys: String) {
        for (columns, rows) in Scene.sizes {
            let capabilities = ScreenCapabilities(colorDepth: depth, symbols: .ascii)
            var gallery = Scene.gallery(columns, rows, capabilities)
            gallery.press(keys)

            let frame = gallery.state.frame()

            #expect(frame.cells.allSatisfy { $0.scalar >= 0x20 && $0.scalar < 0x7F })
        }
    }
}
