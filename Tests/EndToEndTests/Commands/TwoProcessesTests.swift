import DemoServer
import Feeds
import TerminalUI
import Testing

extension EndToEnd {
    /// Several programs on one cache directory.
    @Suite struct TwoProcessesTests {
        private let program = TestProgram()

        @Test func `two programs on one feed of 200 ask the server for each image once`() throws {
            let server = try PictureServer(count: 200)
            defer {
                server.stop()
                program.remove()
            }
            let feed = try program.feed(server.lines(1...200, query: "latency=20"))

            let first = try program.start(["fetch", feed])
            let second = try program.start(["fetch", feed])

            #expect(first.status() == .exited(0))
            #expect(second.status() == .exited(0))
            #expect(server.counters.requests == 200)
        }

        @Test func `a program continues the downloads of a killed one`() throws {
            let server = try PictureServer()
            defer {
                server.stop()
                program.remove()
            }
            // No answer comes within the test's patience.
            let feed = try program.feed(server.lines(1...6, query: "latency=60000"))
            let first = try program.start(["fetch", feed])
            #expect(eventually { server.counters.requests == 6 })
            let second = try program.start(["fetch", feed])

            first.killAtOnce()

            #expect(eventually { server.counters.requests == 12 })
            second.killAtOnce()
        }
    }
}

extension TestProgram {
    /// Starts the program without a terminal and without waiting for it.
    fileprivate func start(_ arguments: [String]) throws -> BackgroundRun {
        try BackgroundRun(path, arguments, environment: environment())
    }
}
