import Testing
import VirtualTerminal

@testable import Feeds
@testable import GalleryCore
@testable import TerminalUI

@Suite struct WideSignTests {
    private func capabilities(
        missing: Set<Character> = [],
        isWide: Bool = false
    )
        -> ScreenCapabilities
    {
        var capabilities = ScreenCapabilities(
            colorDepth: .ansi16,
            symbols: isWide ? .ascii : .halfBlocks
        )
        capabilities.hasWideSigns = isWide
        capabilities.keepsLetters = true
        capabilities.missingSigns = missing
        return capabilities
    }

    @Test func `letters of ambiguous width have the columns that the terminal gives them`() {
        let wide = FrameText("Жa é×猫", on: capabilities(isWide: true))
        let usual = FrameText("Жa é×猫", on: capabilities())

        #expect(wide.columns == [0x416, 0, 0x61, 0x20, 0xE9, 0, 0xD7, 0, 0x732B, 0])
        #expect(usual.columns == [0x416, 0x61, 0x20, 0xE9, 0xD7, 0x732B, 0])
        #expect(FrameText("Ж🚀abcdef", limit: 5, on: capabilities(isWide: true)).text == "Ж...")
    }

    // From the width table of Unicode; marks have no width, regardless of the table.
    @Test(
        arguments: [
            (0xA1, true), (0xB7, true), (0xD7, true), (0x3B1, true), (0x2026, true), (0x2584, true),
            (0x25CF, true), (0x300, false), (0x41, false), (0x1100, false), (0x2800, false),
            (0x2596, false), (0x732B, false), (0x1FB00, false),
        ] as [(UInt32, Bool)]
    )
    func `the table contains the ambiguous characters`(value: UInt32, isAmbiguous: Bool) throws {
        #expect(AmbiguousWidth.holds(try #require(Unicode.Scalar(value))) == isAmbiguous)
    }

    /// The grid with every state of a cell, an open picture, the statistics, the help and the trace.
    private func characters(_ capabilities: ScreenCapabilities) -> Set<Character> {
        var characters: Set<Character> = []
        for keys in ["", "m", " ", "s", "ss", "?", "?\u{6}", "t", "/8", "f"] {
            for (columns, rows) in [(80, 24), (200, 60)] {
                var gallery = Scene.gallery(columns, rows, capabilities)
                gallery.press(keys)
                characters.formUnion(gallery.state.frame().lines.joined())
            }
        }
        return characters
    }

    @Test func `a console is sent only symbols of its font`() {
        // The kernel's own font.
        let missing = Set("●…◐‖✗–▸▂▏▎▍▊▋▉▁▃▅▆▇")
        let shown = characters(capabilities(missing: missing))

        #expect(shown.intersection(missing).isEmpty)
        #expect(shown.isSuperset(of: "■▐▌▄"))
    }

    @Test func `if ambiguous symbols are wide, the gallery draws none`() {
        let shown = characters(capabilities(isWide: true))

        let ambiguous = shown.filter { $0.unicodeScalars.contains(where: AmbiguousWidth.holds) }
        #expect(ambiguous.intersection(ScreenCapabilities.signs).isEmpty, "\(ambiguous)")
    }
}
