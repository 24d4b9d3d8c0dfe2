import Feeds
import TerminalUI
import Testing

extension EndToEnd {
    /// `--plain`: text instead of the screen.
    @Suite struct PlainTests {
        private let program = TestProgram()

        @Test func `each image is a line with number, caption, state, size, format and bytes`()
            throws
        {
            defer { program.remove() }
            let run = try program.run(["--plain", program.pictureFolder(count: 3)])

            #expect(run.status == .exited(0) && run.errors.isEmpty)
            #expect(run.lines.first?.hasSuffix(": 3 images") == true)
            #expect(run.lines.last == "end: 3 of 3 images loaded")
            let third = try #require(run.lines.first { $0.hasPrefix("3. ") })
            #expect(third.hasPrefix("3. picture 3.jpg: loaded from disk, 48 by 48, JPEG, "))
            #expect(run.output.allSatisfy { $0 >= 0x20 && $0 < 0x7F || $0 == 0x0A })
        }

        @Test
        func
            `what failed is said with its reason, and nothing of a feed does more than show itself`()
            throws
        {
            let server = try PictureServer()
            defer {
                server.stop()
                program.remove()
            }
            let feed = try program.feed([
                server.url(1) + " one \u{1B}[2J two", server.url(2, query: "status=404"),
                "gopher://a/b.png",
            ])
            let run = try program.run(["--plain", feed])

            #expect(run.status == .exited(1))
            #expect(run.lines.last == "end: 1 of 3 images loaded, 2 failed")
            #expect(
                run.lines.contains { $0.hasPrefix("2. ") && $0.contains("404 not found") }
            )
            #expect(
                run.lines.contains { $0.hasPrefix("3. ") && $0.contains("unknown scheme gopher:") }
            )
            #expect(!run.output.contains(0x1B))
            #expect(run.lines.count == 5)
        }
    }
}
