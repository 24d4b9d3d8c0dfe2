import Decoders
import Testing

@testable import TerminalUI

@Suite struct QueryRoundsTests {
    private let screen = ScreenSize(columns: 80, rows: 24)
    private let version = TerminalReply.string(.deviceControl, ">|Konsole 22.12.3")
    private let last = TerminalReply.sequence("?62;1;4c")

    private func rounds(_ term: String = "xterm-256color") -> QueryRounds {
        QueryRounds(TerminalQueries(TerminalEnvironment(term: term)))
    }

    @Test func `nothing is queried before the first frame is painted`() {
        var rounds = rounds()

        #expect(rounds.due(now: .zero, screen: screen).isEmpty && rounds.deadline == nil)

        rounds.painted()
        let queries = rounds.due(now: .zero, screen: screen)
        #expect(queries.first == .version && queries.last == .attributes)
        #expect(rounds.due(now: .zero, screen: screen).isEmpty)
    }

    @Test func `queries that some terminals print wait for a name`() {
        var rounds = rounds()
        rounds.painted()
        let first = rounds.due(now: .zero, screen: screen)
        let requests = first.map { $0.request(sharedMemory: "") }
        #expect(requests.allSatisfy { !$0.contains("\u{1B}P") && !$0.contains("\u{1B}_") })
        #expect(requests.allSatisfy { !$0.contains("$") })

        #expect(rounds.take(version, now: .zero).isEmpty)
        let second = rounds.take(last, now: .zero)

        #expect(second.contains(.kittyDirect) && second.contains(.directColor))
        #expect(second.last == .attributes && !rounds.isSettled)
        #expect(rounds.take(last, now: .zero).isEmpty)
        #expect(rounds.isSettled && rounds.replies.name?.name == "Konsole")
    }

    @Test func `a terminal without a name is sent no string queries, unless it has sixel`() {
        for (answer, isAsked) in [("?62;22c", false), ("?4;6c", false), ("?61;4;22c", true)] {
            var rounds = rounds()
            rounds.painted()
            _ = rounds.due(now: .zero, screen: screen)

            #expect(rounds.take(.sequence(answer), now: .zero).contains(.directColor) == isAsked)
        }
    }

    @Test(arguments: ["xterm-kitty", "foot", "xterm-ghostty", "alacritty"])
    func `well-known kinds of terminal get all queries together`(term: String) {
        #expect(Set(TerminalQueries(TerminalEnvironment(term: term)).first).count == 17)
        let inside = TerminalEnvironment(term: term, isInsideMultiplexer: true)
        #expect(TerminalQueries(inside).first.count == 8)
    }

    @Test(arguments: ["linux", "dumb", "vt100", "vt220", "cons25", "ansi", ""])
    func `consoles and old terminals get no queries`(term: String) {
        var rounds = rounds(term)
        rounds.painted()

        #expect(rounds.due(now: .zero, screen: screen).isEmpty)
        #expect(rounds.isSettled && rounds.deadline == nil && !rounds.isAwaiting(now: .zero))
    }

    @Test(arguments: ["tmux 3.3a", "screen 5.0"])
    func `tmux and screen, which use strings as titles, are queried without them`(name: String) {
        var rounds = rounds("screen-256color")
        rounds.painted()
        _ = rounds.due(now: .zero, screen: screen)
        _ = rounds.take(.string(.deviceControl, ">|\(name)"), now: .zero)

        let second = rounds.take(last, now: .zero)

        #expect(second == [.synchronizedOutput, .graphemeClusters, .attributes])
    }

    @Test func `Apple's Terminal, which prints them, is sent no string queries`() {
        var rounds = rounds()
        rounds.painted()
        _ = rounds.due(now: .zero, screen: screen)
        _ = rounds.take(.string(.deviceControl, ">|Apple_Terminal 455"), now: .zero)

        #expect(rounds.take(last, now: .zero).isEmpty && rounds.isSettled)
    }

    @Test func `waiting for a silent terminal ends, and its late responses count`() {
        var rounds = rounds()
        rounds.painted()
        _ = rounds.due(now: .zero, screen: screen)
        #expect(rounds.deadline == .milliseconds(500) && rounds.isAwaiting(now: .seconds(1)))

        rounds.expire(now: .milliseconds(500))
        #expect(rounds.isSettled && rounds.deadline == nil && rounds.replies.byQuery.isEmpty)

        #expect(rounds.take(version, now: .seconds(3)).contains(.kittyDirect))
        #expect(rounds.replies.name?.name == "Konsole")
        #expect(!rounds.isAwaiting(now: .seconds(10)))
    }

    @Test func `half of the responses count if no more arrive`() {
        var rounds = rounds()
        rounds.painted()
        _ = rounds.due(now: .zero, screen: screen)
        _ = rounds.take(version, now: .milliseconds(100))

        rounds.expire(now: .milliseconds(599))
        #expect(rounds.replies.byQuery.isEmpty)
        rounds.expire(now: .milliseconds(600))
        #expect(rounds.replies.name?.name == "Konsole")
    }

