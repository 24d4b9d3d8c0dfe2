import Testing

@testable import TerminalUI

@Suite struct TerminalInquiryTests {
    private let screen = ScreenSize(columns: 80, rows: 24)
    private let version = TerminalReply.string(.deviceControl, ">|Konsole 22.12.3")
    private let last = TerminalReply.sequence("?62;1;4c")

    private func inquiry(_ term: String = "xterm-256color") -> TerminalInquiry {
        TerminalInquiry(TerminalQuestions(TerminalEnvironment(term: term)))
    }

    @Test func `nothing is queried before the first frame is painted`() {
        var inquiry = inquiry()

        #expect(inquiry.due(now: .zero, screen: screen).isEmpty && inquiry.deadline == nil)

        inquiry.painted()
        let questions = inquiry.due(now: .zero, screen: screen)
        #expect(questions.first == .version && questions.last == .attributes)
        #expect(inquiry.due(now: .zero, screen: screen).isEmpty)
    }

    @Test func `queries that some terminals print wait for a name`() {
        var inquiry = inquiry()
        inquiry.painted()
        let first = inquiry.due(now: .zero, screen: screen)
        let requests = first.map { $0.request(sharedMemory: "") }
        #expect(requests.allSatisfy { !$0.contains("\u{1B}P") && !$0.contains("\u{1B}_") })
        #expect(requests.allSatisfy { !$0.contains("$") })

        #expect(inquiry.take(version, now: .zero).isEmpty)
        let second = inquiry.take(last, now: .zero)

        #expect(second.contains(.kittyDirect) && second.contains(.directColor))
        #expect(second.last == .attributes && !inquiry.isSettled)
        #expect(inquiry.take(last, now: .zero).isEmpty)
        #expect(inquiry.isSettled && inquiry.answers.name?.name == "Konsole")
    }

    @Test func `a terminal without a name is sent no string queries, unless it has sixel`() {
        for (answer, isAsked) in [("?62;22c", false), ("?4;6c", false), ("?61;4;22c", true)] {
            var inquiry = inquiry()
            inquiry.painted()
            _ = inquiry.due(now: .zero, screen: screen)

            #expect(inquiry.take(.sequence(answer), now: .zero).contains(.directColor) == isAsked)
        }
    }

    @Test(arguments: ["xterm-kitty", "foot", "xterm-ghostty", "alacritty"])
    func `well-known kinds of terminal get all queries together`(term: String) {
        #expect(Set(TerminalQuestions(TerminalEnvironment(term: term)).first).count == 17)
        let inside = TerminalEnvironment(term: term, isInsideMultiplexer: true)
        #expect(TerminalQuestions(inside).first.count == 8)
    }

    @Test(arguments: ["linux", "dumb", "vt100", "vt220", "cons25", "ansi", ""])
    func `consoles and old terminals get no queries`(term: String) {
        var inquiry = inquiry(term)
        inquiry.painted()

        #expect(inquiry.due(now: .zero, screen: screen).isEmpty)
        #expect(inquiry.isSettled && inquiry.deadline == nil && !inquiry.isAwaiting(now: .zero))
    }

    @Test(arguments: ["tmux 3.3a", "screen 5.0"])
    func `tmux and screen, which use strings as titles, are queried without them`(name: String) {
        var inquiry = inquiry("screen-256color")
        inquiry.painted()
        _ = inquiry.due(now: .zero, screen: screen)
        _ = inquiry.take(.string(.deviceControl, ">|\(name)"), now: .zero)

        let second = inquiry.take(last, now: .zero)

        #expect(second == [.synchronizedOutput, .graphemeClusters, .attributes])
    }

    @Test func `Apple's Terminal, which prints them, is sent no string queries`() {
        var inquiry = inquiry()
        inquiry.painted()
        _ = inquiry.due(now: .zero, screen: screen)
        _ = inquiry.take(.string(.deviceControl, ">|Apple_Terminal 455"), now: .zero)

        #expect(inquiry.take(last, now: .zero).isEmpty && inquiry.isSettled)
    }

