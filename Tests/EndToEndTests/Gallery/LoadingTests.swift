import DemoServer
import Feeds
import GalleryCore
import TerminalUI
import Testing
import VirtualTerminal

extension EndToEnd {
    /// Cancellation, retry and reload.
    @Suite struct LoadingTests {
        private let program = TestProgram()

        @Test func `X cancels every load, down to the server`() throws {
            let server = try PictureServer()
            defer {
                server.stop()
                program.remove()
            }
            let feed = try program.feed(server.lines(1...8, query: "stall=100"))
            let terminal = try program.openGallery([feed])
            #expect(eventually { server.counters.liveNow == 6 })

            terminal.type("X")

            try terminal.expect("all loads cancelled")
            try terminal.expect("eight cancelled cells") { screen in
                (1...8).allSatisfy { screen.shows("–", after: "Picture \($0)") }
            }
            #expect(eventually { server.counters.liveNow == 0 })
            #expect(server.counters.aborted >= 6 && server.counters.completed == 0)
        }

        @Test func `r requests failed images again, and only those`() throws {
            let server = try PictureServer()
            defer {
                server.stop()
                program.remove()
            }
            let missing = server.url(1, query: "status=404") + " Missing"
            let terminal = try program.openGallery([program.feed([missing] + server.lines(2...3))])
            try terminal.expect("not found (404)")
            try terminal.expect("picture 3") { $0.shows("↓", after: "Picture 3") }
            try terminal.expect("picture 2") { $0.shows("↓", after: "Picture 2") }
            #expect(server.counters.requests == 3)

            terminal.type("r")

            #expect(eventually { server.counters.requests == 4 })
            try terminal.expect("a failure") { $0.shows("✗", after: "Missing") }
        }

        @Test func `R loads the visible images from the network again`() throws {
            let server = try PictureServer()
            defer {
                server.stop()
                program.remove()
            }
            let terminal = try program.openGallery([program.feed(server.lines(1...4))])
            try terminal.expect("four pictures") { screen in
                (1...4).allSatisfy { screen.shows("↓", after: "Picture \($0)") }
            }
            let requests = server.counters.requests

            terminal.type("R")

            #expect(eventually { server.counters.completed == requests + 4 })
            try terminal.expect("four pictures again") { screen in
                (1...4).allSatisfy { screen.shows("↓", after: "Picture \($0)") }
            }
        }
    }
}

extension VirtualScreen {
    /// Returns how often a text is on the screen.
    func count(of text: String) -> Int {
        self.text.split(separator: text, omittingEmptySubsequences: false).count - 1
    }
}
