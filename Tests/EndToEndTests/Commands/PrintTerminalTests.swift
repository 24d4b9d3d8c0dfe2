import Decoders
import Glibc
import TerminalUI
import Testing
import VirtualTerminal

extension EndToEnd {
    /// `print` in a terminal.
    @Suite struct PrintTerminalTests {
        private let program = TestProgram()
        private static let reset = "\u{1B}\\\u{1B}[0m\u{1B}[?25h"

        @Test(arguments: [SIGINT, SIGTERM])
        func `an interrupted print resets the colors and the cursor`(signal: Int32) throws {
            defer { program.remove() }
            let folder = try program.pictureFolder(count: 1)
            let terminal = try program.openGallery(["print", folder])
            try #require(terminal.wait { _ in terminal.hasWritten("\u{1B}[c") })

            if signal == SIGINT { terminal.type("\u{3}") } else { terminal.send(signal) }

            try terminal.expectEnd(.killed(by: signal))
            #expect(terminal.hasWritten(Self.reset))
        }

        @Test(arguments: [
            (keys: "\u{3}", signal: SIGINT), (keys: "\u{1B}\u{3}", signal: SIGINT),
            (keys: "", signal: SIGTERM), (keys: "", signal: SIGHUP),
        ])
        func `a signal while a slow terminal is queried ends print and restores the modes`(
            ending: (keys: String, signal: Int32)
        ) throws {
            defer { program.remove() }
            let folder = try program.pictureFolder(count: 1)
            let terminal = try PseudoTerminal(
                "/bin/sh",
                ["-c", "echo before; read x; exec \(program.path) print \(folder)"],
                environment: program.environment(colorTerm: "truecolor")
            )
            try terminal.expect("before")
            let before = terminal.modes
            terminal.type("\n")
            try #require(terminal.wait { _ in terminal.hasWritten("\u{1B}[c") })

            if ending.keys.isEmpty {
                terminal.send(ending.signal)
            } else {
                terminal.type(ending.keys)
            }

            try terminal.expectEnd(.killed(by: ending.signal))
            #expect(terminal.modes == before)
        }

        @Test(arguments: [24, 12])
        func `a single portrait fits the rows of the terminal`(rows: Int) throws {
            defer { program.remove() }
            let size = PixelSize(width: 300, height: 900)
            let bytes = [UInt8](repeating: 200, count: size.pixelCount * 4)
            let portrait = PixelBuffer(size: size, bytes: bytes, hasAlpha: false)
            try program.write(PNGEncoder.encode(portrait), to: "portrait.png")

            let run = try ProgramRun(
                program.path,
                ["print", "\(program.home)/portrait.png"],
                environment: program.environment(adding: ["LINES": "\(rows)"])
            )

            #expect(run.status == .exited(0))
            #expect((rows - 3..<rows).contains(run.lines.count), "\(run.lines.count)")
        }

        @Test func `print waits for both rounds of responses, and shows pixels`() throws {
            defer { program.remove() }
            let folder = try program.pictureFolder(count: 1)
            let terminal = try program.openGallery(["print", folder])
            var kitty = AnsweringTerminal.kitty
            try #require(terminal.wait { _ in terminal.hasWritten("\u{1B}[c") })
            terminal.type(kitty.answer(to: terminal.output))
            try #require(terminal.wait { _ in terminal.hasWritten("\u{1B}[?2026$p") })
            terminal.type(kitty.answer(to: terminal.output))

            try terminal.expectEnd(.exited(0))
            #expect(terminal.hasWritten("a=T,U=1,"))
        }
    }
}