    @Test func `waiting for a silent terminal ends, and its late responses count`() {
        var inquiry = inquiry()
        inquiry.painted()
        _ = inquiry.due(now: .zero, screen: screen)
        #expect(inquiry.deadline == .milliseconds(500) && inquiry.isAwaiting(now: .seconds(1)))

        inquiry.expire(now: .milliseconds(500))
        #expect(inquiry.isSettled && inquiry.deadline == nil && inquiry.answers.replies.isEmpty)

        #expect(inquiry.take(version, now: .seconds(3)).contains(.kittyDirect))
        #expect(inquiry.answers.name?.name == "Konsole")
        #expect(!inquiry.isAwaiting(now: .seconds(10)))
    }

    @Test func `half of the responses count if no more arrive`() {
        var inquiry = inquiry()
        inquiry.painted()
        _ = inquiry.due(now: .zero, screen: screen)
        _ = inquiry.take(version, now: .milliseconds(100))

        inquiry.expire(now: .milliseconds(599))
        #expect(inquiry.answers.replies.isEmpty)
        inquiry.expire(now: .milliseconds(600))
        #expect(inquiry.answers.name?.name == "Konsole")
    }

    @Test func `a changed screen is queried again, at most once a second, and keeps its findings`()
    {
        var inquiry = inquiry()
        inquiry.painted()
        _ = inquiry.due(now: .zero, screen: screen)
        _ = inquiry.take(version, now: .zero)
        _ = inquiry.take(last, now: .zero)
        _ = inquiry.take(last, now: .zero)

        for millisecond in 1..<100 {
            inquiry.changed()
            #expect(inquiry.due(now: .milliseconds(millisecond), screen: screen).isEmpty)
        }
        #expect(inquiry.deadline == .seconds(1))
        #expect(inquiry.due(now: .seconds(1), screen: screen).count == 7)
        #expect(inquiry.answers.name?.name == "Konsole")
    }

    @Test(arguments: [("tmux 3.3a", true), ("Konsole 22.12.3", false)])
    func `tmux is queried again when the user types after a pause`(name: String, isAsked: Bool) {
        var inquiry = inquiry()
        inquiry.painted()
        _ = inquiry.due(now: .zero, screen: screen)
        _ = inquiry.take(.string(.deviceControl, ">|\(name)"), now: .zero)
        _ = inquiry.take(last, now: .zero)
        _ = inquiry.take(last, now: .zero)

        inquiry.typed(now: .milliseconds(9999))
        #expect(inquiry.due(now: .milliseconds(9999), screen: screen).isEmpty)
        inquiry.typed(now: .seconds(10))
        #expect(inquiry.due(now: .seconds(10), screen: screen).isEmpty == !isAsked)
    }

    @Test func `a screen that was restored is queried again after the next frame`() {
        var inquiry = inquiry()
        inquiry.painted()
        _ = inquiry.due(now: .zero, screen: screen)
        inquiry.leaving()
        #expect(inquiry.take(version, now: .zero).isEmpty)
        #expect(inquiry.take(last, now: .zero).isEmpty)

        inquiry.left()
        #expect(inquiry.due(now: .seconds(5), screen: screen).isEmpty)
        inquiry.painted()
        #expect(!inquiry.due(now: .seconds(5), screen: screen).isEmpty)
    }

    @Test func `leaving waits for pending responses, but not for long`() {
        var inquiry = inquiry()
        #expect(inquiry.farewell(now: .zero) == nil)
        inquiry.painted()
        _ = inquiry.due(now: .zero, screen: screen)

        #expect(inquiry.farewell(now: .milliseconds(100)) == .milliseconds(200))
        #expect(inquiry.farewell(now: .milliseconds(300)) == nil)
        for step in 0..<20 {
            _ = inquiry.take(.sequence("6;18;9t"), now: .milliseconds(100 * step))
        }
        #expect(inquiry.farewell(now: .milliseconds(1000)) == nil)
    }

    @Test func `unrequested responses are ignored`() {
        var inquiry = inquiry()

        #expect(inquiry.take(last, now: .zero).isEmpty && inquiry.answers.replies.isEmpty)
    }

    @Test(arguments: [
        ("", ""), ("a", "YQ=="), ("ab", "YWI="), ("abc", "YWJj"), ("abcd", "YWJjZA=="),
    ])
    func `Base64 has the form of RFC 4648`(text: String, encoded: String) {
        #expect(Base64.encode(text) == encoded)
    }
}
