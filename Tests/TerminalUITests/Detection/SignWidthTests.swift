import Testing

@testable import TerminalUI

@Suite struct SignWidthTests {
    private let screen = ScreenSize(columns: 80, rows: 24)
    private let last = TerminalReply.sequence("?62;22c")

    private func rounds(codeset: String = "UTF-8") -> QueryRounds {
        let environment = TerminalEnvironment(term: "xterm-256color", codeset: codeset)
        var rounds = QueryRounds(TerminalQueries(environment))
        rounds.painted()
        return rounds
    }

    private func capabilities(
        _ replies: TerminalReplies,
        _ overrides: ScreenOverrides = ScreenOverrides(),
        refusesColor: Bool = false
    ) -> ScreenCapabilities {
        let environment = TerminalEnvironment(term: "xterm-256color", refusesColor: refusesColor)
        let profile = ScreenProfile(
            environment: environment,
            terminfoColors: 256,
            overrides: overrides
        )
        let detected = TerminalCapabilities(replies, TerminalSurroundings(profile: profile))
        #expect(profile.paintsDirectly(detected) == (detected.hasWideSigns == true))
        return profile.capabilities(with: detected)
    }

    // A symbol and a block, and invalid answers: function keys with Shift or Ctrl, or nonsense.
    @Test(
        arguments: [
            ("2;3R", false), ("2;4R", true), ("2;5R", true), ("7;5R", true), ("2;1R", nil),
            ("2;2R", nil), ("2;6R", nil), ("2;81R", nil), ("1;5R", nil), ("1;2R", nil), ("R", nil),
            ("2R", nil), ("?2;5R", nil), ("2;5;1R", nil), ("2;xR", nil), ("0;5R", nil),
            ("99999999999999999999;5R", nil),
        ] as [(String, Bool?)]
    )
    func `the cursor position shows how wide ambiguous symbols are`(text: String, isWide: Bool?) {
        var replies = TerminalReplies()
        _ = replies.take(.sequence(text))

        let shown = capabilities(replies)

        #expect(replies.signColumns.map { $0 > 2 } == isWide)
        #expect(shown.hasWideSigns == (isWide ?? false))
        #expect(shown.symbols == (isWide == true ? .ascii : .halfBlocks))
    }

    @Test func `if symbols are wide there are letters and dots, and captions are unchanged`() {
        var replies = TerminalReplies()
        _ = replies.take(.sequence("2;5R"))

        #expect(capabilities(replies).offeredSymbols == [.braille, .ascii])
        #expect(capabilities(replies).keepsLetters)
        #expect(capabilities(replies, refusesColor: true).symbols == .braille)
        let asked = capabilities(replies, ScreenOverrides(symbols: .halfBlocks))
        #expect(asked.symbols == .halfBlocks && asked.hasWideSigns)
    }

    @Test func `symbols are measured once, and the result is kept`() {
        var rounds = rounds()
        let queries = rounds.due(now: .zero, screen: screen)
        #expect(queries.filter { $0 == .signWidth }.count == 1)
        _ = rounds.take(.sequence("2;5R"), now: .zero)
        _ = rounds.take(last, now: .zero)
        #expect(rounds.isSettled && rounds.replies.signColumns == 4)

        rounds.changed()
        #expect(!rounds.due(now: .seconds(2), screen: screen).contains(.signWidth))
        _ = rounds.take(last, now: .seconds(2))
        #expect(rounds.isSettled && rounds.replies.signColumns == 4)
    }

    @Test func `a late response counts, and a missing one changes nothing`() {
        var rounds = rounds()
        _ = rounds.due(now: .zero, screen: screen)
        _ = rounds.take(last, now: .zero)
        #expect(rounds.isSettled && rounds.replies.signColumns == nil)
        #expect(capabilities(rounds.replies).symbols == .halfBlocks)

        var slow = self.rounds()
        _ = slow.due(now: .zero, screen: screen)
        slow.expire(now: .seconds(1))
        _ = slow.take(.sequence("2;5R"), now: .seconds(2))
        #expect(slow.replies.signColumns == 4)
    }

    @Test func `test symbols are not written if they would be invisible or overwritten`() {
        var latin = rounds(codeset: "ISO-8859-1")
        #expect(!latin.due(now: .zero, screen: screen).contains(.signWidth))

        var small = rounds()
        let rows = ScreenSize(columns: 80, rows: 2)
        #expect(!small.due(now: .zero, screen: rows).contains(.signWidth))
    }

    @Test func `outside of a gallery the line is left empty`() {
        let request = TerminalQuery.signWidth.request(sharedMemory: "", hasScreen: false)

        #expect(request.hasPrefix("\r") && request.hasSuffix("\r\u{1B}[K"))
    }
}
