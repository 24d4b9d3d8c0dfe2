import ImageLoading
import Testing

@testable import GalleryCore

/// Whole screens, as text.
@Suite struct GridFrameTests {
    /// Items 0 to 4 as: failed, queued, half loaded, loaded from disk, only asked for.
    private func gallery(_ columns: Int, _ rows: Int, _ capabilities: ScreenCapabilities) -> Gallery
    {
        var gallery = Gallery(columns: columns, rows: rows, capabilities: capabilities)
        let updates: [(Int, LoadEvent)] = [
            (0, .failed(.notFound)), (1, .queued),
            (2, .progress(LoadProgress(received: 50_000, expected: 100_000))),
            (3, .image(.plain(4, 4), .disk)),
        ]
        for (item, update) in updates {
            guard let slot = gallery.slot(ofItem: item) else { continue }
            gallery.send(.slot(slot, update))
        }
        return gallery
    }

    // V7
    @Test func `an 80 by 24 screen holds four by two cells with every state`() {
        let lines = gallery(80, 24, .color).lines

        #expect(
            lines == [
                "▐", "▐", "▐", "▐",
                "▐         ✗                queued          ███████▌                 ▀▀▀▀",
                "▐   404 not found                            50%  50 kB             ▀▀▀▀",
                "▐", "▐", "▐", "▐",
                "▐✗ Picture 0           Picture 1           Picture 2         ■ Picture 3",
                "", "", "", "", "",
                "          ·                   ·                   ·                   ·",
                "", "", "", "", "",
                "   Picture 4           Picture 5           Picture 6           Picture 7",
                " 1/100  live 0  queued 0  failed 0  mem 0/0 B -  disk 0/0 B  cut 0/0 B   ? help",
            ]
        )
    }

    @Test func `a 40 by 12 screen holds two cells`() {
        let lines = gallery(40, 12, .plain).lines

        #expect(
            lines == [
                "|", "|", "|", "|",
                "|         x                queued",
                "|   404 not found",
                "|", "|", "|", "|",
                "|x Picture 0           Picture 1",
                " 1/100  v0 q0 x0  mem 0/0 B -  d0  -0",
            ]
        )
    }

    @Test func `a 20 by 5 screen holds one cell and the position`() {
        let lines = gallery(20, 5, .plain).lines

        #expect(
            lines == [
                "|         x", "|   404 not found", "|", "|x Picture 0",
                " 1/100  v0 q0 x0",
            ]
        )
    }

    @Test(arguments: [(19, 24), (80, 4), (1, 1), (5, 2)])
    func `a smaller screen says so and loads nothing`(columns: Int, rows: Int) {
        let gallery = Gallery(columns: columns, rows: rows)

        #expect(gallery.effects.isEmpty)
        let text = gallery.lines.joined()
        #expect(columns < 16 || text.contains("window too small"))
    }

    @Test func `before the feed has come the screen says it is read`() {
        let state = GalleryState(capabilities: .color, settings: GallerySettings())

        #expect(state.frame().lines.joined().contains("reading the feed…"))
    }

    @Test func `a feed that can't be read is explained in place of the grid`() {
        var gallery = Gallery()

        gallery.send(.feed(.failure(FeedError(name: "x.txt", fault: "is a picture, not a feed"))))

        #expect(gallery.lines.joined(separator: " ").contains("x.txt: is a picture, not a feed"))
    }

    // F28: nothing flashes before the loader has something to say.
    @Test func `a cell that was only asked for shows its caption and a dot`() {
        let gallery = Gallery(count: 1)

        let text = gallery.lines.joined()

        #expect(text.contains("Picture 0"))
        #expect(text.contains("·"))
        #expect(!text.contains("%"))
    }

    @Test func `each source has its own mark, in ASCII too`() {
        for (capabilities, marks) in [(ScreenCapabilities.color, "●■↓"), (.plain, "mdn")] {
            var gallery = Gallery(count: 3, capabilities: capabilities)
            for (item, source) in ImageSource.allCases.enumerated() {
                gallery.send(.slot(gallery.slot(ofItem: item)!, .image(.plain(1, 1), source)))
            }

            let captions = gallery.lines[10]

            #expect(marks.allSatisfy { captions.contains($0) }, "\(captions)")
        }
    }

    @Test(arguments: ColorDepth.allCases, ["", "s", "?", "C", "5", "w", " "])
    func `an ASCII terminal gets nothing but ASCII`(depth: ColorDepth, keys: String) {
        let capabilities = ScreenCapabilities(colorDepth: depth, symbols: .ascii)
        var gallery = gallery(80, 24, capabilities)
        gallery.press(keys)

        let frame = gallery.state.frame()

        #expect(frame.cells.allSatisfy { $0.scalar >= 0x20 && $0.scalar < 0x7F })
    }
}
