import DemoServer
import Feeds
import GalleryCore
import TerminalUI
import Testing
import VirtualTerminal

extension EndToEnd {
    /// Scrolling faster than a slow server answers (rows V1, F1, F4).
    @Suite struct ScrollingTests {
        private let program = TestProgram()
        private let pageDown = "\u{1B}[6~"

        @Test func `images that scroll away are cancelled down to the server and the rest appears`()
            throws
        {
            let server = try PictureServer()
            defer {
                server.stop()
                program.remove()
            }
            // However fast this test is: what it scrolls past never comes, nor does what is loaded
            // ahead of the last page, since all transfers are under way.
            let lines = server.lines(1...56, query: "stall=100") + server.lines(57...64)
            let terminal = try program.openGallery([program.feed(lines)])

            for page in 2...8 {
                // Transfers run: now they are left behind.
                try #require(eventually { server.counters.liveNow > 0 })
                terminal.type(pageDown)
                try terminal.expectPosition("\(page * 8 - 7)/64")
            }
            try terminal.expect("the last page's pictures") { screen in
                (57...64).allSatisfy { screen.shows("↓", after: "Picture \($0)") }
            }

            for number in 57...64 {
                #expect(terminal.screen.colors(above: "Picture \(number)").count > 20)
            }
            try expectFigures(terminal)
            terminal.type("q")
            try terminal.expectEnd(.exited(0))
            try expectReconciled(server)
        }

        /// Expects in the statistics that nothing is loading, and that cancelled loads are counted.
        private func expectFigures(_ terminal: PseudoTerminal) throws {
            terminal.type("s")
            try terminal.expect("figures at rest") { $0.figures(after: "loading").first == 0 }
            terminal.type("s")
            try terminal.expect("cancelled loads") { screen in
                screen.figures(after: "cancelled loads").first.map { $0 > 0 } ?? false
            }
        }

        private func expectReconciled(_ server: PictureServer) throws {
            #expect(eventually { server.counters.liveNow == 0 })
            let counters = server.counters
            #expect(counters.aborted > 0)
            #expect(counters.requests == counters.completed + counters.aborted)
            #expect(counters.maximumLive <= 6)
        }
    }
}

extension VirtualScreen {
    /// The numbers behind a label on its line.
    fileprivate func figures(after label: String) -> [Int] {
        guard let line = text.split(separator: "\n").first(where: { $0.contains(label) }),
            let values = line.split(separator: label).last
        else { return [] }
        return values.split { !$0.isNumber }.compactMap { Int($0) }
    }
}
