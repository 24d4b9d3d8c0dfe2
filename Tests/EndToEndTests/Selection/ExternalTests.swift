import Feeds
import Glibc
import TerminalUI
import Testing
import VirtualTerminal

extension EndToEnd {
    /// Other programs, the clipboard, and files that are saved.
    @Suite struct ExternalTests {
        private let program = TestProgram()

        /// A program of a few lines of shell; its path.
        private func script(_ name: String, _ lines: String) throws -> String {
            let path = try program.write("#!/bin/sh\n\(lines)\n".utf8, to: name)
            chmod(path, 0o700)
            return path
        }

        /// The gallery in the home, after a shell.
        private func gallery(
            _ arguments: String,
            _ variables: [String: String] = [:]
        ) throws -> PseudoTerminal {
            try PseudoTerminal(
                "/bin/sh",
                ["-c", "cd \(program.home); \(program.path) \(arguments); echo status $?"],
                environment: program.environment(colorTerm: "truecolor", adding: variables)
            )
        }

        @Test func `o gives the terminal to the opener and takes it back`() throws {
            defer { program.remove() }
            let folder = try program.pictureFolder(count: 9)
            let opener = try script("opener", "echo \"shows $1 $2\"; read key; exit 3")
            let terminal = try gallery("pictures", ["TERMGALLERY_OPENER": "\(opener) --"])
            try terminal.expect("the pictures", where: showsPictures(1...8))

            terminal.type("lo")
            try terminal.expect("the opener") {
                $0.isRestored && $0.text.contains("shows -- \(folder)/picture 2.png")
            }
            terminal.forgetScreen()
            terminal.type("\n")
            try terminal.expect("the pictures again", where: showsPictures(1...8))
            #expect(terminal.screen.isAlternate)
            try terminal.expect("exited with status 3")
            terminal.type("q")
            try terminal.expect("status 0")
        }

        @Test func `Ctrl-C ends the opener and not the gallery`() throws {
            defer { program.remove() }
            _ = try program.pictureFolder(count: 9)
            let opener = try script("opener", "echo waiting; exec sleep 1000")
            let terminal = try gallery("pictures", ["TERMGALLERY_OPENER": opener])
            try terminal.expect("the pictures", where: showsPictures(1...8))

            terminal.type("o")
            try terminal.expect("waiting")
            terminal.type("\u{3}")
            try terminal.expect("terminated by signal 2")
            try terminal.expectPosition("1/9")
        }

        @Test func `an opener that does not exist is a message, and the screen stays`() throws {
            defer { program.remove() }
            _ = try program.pictureFolder(count: 9)
            let terminal = try gallery("pictures", ["TERMGALLERY_OPENER": "nowhere -x"])
            try terminal.expect("the pictures", where: showsPictures(1...8))

            terminal.type("o")
            try terminal.expect("the program nowhere")
            #expect(terminal.screen.isAlternate)
            #expect(!terminal.hasWritten("\u{1B}[?1049l"))
        }

        @Test func `without an opener xdg-open is started in the background`() throws {
            defer { program.remove() }
            let folder = try program.pictureFolder(count: 9)
            mkdir("\(program.home)/bin", 0o700)
            _ = try script("bin/xdg-open", "echo \"$1\" > \"$HOME/opened\"; exit 4")
            let terminal = try gallery(
                "pictures",
                ["PATH": "\(program.home)/bin:/usr/bin:/bin"]
            )
            try terminal.expect("the pictures", where: showsPictures(1...8))

            terminal.type("o")
            try terminal.expect("xdg-open could not open it (exit status 4)")
            #expect(text("opened") == "\(folder)/picture 1.png\n")
            #expect(!terminal.hasWritten("\u{1B}[?1049l"))
        }

        @Test func `an image from the network is opened as a temporary file`() throws {
            defer { program.remove() }
            let server = try PictureServer()
            defer { server.stop() }
            _ = try program.feed(server.lines(1...3))
            let opener = try script("opener", "echo \"$1\" > opened; cp \"$1\" copy")
            let terminal = try gallery("feed.txt", ["TERMGALLERY_OPENER": opener])
            try terminal.expectPosition("1/3")

            terminal.type("o")
            #expect(eventually { text("copy").contains("PNG") || !bytes("copy").isEmpty })
            let path = text("opened").dropLast()
            #expect(path.hasSuffix("/1.png"))
            #expect(access(String(path), R_OK) == 0)
            terminal.type("q")
            try terminal.expect("status 0")
            #expect(access(String(path), R_OK) != 0)
        }

        @Test func `a command gets the marked files as its arguments, and a key returns`() throws {
            defer { program.remove() }
            let name = "a;touch hit; b"
            let bytes = try SamplePictures.file(number: 1).bytes
            for title in ["\(name).png", "c.png"] { _ = try program.write(bytes, to: title) }
            let terminal = try gallery("*.png")
            try terminal.expectPosition("1/2")

            terminal.type("mm!printf '<%s>' {} end\r")
            try terminal.expect("the command") {
                $0.isRestored && $0.text.contains("press any key to return")
            }
            let wanted = "<\(program.home)/\(name).png><\(program.home)/c.png><end>"
            #expect(terminal.hasWritten(wanted))
            terminal.type("x")
            try terminal.expectPosition("2/2")
            #expect(access("\(program.home)/hit", F_OK) != 0)

            terminal.type("|wc -l > lines; exit 7\r")
            try terminal.expect("it exited with status 7: press any key")
            #expect(text("lines") == "2\n")
            terminal.type("x")
            try terminal.expectPosition("2/2")
            terminal.type("q")
            try terminal.expect("status 0")
        }