    @Test func `a changed screen is queried again, at most once a second, and keeps its replies`() {
        var rounds = rounds()
        rounds.painted()
        _ = rounds.due(now: .zero, screen: screen)
        _ = rounds.take(version, now: .zero)
        _ = rounds.take(last, now: .zero)
        _ = rounds.take(last, now: .zero)

        for millisecond in 1..<100 {
            rounds.changed()
            #expect(rounds.due(now: .milliseconds(millisecond), screen: screen).isEmpty)
        }
        #expect(rounds.deadline == .seconds(1))
        #expect(rounds.due(now: .seconds(1), screen: screen).count == 7)
        #expect(rounds.replies.name?.name == "Konsole")
    }

    @Test(arguments: [("tmux 3.3a", true), ("Konsole 22.12.3", false)])
    func `tmux is queried again when the user types after a pause`(name: String, isAsked: Bool) {
        var rounds = rounds()
        rounds.painted()
        _ = rounds.due(now: .zero, screen: screen)
        _ = rounds.take(.string(.deviceControl, ">|\(name)"), now: .zero)
        _ = rounds.take(last, now: .zero)
        _ = rounds.take(last, now: .zero)

        rounds.typed(now: .milliseconds(9999))
        #expect(rounds.due(now: .milliseconds(9999), screen: screen).isEmpty)
        rounds.typed(now: .seconds(10))
        #expect(rounds.due(now: .seconds(10), screen: screen).isEmpty == !isAsked)
    }

    @Test func `a screen that was restored is queried again after the next frame`() {
        var rounds = rounds()
        rounds.painted()
        _ = rounds.due(now: .zero, screen: screen)
        rounds.leaving()
        #expect(rounds.take(version, now: .zero).isEmpty)
        #expect(rounds.take(last, now: .zero).isEmpty)

        rounds.left()
        #expect(rounds.due(now: .seconds(5), screen: screen).isEmpty)
        rounds.painted()
        #expect(!rounds.due(now: .seconds(5), screen: screen).isEmpty)
    }

    @Test func `leaving waits for pending responses, but not for long`() {
        var rounds = rounds()
        #expect(rounds.farewell(now: .zero) == nil)
        rounds.painted()
        _ = rounds.due(now: .zero, screen: screen)

        // A line may be slow: nothing is known about it before the first response.
        #expect(rounds.farewell(now: .milliseconds(100)) == .milliseconds(1900))
        #expect(rounds.farewell(now: .milliseconds(2000)) == nil)
        _ = rounds.take(.sequence("6;18;9t"), now: .milliseconds(100))
        #expect(rounds.farewell(now: .milliseconds(100)) == .milliseconds(300))
        #expect(rounds.farewell(now: .milliseconds(400)) == nil)
        for step in 0..<20 {
            _ = rounds.take(.sequence("6;18;9t"), now: .milliseconds(100 * step))
        }
        #expect(rounds.farewell(now: .milliseconds(2000)) == nil)
    }

    @Test func `leaving waits twice the round trip of a slow line, also after 0_5 s`() {
        var rounds = rounds()
        rounds.painted()
        _ = rounds.due(now: .zero, screen: screen)
        rounds.expire(now: .milliseconds(500))
        rounds.leaving()
        #expect(rounds.farewell(now: .milliseconds(600)) == .milliseconds(1400))

        _ = rounds.take(version, now: .milliseconds(700))
        #expect(rounds.farewell(now: .milliseconds(700)) == .milliseconds(1300))
        _ = rounds.take(last, now: .milliseconds(710))
        #expect(rounds.farewell(now: .milliseconds(710)) == nil)
    }

    @Test func `without a screen, a round waits as long as the line needs, up to 2 s`() {
        let environment = TerminalEnvironment(term: "xterm-256color")
        var rounds = QueryRounds(TerminalQueries(environment), waitsForSlowLine: true)
        rounds.painted()
        _ = rounds.due(now: .zero, screen: screen)
        #expect(rounds.deadline == .seconds(2))
        rounds.expire(now: .milliseconds(1999))
        #expect(!rounds.isSettled)

        _ = rounds.take(version, now: .milliseconds(800))
        _ = rounds.take(last, now: .milliseconds(800))
        #expect(rounds.deadline == .milliseconds(2400))
        rounds.expire(now: .milliseconds(2400))
        #expect(rounds.isSettled && rounds.replies.name?.name == "Konsole")
    }

    @Test func `without a screen, a fast line is given half a second between responses`() {
        let environment = TerminalEnvironment(term: "xterm-256color")
        var rounds = QueryRounds(TerminalQueries(environment), waitsForSlowLine: true)
        rounds.painted()
        _ = rounds.due(now: .zero, screen: screen)
        _ = rounds.take(version, now: .milliseconds(3))
        #expect(rounds.deadline == .milliseconds(503))
    }

    @Test func `unrequested responses are ignored`() {
        var rounds = rounds()

        #expect(rounds.take(last, now: .zero).isEmpty && rounds.replies.byQuery.isEmpty)
    }

    @Test(arguments: [
        ("", ""), ("a", "YQ=="), ("ab", "YWI="), ("abc", "YWJj"), ("abcd", "YWJjZA=="),
    ])
    func `Base64 has the form of RFC 4648`(text: String, encoded: String) {
        #expect(Base64.encode(text) == encoded)
    }
}
