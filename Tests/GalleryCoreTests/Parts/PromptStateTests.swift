import TerminalUI
import Testing

@testable import GalleryCore

@Suite struct PromptStateTests {
    private func prompt(_ kind: PromptKind, _ text: String) -> (PromptState, LinePrompt) {
        var state = PromptState()
        let line = LinePrompt(kind, text: text)
        state.ask(kind, text: text)
        return (state, line)
    }

    private func text(_ state: PromptState) -> String? {
        guard case .prompt(let line)? = state.overlay else { return nil }
        return line.text
    }

    @Test func `Enter closes the prompt and adds the line to its history`() {
        var (state, line) = prompt(.search, "sun")
        let (outcome, submitted) = state.press(.enter, in: line)
        #expect(outcome == .submitted && submitted.text == "sun")
        #expect(state.overlay == nil)
        #expect(state.history[.search] == ["sun"])
        #expect(state.history[.filter] == [])
        state.reopen(submitted)
        #expect(text(state) == "sun")
    }

    @Test func `Escape closes the prompt without a trace`() {
        var (state, line) = prompt(.search, "sun")
        let (outcome, _) = state.press(.escape, in: line)
        #expect(outcome == .left)
        #expect(state == PromptState())
    }

    @Test func `a typed letter stays in the open prompt`() {
        var (state, line) = prompt(.search, "su")
        let (outcome, changed) = state.press(.character("n"), in: line)
        #expect(outcome == .edited && changed.text == "sun")
        #expect(text(state) == "sun")
    }

    @Test func `a confirmation cannot be pasted`() {
        var (state, _) = prompt(.trash, "")
        #expect(state.paste("yes") == nil)
        #expect(text(state) == "")
        (state, _) = prompt(.filter, "a")
        let changed = state.paste("b\nc")
        #expect(changed?.text == "ab")
        #expect(text(state) == "ab")
    }

    @Test func `a count has at most nine digits, also when pasted`() {
        var state = PromptState()
        state.beginCount(with: "1")
        #expect(state.edit(count: "1", with: .character("2")) == true)
        #expect(state.overlay == .count("12"))
        #expect(state.paste("345x67890123") == nil)
        #expect(state.overlay == .count("123456789"))
        #expect(state.edit(count: "123456789", with: .character("0")) == true)
        #expect(state.overlay == .count("123456789"))
        #expect(state.edit(count: "1", with: .enter) == false)
        #expect(state.edit(count: "1", with: .backspace) == true)
        #expect(state.overlay == nil)
    }

    @Test func `Tab completes a command, or asks for the paths that match`() {
        var (state, line) = prompt(.command, "rel")
        #expect(state.complete(line, FilterFields(names: [])) == [])
        #expect(text(state) == "reload ")
        (state, line) = prompt(.command, "open /pic")
        #expect(state.complete(line, FilterFields(names: [])) == [.completePath("/pic")])
        (state, line) = prompt(.search, "rev")
        #expect(state.complete(line, FilterFields(names: [])) == [])
        #expect(text(state) == "rev")
    }

    @Test func `late completions of another path are dropped`() {
        var (state, _) = prompt(.command, "open /pic")
        state.take(completions: ["/tmp/"], ofPath: "/t")
        #expect(text(state) == "open /pic")
        state.take(completions: ["/pictures/", "/pictures2/"], ofPath: "/pic")
        #expect(text(state) == "open /pictures")
        state.close()
        state.take(completions: ["/pictures/"], ofPath: "/pictures")
        #expect(state.overlay == nil)
    }

    @Test func `the help scrolls between its first and its last line`() {
        var state = PromptState()
        state.showHelp(HelpState(scroll: -1), last: 8)
        #expect(state.overlay == .help(HelpState(scroll: 0)))
        state.showHelp(HelpState(scroll: .max), last: 8)
        #expect(state.overlay == .help(HelpState(scroll: 8)))
    }
}
