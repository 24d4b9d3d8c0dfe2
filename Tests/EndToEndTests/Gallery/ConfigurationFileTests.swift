import DemoServer
import Feeds
import GalleryCore
import Glibc
import TerminalUI
import Testing
import VirtualTerminal

extension EndToEnd {
    @Suite struct ConfigurationFileTests {
        private let program = TestProgram()

        /// Writes the person's configuration; its path.
        @discardableResult
        private func configure(_ text: String) throws -> String {
            for folder in [".config", ".config/termgallery"] {
                mkdir("\(program.home)/\(folder)", 0o700)
            }
            return try program.write(text.utf8, to: ".config/termgallery/config.toml")
        }

        @Test func `configured keys work, are listed in the help, and change at run time`()
            throws
        {
            defer { program.remove() }
            try configure("[keys]\nright = [\"y\"]\nnext-statistics = \"page-up\"\n")
            let terminal = try program.openGallery([program.pictureFolder(count: 20)])
            try terminal.expectPosition("1/20")

            terminal.type("y")
            try terminal.expectPosition("2/20")
            terminal.type("l")
            try terminal.expect("no such key: l")

            try configure("[keys]\nright = [\"e\"]\n")
            terminal.type("e")
            try terminal.expectPosition("3/20")
            try terminal.expect("the configuration was read again")
            terminal.type("?")
            try terminal.expect("← h ↓ j ↑ k e")
        }

        @Test func `an invalid change is reported with its line, and the old configuration stays`()
            throws
        {
            defer { program.remove() }
            try configure("[keys]\nright = \"y\"\n")
            let terminal = try program.openGallery([program.pictureFolder(count: 20)])
            try terminal.expectPosition("1/20")

            try configure("[keys]\nright = \"e\"\nlfet = \"h\"\n")
            terminal.type("y")
            // The message takes the whole row for four seconds.
            try terminal.expect("config.toml:3:1: unknown action \"lfet\"")
            try terminal.expectPosition("2/20")
            terminal.type("y")
            try terminal.expectPosition("3/20")
        }

        @Test func `the theme changes at run time, and the command line takes precedence`() throws {
            defer { program.remove() }
            try configure("theme = \"light\"\n[colors]\nraised = \"#102030\"\n")
            let folder = try program.pictureFolder(count: 3)
            let terminal = try program.openGallery([folder])
            try terminal.expectPosition("1/3")
            try terminal.expect("a light ground and a bar of its own") { screen in
                screen.frame[0, 0].background == .rgb(0xFA, 0xFA, 0xFB)
                    && screen.frame[23, 79].background == .rgb(0x10, 0x20, 0x30)
            }
            try configure("theme = \"dark\"\n")
            terminal.type("l")
            try terminal.expect("a dark ground") { screen in
                screen.frame[0, 0].background == .rgb(0x11, 0x13, 0x18)
            }

            let other = try program.openGallery(["--theme", "light", folder])
            try other.expect("a light ground") { screen in
                screen.frame[0, 0].background == .rgb(0xFA, 0xFA, 0xFB)
            }
        }

        @Test func `invalid entries end with 2 and a line for each, and --no-config reads no file`()
            throws
        {
            defer { program.remove() }
            let path = try configure("thema = \"dark\"\ntransfers = 99\n")
            let folder = try program.pictureFolder(count: 1)
            let run = try program.run(["print", folder])

            #expect(run.status == .exited(2) && run.output.isEmpty)
            #expect(
                run.errors == """
                    termgallery: \(path):1:1: unknown key "thema"; did you mean "theme"?
                    termgallery: \(path):2:13: transfers takes a number from 1 to 64.

                    """
            )
            #expect(try program.run(["print", "--no-config", folder]).status == .exited(0))
            // Commands that need no configuration run in spite of it.
            #expect(try program.run(["--version"]).status == .exited(0))
            #expect(try program.run(["help", "print"]).status == .exited(0))
            #expect(try program.run(["serve", "--port", "70000"]).errors.contains("--port takes"))
        }

        @Test func `a named configuration must exist, and is read`() throws {
            defer { program.remove() }
            let folder = try program.pictureFolder(count: 1)
            let missing = try program.run(["print", "--config", "/no/such.toml", folder])
            #expect(missing.status == .exited(2))
            #expect(missing.errors == "termgallery: /no/such.toml: No such file or directory\n")

            let path = try program.write("symbols = \"ascii\"\n".utf8, to: "own.toml")
            let run = try program.run(["print", "--config=\(path)", folder])
            #expect(run.status == .exited(0) && !run.text.contains("▀"))
        }

        @Test
        func `a configuration that others may write is refused, and readable secrets are reported`()
            throws
        {
            defer { program.remove() }
            let folder = try program.pictureFolder(count: 1)
            let path = try configure("[hosts.\"example.org\"]\nheaders = { A = \"s3cret\" }\n")
            #expect(try program.run(["print", folder]).errors.isEmpty)
            chmod(path, 0o644)
            let told = try program.run(["print", folder])
            #expect(told.status == .exited(0))
            #expect(
                told.errors.contains("other users can read its header fields; run chmod go-r on it")
            )
            #expect(!told.errors.contains("s3cret"))
            chmod(path, 0o646)
            let refused = try program.run(["print", folder])
            #expect(refused.status == .exited(2))
            #expect(refused.errors.contains("is writable by other users"))
        }

        @Test func `header fields of the configuration are in no log, trace or report`() throws {
            let server = try PictureServer()
            defer {
                server.stop()
                program.remove()
            }
            try configure(
                """
                [hosts."http://127.0.0.1:\(server.server.port)"]
                headers = { X-Picture-Key = "s3cret" }
                """
            )
            let (log, trace) = ("\(program.home)/log", "\(program.home)/trace")
            let feed = try program.feed(server.lines(1...2) + [server.url(3, query: "status=404")])
            let run = try program.run(["fetch", "--jsonl", "--log", log, "--trace", trace, feed])
            let told = try ProgramRun("/bin/cat", [log, trace], environment: program.environment())

            #expect(run.status == .exited(1) && told.text.contains("404"))
            #expect(!(run.text + run.errors + told.text).contains("s3cret"))
        }
    }
}