        @Test
        func `a command without output returns immediately, and one with output waits for a key`()
            throws
        {
            defer { program.remove() }
            _ = try program.pictureFolder(count: 3)
            let terminal = try gallery("pictures")
            try terminal.expectPosition("1/3")

            let lines = ["echo said": "", "false": "it exited with status 1: "]
            // Where the cursor is before and after: of the second command somewhere else.
            for (command, after) in [("true", "5;1"), ("echo said", "6;1"), ("false", "5;1")] {
                let asked = "\u{1B}[6n"
                let known = occurrences(of: asked, in: terminal.output)
                terminal.type("!\(command)\r")
                try terminal.expect("a question") { _ in
                    occurrences(of: asked, in: terminal.output) > known
                }
                terminal.type("\u{1B}[5;1R")
                if command != "false" {
                    try terminal.expect("another question") { _ in
                        occurrences(of: asked, in: terminal.output) > known + 1
                    }
                    terminal.type("\u{1B}[\(after)R")
                }
                // The line of an earlier command may still be on that screen: each has its own.
                if let line = lines[command] {
                    try terminal.expect("\(line)press any key to return")
                    terminal.type("x")
                }
                try terminal.expect("the gallery") { $0.isAlternate }
                try terminal.expectPosition("1/3")
            }
            terminal.type("q")
            try terminal.expect("status 0")
        }

        private func occurrences(of text: String, in bytes: [UInt8]) -> Int {
            String(decoding: bytes, as: UTF8.self).ranges(of: text).count
        }

        @Test func `D moves a file to the trash, and u restores it`() throws {
            defer { program.remove() }
            let folder = try program.pictureFolder(count: 9)
            let path = "\(folder)/picture 2.png"
            let terminal = try gallery("pictures")
            try terminal.expect("the pictures", where: showsPictures(1...8))

            // Held, it does nothing.
            terminal.type("lDDDDDyyy\r")
            try terminal.expect("nothing was deleted")
            #expect(access(path, F_OK) == 0)

            terminal.type("Dyes\r")
            try terminal.expect("1 file is in the trash")
            try terminal.expect("deleted")
            #expect(access(path, F_OK) != 0)
            #expect(!bytes(".local/share/Trash/files/picture 2.png").isEmpty)
            #expect(
                text(".local/share/Trash/info/picture 2.png.trashinfo")
                    .contains("Path=\(folder)/picture%202.png\n")
            )

            terminal.type("u")
            try terminal.expect("put back 1 file")
            try terminal.expect("the pictures again", where: showsPictures(1...8))
            #expect(access(path, F_OK) == 0)
        }

        @Test func `i shows the metadata of the image, and i closes it`() throws {
            defer { program.remove() }
            let folder = try program.pictureFolder(count: 9)
            let terminal = try gallery("pictures")
            try terminal.expect("the pictures", where: showsPictures(1...8))

            terminal.type("li")
            // The path takes two lines of the panel.
            try terminal.expect(String("\(folder)/picture 2.png".prefix(30)))
            try terminal.expect("48×48")
            try terminal.expect("changed")
            terminal.type("i")
            try terminal.expect("the pictures again", where: showsPictures(1...8))
        }

        @Test func `y copies the URL through the terminal`() throws {
            defer { program.remove() }
            let path = try program.write(SamplePictures.file(number: 1).bytes, to: "p.png")
            let terminal = try gallery("p.png")
            try terminal.expectPosition("1/1")

            terminal.type("y")
            try terminal.expect("URL copied")
            let start = try #require(
                String(decoding: terminal.output, as: UTF8.self).split(separator: "]52;c;").last
            )
            #expect(base64(path) == start.prefix { $0 != "\u{7}" })
        }

        @Test func `w saves in the current folder and overwrites nothing`() throws {
            defer { program.remove() }
            _ = try program.pictureFolder(count: 9)
            _ = try program.write("mine".utf8, to: "picture 2.png")
            let terminal = try gallery("pictures")
            try terminal.expectPosition("1/9")

            terminal.type("lw")
            try terminal.expect("saved as picture 2-2.png")
            #expect(text("picture 2.png") == "mine")
            #expect(bytes("picture 2-2.png") == (try SamplePictures.file(number: 2).bytes))

            terminal.type("4gmmw")
            try terminal.expect("saved 2 images")
            #expect(!bytes("picture 4.png").isEmpty && !bytes("picture 5.png").isEmpty)
        }

        private func bytes(_ name: String) -> [UInt8] {
            guard let file = fopen("\(program.home)/\(name)", "r") else { return [] }
            defer { fclose(file) }
            var bytes = [UInt8](repeating: 0, count: 1 << 18)
            return Array(bytes[..<fread(&bytes, 1, bytes.count, file)])
        }

        private func text(_ name: String) -> String { String(decoding: bytes(name), as: UTF8.self) }

        private func base64(_ text: String) -> String {
            let signs = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
            let bytes = Array(text.utf8)
            var result = ""
            for start in stride(from: 0, to: bytes.count, by: 3) {
                let part = bytes[start..<min(start + 3, bytes.count)]
                let bits = part.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - part.count))
                for place in 0..<4 {
                    result.append(place > part.count ? "=" : signs[bits >> (18 - 6 * place) & 63])
                }
            }
            return result
        }
    }
}
