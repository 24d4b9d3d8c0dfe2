import GalleryCore
import Glibc
import TerminalUI
import Testing
import VirtualTerminal

extension EndToEnd {
    /// The terminal is asked what it can do, and answers, late, not, or oddly.
    @Suite struct DetectionTests {
        private let program = TestProgram()
        private let firstQuestion = "\u{1B}[>q"
        private let lastQuestion = "\u{1B}[c"

        private func gallery() throws -> PseudoTerminal {
            try program.openGallery([program.pictureFolder(count: 8)])
        }

        /// Reads until the program has written a text a number of times, and returns the last
        /// position.
        @discardableResult
        private func wait(
            for text: String,
            times: Int = 1,
            in terminal: PseudoTerminal
        ) throws -> Int {
            var places: [Int] = []
            let isThere = terminal.wait { _ in
                places = terminal.places(of: text)
                return places.count >= times
            }
            try #require(isThere, "\(text.debugDescription) \(places.count) times")
            return places[times - 1]
        }

        @Test func `the terminal is queried after the first frame, in one piece and once`() throws {
            defer { program.remove() }
            let terminal = try gallery()

            let asked = try wait(for: firstQuestion, in: terminal)
            try wait(for: lastQuestion, in: terminal)
            try terminal.expect("the pictures", where: showsPictures(1...8))

            let before = String(decoding: terminal.output[..<asked], as: UTF8.self)
            #expect(before.contains("help"))
            #expect(before.hasSuffix("\u{1B}[?2026l"))
            // Without an answer, nothing more is requested, and keys work as usual.
            terminal.type("l")
            try terminal.expectPosition("2/8")
            terminal.type("q")
            try terminal.expectEnd(.exited(0))
            #expect(terminal.places(of: firstQuestion).count == 1)
            #expect(!terminal.hasWritten("\u{1B}_G") && !terminal.hasWritten("\u{1B}P"))
            #expect(terminal.screen.isRestored)
        }

        @Test func `responses between keys are not keys, and the last one is awaited`() throws {
            defer { program.remove() }
            let terminal = try gallery()
            var kitty = AnsweringTerminal.kitty
            try wait(for: lastQuestion, in: terminal)
            // The questions are asked while the folder is still being read. Until it is, there is
            // nothing to move to.
            try terminal.expectPosition("1/8")

            // At once: half an answer is given up if this test is kept waiting for 0.5 s.
            terminal.type("l" + kitty.answer(to: terminal.output) + "l")
            try wait(for: lastQuestion, times: 2, in: terminal)
            terminal.type(kitty.answer(to: terminal.output) + "\u{1B}[B")

            try terminal.expectPosition("7/8")
            // All of them are shown in pixels, and the terminal has received their positions.
            try wait(for: "a=T,U=1,", times: 8, in: terminal)
            #expect(!terminal.screen.text.contains("no such key"))
            terminal.type("q")
            try terminal.expectEnd(.exited(0))
            #expect(terminal.screen.isRestored && sharedMemory(of: terminal.process).isEmpty)
        }

        @Test func `where symbols are two columns wide the screen is in ASCII`() throws {
            defer { program.remove() }
            let terminal = try gallery()
            try wait(for: lastQuestion, in: terminal)
            try terminal.expect("the pictures", where: showsPictures(1...8))
            // The signs that were measured are painted over.
            #expect(terminal.hasWritten("·▄\u{1B}[6n"))
            #expect(!terminal.screen.text.contains("·▄"))

            terminal.type("\u{1B}[2;5R\u{1B}[?63;22c")

            try terminal.expect("ASCII") { screen in
                screen.text.contains("help") && screen.text.utf8.allSatisfy { $0 < 0x80 }
            }
            terminal.type("q")
            try terminal.expectEnd(.exited(0))
            #expect(terminal.screen.isRestored)
        }

        @Test func `a key that looks like half a response is that key`() throws {
            defer { program.remove() }
            let terminal = try gallery()
            try wait(for: lastQuestion, in: terminal)
            try terminal.expectPosition("1/8")

            terminal.type("\u{1B}P>|kit\u{1B}[C")

            try terminal.expectPosition("2/8")
        }

        @Test func `responses do not reach the shell if the user quits immediately`() throws {
            defer { program.remove() }
            let folder = try program.pictureFolder(count: 8)
            let terminal = try PseudoTerminal(
                "/bin/sh",
                ["-c", "\(program.path) \(folder); echo over; read line; echo got:$line:"],
                environment: program.environment(colorTerm: "truecolor")
            )
            var kitty = AnsweringTerminal.kitty
            try wait(for: lastQuestion, in: terminal)

            terminal.type("q" + kitty.answer(to: terminal.output))
            try terminal.expect("over")
            terminal.type("x\n")

            try terminal.expect("got:x:")
        }

