import DemoServer
import Feeds
import FoundationEssentials
import TerminalUI
import Testing
import VirtualTerminal

extension EndToEnd {
    /// Commands that need no terminal.
    @Suite struct CommandTests {
        private let program = TestProgram()

        @Test func `print writes images and captions and ends with 0`() throws {
            defer { program.remove() }
            let run = try program.run(["print", program.pictureFolder(count: 3)])

            #expect(run.status == .exited(0) && run.errors.isEmpty)
            #expect(run.text.contains("picture 1.png") && run.text.contains("picture 3.jpg"))
            #expect(run.text.contains("▀") && run.text.contains("38;2;"))
        }

        @Test func `print ends with 1 if an image failed and shows the reason in its place`() throws
        {
            defer { program.remove() }
            let run = try program.run(["print", program.feed(["gopher://example.org/a.jpg Old"])])

            #expect(run.status == .exited(1))
            #expect(run.text.contains("unknown scheme gopher:"))
        }

        @Test func `a feed is printed if standard output is not a terminal`() throws {
            defer { program.remove() }
            let run = try program.run([program.pictureFolder(count: 1)])

            #expect(run.status == .exited(0))
            #expect(run.text.contains("picture 1.png"))
        }

        @Test func `print into a pipe that is closed early ends without a message`() throws {
            defer { program.remove() }
            let folder = try program.pictureFolder(count: 40)
            let run = try ProgramRun(
                "/bin/sh",
                ["-c", "\(program.path) print --columns 1 \(folder) | head -n 1"],
                environment: program.environment()
            )

            #expect(run.status == .exited(0) && run.errors.isEmpty)
            #expect(run.lines.count <= 1)
        }

        @Test(arguments: [["print"], ["fetch"], ["fetch", "--jsonl"], []])
        func `a missing feed is named and ends with 66`(command: [String]) throws {
            defer { program.remove() }
            let run = try program.run(command + ["no-such-feed.txt"])

            #expect(run.status == .exited(66) && run.output.isEmpty)
            #expect(run.errors.hasPrefix("termgallery: no-such-feed.txt: "))
            #expect(run.errors.split(separator: "\n").count == 1)
        }

        @Test func `cache stats, clean, clear and path agree with the images that fetch stored`()
            throws
        {
            let server = try PictureServer()
            defer {
                server.stop()
                program.remove()
            }
            let path = "\(program.home)/.cache/termgallery"
            #expect(try program.run(["cache", "path"]).text == path + "\n")
            #expect(try cache("stats").files == 0)
            let feed = try program.feed(server.lines(1...3))
            #expect(try program.run(["fetch", feed]).status == .exited(0))

            let stored = try cache("stats")
            #expect(stored.files == 3 && stored.bytes > 0 && stored.path == path)
            #expect(try cache("clean").files == 0)
            #expect(try cache("clear").files == 3)
            #expect(try cache("stats").files == 0)
            #expect(Set(fileNames(under: path)) == ["CACHEDIR.TAG", "leases.lock"])
        }

        @Test func `cache stats deletes nothing, even with a small budget`() throws {
            let server = try PictureServer()
            defer {
                server.stop()
                program.remove()
            }
            let feed = try program.feed(server.lines(1...5))
            #expect(try program.run(["fetch", feed]).status == .exited(0))
            let path = "\(program.home)/.cache/termgallery"
            let files = Set(fileNames(under: path))

            let run = try program.run(["cache", "stats", "--disk-cache", "1k"])

            #expect(run.status == .exited(0) && run.text.contains("files   5"))
            #expect(Set(fileNames(under: path)) == files)
        }

