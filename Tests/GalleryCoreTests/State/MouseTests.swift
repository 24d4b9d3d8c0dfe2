import Testing
import VirtualTerminal

@testable import Feeds
@testable import GalleryCore
@testable import TerminalUI

/// Pasted text, and clicks that do more than select an image.
@Suite struct MouseTests {
    @Test(arguments: [
        ("/a/b c.jpg\n", "/a/b c.jpg"), ("'/a/it'\\''s.png'", "/a/it's.png"),
        ("/a/b\\ c\\(1\\).jpg ", "/a/b c(1).jpg"), ("~/x", "~/x"), ("../y.txt", "../y.txt"),
        ("https://h/f\\x?a=b", "https://h/f\\x?a=b"), ("file:///p/%20.png", "file:///p/%20.png"),
        ("\"/a b\"", "/a b"), ("words", nil), ("/a\n/b", nil), ("", nil), ("/a\u{1B}[2J", nil),
        ("/" + String(repeating: "a", count: 1_000), nil), ("ftp://h/x", nil),
    ])
    func `a pasted path or URL is offered to be opened`(text: String, path: String?) {
        #expect(PastedPath(text)?.path == path)
        var gallery = Gallery()
        gallery.send(.input(.paste(text)))
        guard let path else { return #expect(gallery.state.prompt.overlay == nil) }
        #expect(gallery.press(.enter) == [.feed(.open(path))])
    }

    @Test func `a right click marks an image, also an open one`() {
        var gallery = Gallery()
        let rect = gallery.state.grid.layout.imageRect(at: 2)
        let click = InputEvent.mouse(.right(row: rect.row + 1, column: rect.column + 1))
        gallery.send(.input(click))
        #expect(gallery.state.choices.isMarked(2) && gallery.state.grid.selection == 2)
        gallery.press(.enter)
        gallery.send(.input(click))
        #expect(!gallery.state.choices.isMarked(2))
        gallery.press(.escape)
        #expect(gallery.send(.input(.mouse(.right(row: 23, column: 0)))).isEmpty)
    }

    /// Clicks on the status bar where it shows a text.
    private func click(_ text: String, _ gallery: inout Gallery) -> [Effect] {
        guard let range = gallery.lines[23].firstRange(of: text) else {
            Issue.record("\(text) is not in \(gallery.lines[23])")
            return []
        }
        let column = gallery.lines[23].distance(
            from: gallery.lines[23].startIndex,
            to: range.lowerBound
        )
        return gallery.send(.input(.mouse(.press(row: 23, column: column))))
    }

    @Test func `two quick clicks on the status bar do not close the open image`() {
        var gallery = Gallery()
        gallery.press(.enter)
        for click in [Mouse.press(row: 23, column: 40), .doublePress(row: 23, column: 40)] {
            gallery.send(.input(.mouse(click)))
        }
        #expect(gallery.state.detail != nil)
    }

    @Test func `a click on a part of the status bar does what the part is about`() {
        var gallery = Gallery()
        gallery.send(.slot(gallery.slot(ofItem: 1) ?? 0, .failed(.notFound)))
        _ = click("? help", &gallery)
        #expect(gallery.state.prompt.overlay == .help(HelpState()))
        _ = click("Esc", &gallery)
        #expect(gallery.state.prompt.overlay == nil)
        let effects = click("1 failed", &gallery)
        #expect(gallery.state.finding.filterText == "is:failed" && !effects.isEmpty)
        _ = click("1 failed", &gallery)
        #expect(gallery.state.finding.filterText.isEmpty)
        _ = click("Picture 0", &gallery)
        #expect(gallery.state.panels.information != nil)
        gallery.press(.escape)
        #expect(click("1/100", &gallery).isEmpty)
        #expect(gallery.lines[23].hasPrefix(" :"))
        #expect(gallery.send(.input(.mouse(.press(row: 23, column: 2)))).isEmpty)
        #expect(gallery.lines[23].hasPrefix(" :"))
    }
}