        @Test func `pasted text is never a command`() throws {
            defer { program.remove() }
            let terminal = try gallery()
            try terminal.expectPosition("1/8")

            terminal.type("\u{1B}[200~jjCyXq\u{1B}[B\rq\u{1B}[201~l")

            try terminal.expectPosition("2/8")
            #expect(!terminal.screen.text.contains("disk cache"))
        }

        @Test func `after a stop the terminal is queried again, after the first frame`() throws {
            defer { program.remove() }
            let terminal = try gallery()
            try wait(for: lastQuestion, in: terminal)

            terminal.send(SIGSTOP)
            try #require(terminal.waitForStop())
            let stopped = terminal.output.count
            terminal.send(SIGCONT)
            let asked = try wait(for: firstQuestion, times: 2, in: terminal)

            let shown = String(decoding: terminal.output[stopped..<asked], as: UTF8.self)
            #expect(shown.contains("help"))
        }

        @Test(arguments: [
            (AnsweringTerminal.kitty, "kitty graphics with Unicode placeholders", "9x18"),
            (.foot, "sixel", "9x18"), (.xterm, "sixel", ""),
        ])
        func `doctor reports the terminal's responses and the resulting settings`(
            answering: AnsweringTerminal,
            pixels: String,
            cell: String
        ) throws {
            defer { program.remove() }
            var answering = answering
            let file = "\(program.home)/report"
            // Standard output is not a terminal, but the terminal is still queried.
            let terminal = try PseudoTerminal(
                "/bin/sh",
                ["-c", "read go; \(program.path) doctor > \(file); echo done; read x"],
                environment: program.environment()
            )
            let before = terminal.modes
            terminal.type("\n")
            try wait(for: lastQuestion, in: terminal)
            #expect(terminal.modes != before)
            terminal.type(answering.answer(to: terminal.output))
            try wait(for: lastQuestion, times: 2, in: terminal)
            terminal.type(answering.answer(to: terminal.output))
            try wait(for: "done", in: terminal)

            let report = try #require(text(of: file))
            #expect(
                report.contains("\npixels: \(pixels)")
                    && report.contains("cell size \(cell)") == !cell.isEmpty
            )
            #expect(terminal.modes == before)
        }

        @Test func `doctor stops waiting for a silent terminal`() throws {
            defer { program.remove() }
            let terminal = try PseudoTerminal(
                program.path,
                ["doctor"],
                environment: program.environment()
            )

            try wait(for: "queries; no answer", in: terminal)
            try terminal.expectEnd(.exited(0))
        }

        @Test(arguments: [
            ("printf 'kitty(0.47.4)\\n1\\n'", "tmux passes them through to kitty 0.47.4"),
            ("printf 'kitty(0.47.4)\\n0\\n'", "tmux set -p allow-passthrough on"),
            ("exec sleep 1000", "tmux 3.3a has no sixel"), ("exit 1", "tmux 3.3a has no sixel"),
        ])
        func `tmux is asked for the outer terminal, with a short limit`(
            script: String,
            line: String
        ) throws {
            defer { program.remove() }
            let tmux = try program.write("#!/bin/sh\n\(script)\n".utf8, to: "tmux")
            chmod(tmux, 0o700)
            let terminal = try PseudoTerminal(
                program.path,
                ["doctor"],
                environment: program.environment(
                    term: "tmux-256color",
                    adding: ["TMUX": "socket", "PATH": "\(program.home):/usr/bin:/bin"]
                ),
                size: ScreenSize(columns: 160, rows: 50)
            )
            var answering = AnsweringTerminal([
                (firstQuestion, "\u{1B}P>|tmux 3.3a\u{1B}\\"), (lastQuestion, "\u{1B}[?1;2c"),
            ])

            try wait(for: lastQuestion, in: terminal)
            terminal.type(answering.answer(to: terminal.output))
            try wait(for: lastQuestion, times: 2, in: terminal)
            terminal.type(answering.answer(to: terminal.output))

            try terminal.expect(line)
            try terminal.expectEnd(.exited(0))
        }

        private func text(of file: String) -> String? {
            guard let stream = fopen(file, "r") else { return nil }
            defer { fclose(stream) }
            var bytes = [UInt8](repeating: 0, count: 65_536)
            let count = fread(&bytes, 1, bytes.count, stream)
            return String(decoding: bytes[..<count], as: UTF8.self)
        }

        private func sharedMemory(of process: pid_t) -> [String] {
            fileNames(under: "/dev/shm").filter { $0.hasPrefix("termgallery-\(process)-") }
        }
    }
}

extension PseudoTerminal {
    /// Returns the positions of a text in the output of the program.
    fileprivate func places(of text: String) -> [Int] {
        let wanted = Array(text.utf8)
        return output.indices.filter {
            output[$0] == wanted[0] && output[$0...].starts(with: wanted)
        }
    }
}