        @Test func `serve runs until Ctrl-C and then reports its requests`() throws {
            defer { program.remove() }
            let options = ["--port", "0", "--count", "2", "--latency", "0", "--failures", "0"]
            let server = try program.openGallery(["serve"] + options)
            try server.expect("Ctrl-C ends it")
            let words = server.screen.text.split { $0 == " " || $0 == "," || $0 == "\n" }
            let feed = try #require(words.first { $0.hasPrefix("http://127.0.0.1:") })

            let run = try program.run(["fetch", "--jsonl", String(feed)])
            #expect(run.status == .exited(0) && run.lines.count == 2)
            server.type("\u{3}")

            try server.expectEnd(.exited(0))
            try server.expect("3 requests, 0 abandoned by the client")
        }

        @Test func `serve says which option to change if its port is in use`() throws {
            defer { program.remove() }
            let server = try program.openGallery(["serve", "--port", "0", "--count", "1"])
            try server.expect("Ctrl-C ends it")
            let words = server.screen.text.split { $0 == " " || $0 == "," || $0 == "\n" }
            let feed = try #require(words.first { $0.hasPrefix("http://127.0.0.1:") })
            let port = try #require(feed.split { $0 == ":" || $0 == "/" }.dropFirst(2).first)

            let run = try program.run(["serve", "--port", String(port)])

            #expect(run.status == .exited(71))
            let fault = "can't listen on 127.0.0.1:\(port): in use"
            #expect(
                run.errors
                    == "termgallery: the demo server \(fault); choose another with --port\n"
            )
            server.type("\u{3}")
            try server.expectEnd(.exited(0))
        }

        @Test(arguments: [
            ["--help"], ["print", "--help"], ["fetch", "--help"], ["cache", "--help"],
        ])
        func `help goes to standard output and ends with 0`(arguments: [String]) throws {
            defer { program.remove() }
            let run = try program.run(arguments)

            #expect(run.status == .exited(0) && run.errors.isEmpty)
            #expect(run.text.contains("USAGE: termgallery"))
        }

        @Test func `the version is a number on a line`() throws {
            defer { program.remove() }
            let run = try program.run(["--version"])

            #expect(run.status == .exited(0) && run.lines.count == 1)
            #expect(run.text.split(separator: ".").count == 3)
        }

        @Test(arguments: [
            ["--no-such-option"], ["fetch", "--no-such-option", "x"], ["cache", "burn"],
            ["serve", "--port", "70000"], ["demo", "--count", "0"],
            ["print", "--columns", "0", "x"],
        ])
        func `an invalid command line ends with 2`(arguments: [String]) throws {
            defer { program.remove() }
            let run = try program.run(arguments)

            #expect(run.status == .exited(2) && run.output.isEmpty)
            #expect(run.errors.contains("Usage: termgallery"))
        }

        @Test(arguments: [
            ["print", "--helpp"], ["fetch", "--helpp"], ["fetch", "--helpp", "x"], ["--helpp"],
        ])
        func `an unknown option is named, with and without a feed`(arguments: [String]) throws {
            defer { program.remove() }
            let run = try program.run(arguments)

            #expect(run.status == .exited(2) && run.output.isEmpty)
            #expect(run.errors.hasPrefix("Error: Unknown option '--helpp'"), "\(run.errors)")
            #expect(
                try program.run(["print", "--sizee"]).errors.contains("Did you mean '--size'?")
            )
        }

        @Test(arguments: ["print", "fetch"])
        func `a command without its feed asks for one and ends with 2`(name: String) throws {
            defer { program.remove() }
            let run = try program.run([name])

            #expect(run.status == .exited(2) && run.output.isEmpty)
            #expect(run.errors.hasPrefix("termgallery: name a feed: "), "\(run.errors)")
        }

        private struct CacheAnswer: Decodable {
            let files: Int
            let bytes: Int
            let path: String?
        }

        private func cache(_ command: String) throws -> CacheAnswer {
            let run = try program.run(["cache", command, "--json"])
            #expect(run.status == .exited(0) && run.errors.isEmpty)
            return try JSONDecoder().decode(CacheAnswer.self, from: Data(run.output))
        }
    }
}
