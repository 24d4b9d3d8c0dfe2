import Decoders
import Testing

@testable import TerminalUI

@Suite struct TerminalRecordTests {
    private let terminal = TerminalIdentity(
        device: "pts-3",
        mark: "17.4 TERM=xterm-kitty",
        screen: ScreenSize(columns: 80, rows: 24),
        windowPixels: PixelSize(width: 720, height: 432)
    )

    private var replies: TerminalReplies {
        var replies = TerminalReplies()
        for reply in [
            TerminalReply.string(.deviceControl, ">|kitty(0.47.4)"), .sequence("?62;52;c"),
            .sequence("6;18;9t"), .string(.applicationCommand, "Gi=72463001;OK"),
        ] { _ = replies.take(reply) }
        return replies
    }

    private func capabilities(_ replies: TerminalReplies) -> TerminalCapabilities {
        let profile = ScreenProfile(
            environment: TerminalEnvironment(term: "xterm-kitty"),
            terminfoColors: 256
        )
        return TerminalCapabilities(replies, TerminalSurroundings(profile: profile))
    }

    @Test func `a record gives the same terminal the same replies`() throws {
        let record = TerminalRecord(replies, of: terminal)

        let read = try #require(TerminalRecord(record.text))

        #expect(read.replies(from: terminal) == replies)
        #expect(capabilities(replies).protocols == [.kittyPlaceholders])
    }

    @Test func `another terminal on the same device gets no replies`() throws {
        let record = try #require(TerminalRecord(TerminalRecord(replies, of: terminal).text))
        let other = TerminalIdentity(device: "pts-3", mark: "18.4 TERM=xterm-kitty")

        #expect(record.replies(from: other) == nil)
    }

    @Test func `with another font the stored size of a cell is not used`() throws {
        let record = TerminalRecord(replies, of: terminal)
        var larger = terminal
        larger.screen = ScreenSize(columns: 40, rows: 12)

        let kept = try #require(record.replies(from: larger))

        #expect(kept.cellSize == nil && capabilities(kept).protocols == [.kittyPlaceholders])
        var resized = terminal
        resized.screen = ScreenSize(columns: 40, rows: 24)
        resized.windowPixels = PixelSize(width: 360, height: 432)
        #expect(record.replies(from: resized) == replies)
    }

    @Test(arguments: ["", "termgallery", "termgallery terminal 1\na", "x\ny\nz\n[c\n"])
    func `a damaged record is ignored`(text: String) {
        #expect(TerminalRecord(text) == nil)
    }

    @Test(
        arguments: [
            (["TERM": "xterm-kitty"], [GraphicsProtocol.kitty]),
            (["TERM": "foot"], [.sixel]),
            (["TERM": "xterm-ghostty"], [.kittyPlaceholders]),
            (["TERM": "xterm-256color", "TERM_PROGRAM": "WezTerm", "WEZTERM_PANE": "0"], [.iterm]),
            (["TERM": "xterm-256color", "KITTY_WINDOW_ID": "1"], []),
            (["TERM": "tmux-256color", "TMUX": "/tmp/tmux"], []),
            (["TERM": "xterm-kitty", "ZELLIJ": "0"], []), ([:], []),
        ] as [([String: String], [GraphicsProtocol])]
    )
    func `the environment names the protocols of terminals that must not be asked`(
        variables: [String: String],
        protocols: [GraphicsProtocol]
    ) {
        let replies = TerminalReplies(assumedFrom: { variables[$0] ?? "" })

        #expect(capabilities(replies).protocols == protocols)
    }
}
