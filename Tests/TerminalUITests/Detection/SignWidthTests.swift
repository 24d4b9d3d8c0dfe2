import Testing

@testable import TerminalUI

@Suite struct SignWidthTests {
    private let screen = ScreenSize(columns: 80, rows: 24)
    private let last = TerminalReply.sequence("?62;22c")

    private func inquiry(codeset: String = "UTF-8") -> TerminalInquiry {
        let environment = TerminalEnvironment(term: "xterm-256color", codeset: codeset)
        var inquiry = TerminalInquiry(TerminalQuestions(environment))
        inquiry.painted()
        return inquiry
    }

    private func capabilities(
        _ answers: TerminalAnswers,
        _ overrides: ScreenOverrides = ScreenOverrides(),
        refusesColor: Bool = false
    ) -> ScreenCapabilities {
        let environment = TerminalEnvironment(term: "xterm-256color", refusesColor: refusesColor)
        let profile = ScreenProfile(
            environment: environment,
            terminfoColors: 256,
            overrides: overrides
        )
        let findings = TerminalFindings(answers, TerminalSurroundings(profile: profile))
        #expect(profile.paintsDirectly(findings) == (findings.hasWideSigns == true))
        return profile.capabilities(with: findings)
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
        var answers = TerminalAnswers()
        _ = answers.take(.sequence(text))

        let shown = capabilities(answers)

        #expect(answers.signColumns.map { $0 > 2 } == isWide)
        #expect(shown.hasWideSigns == (isWide ?? false))
        #expect(shown.symbols == (isWide == true ? .ascii : .halfBlocks))
    }

    @Test func `if symbols are wide there are letters and dots, and captions are unchanged`() {
        var answers = TerminalAnswers()
        _ = answers.take(.sequence("2;5R"))

        #expect(capabilities(answers).offeredSymbols == [.braille, .ascii])
        #expect(capabilities(answers).keepsLetters)
        #expect(capabilities(answers, refusesColor: true).symbols == .braille)
        let asked = capabilities(answers, ScreenOverrides(symbols: .halfBlocks))
        #expect(asked.symbols == .halfBlocks && asked.hasWideSigns)
    }

    @Test func `symbols are measured once, and the result is kept`() {
        var inquiry = inquiry()
        let questions = inquiry.due(now: .zero, screen: screen)
        #expect(questions.filter { $0 == .signWidth }.count == 1)
        _ = inquiry.take(.sequence("2;5R"), now: .zero)
        _ = inquiry.take(last, now: .zero)
        #expect(inquiry.isSettled && inquiry.answers.signColumns == 4)

        inquiry.changed()
        #expect(!inquiry.due(now: .seconds(2), screen: screen).contains(.signWidth))
        _ = inquiry.take(last, now: .seconds(2))
        #expect(inquiry.isSettled && inquiry.answers.signColumns == 4)
    }

    @Test func `a late response counts, and a missing one changes nothing`() {
        var inquiry = inquiry()
        _ = inquiry.due(now: .zero, screen: screen)
        _ = inquiry.take(last, now: .zero)
        #expect(inquiry.isSettled && inquiry.answers.signColumns == nil)
        #expect(capabilities(inquiry.answers).symbols == .halfBlocks)

        var slow = self.inquiry()
        _ = slow.due(now: .zero, screen: screen)
        slow.expire(now: .seconds(1))
        _ = slow.take(.sequence("2;5R"), now: .seconds(2))
        #expect(slow.answers.signColumns == 4)
    }

    @Test func `test symbols are not written if they would be invisible or overwritten`() {
        var latin = inquiry(codeset: "ISO-8859-1")
        #expect(!latin.due(now: .zero, screen: screen).contains(.signWidth))

        var small = inquiry()
        let rows = ScreenSize(columns: 80, rows: 2)
        #expect(!small.due(now: .zero, screen: rows).contains(.signWidth))
    }

    @Test func `outside of a gallery the line is left empty`() {
        let request = TerminalQuestion.signWidth.request(sharedMemory: "", hasScreen: false)

        #expect(request.hasPrefix("\r") && request.hasSuffix("\r\u{1B}[K"))
    }
}
