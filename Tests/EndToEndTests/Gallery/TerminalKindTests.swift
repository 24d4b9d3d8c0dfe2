import Feeds
import GalleryCore
import TerminalUI
import Testing
import VirtualTerminal

extension EndToEnd {
    /// Terminals that can do less, or nothing.
    @Suite struct TerminalKindTests {
        private let program = TestProgram()

        @Test func `without a terminal the demo ends with 69 and a hint to print`() throws {
            defer { program.remove() }
            let run = try program.run(["demo"])

            #expect(run.status == .exited(69))
            #expect(run.output.isEmpty)
            #expect(run.errors.contains("termgallery print"))
            #expect(run.errors.split(separator: "\n").count == 1)
        }

        @Test(arguments: ["dumb", "unknown-thing", ""])
        func `an unusable terminal ends the program with 69 and the reason`(term: String) throws {
            defer { program.remove() }
            let terminal = try gallery(program.environment(term: term))

            try terminal.expectEnd(.exited(69))
            #expect(terminal.hasWritten("termgallery print"))
            #expect(!terminal.hasWritten("\u{1B}"))
        }

        @Test func `the smallest window shows an image`() throws {
            defer { program.remove() }
            let terminal = try program.openGallery(
                [program.pictureFolder(count: 3)],
                size: ScreenSize(columns: 20, rows: 5)
            )

            try terminal.expect("the first picture") { screen in
                screen.lastLine.hasPrefix(" 1/3 ") && screen.text.contains("▀▀▀▀▀▀▀▀")
            }
            terminal.resize(to: ScreenSize(columns: 19, rows: 4))
            try terminal.expect("20×5")
            terminal.resize(to: ScreenSize(columns: 80, rows: 24))
            try terminal.expect("the pictures", where: showsPictures(1...3))
        }

        @Test func `in an ASCII locale only ASCII is written`() throws {
            defer { program.remove() }
            let environment = program.environment(colorTerm: "truecolor", locale: "C")
            let terminal = try gallery(environment)

            try terminal.expect("a picture") { $0.isDrawn(above: "picture 8.png") }
            terminal.type("?")
            try terminal.expect("smaller, larger, cropped")
            #expect(terminal.output.allSatisfy { $0 <= 0x7E })
        }

        @Test(arguments: ["xx_YY.UTF-8", "UTF-8"], ["truecolor", ""])
        func `a missing locale passed on by ssh is UTF-8 if its name contains it`(
            locale: String,
            colorTerm: String
        ) throws {
            defer { program.remove() }
            let environment = program.environment(colorTerm: colorTerm, locale: locale)
            let terminal = try gallery(environment)

            try terminal.expect("a picture") { $0.isDrawn(above: "picture 8.png") }
            #expect(terminal.screen.text.contains("▀"))
        }

        @Test func `plain xterm-256color gets only colors of the palette`() throws {
            defer { program.remove() }
            let terminal = try gallery(program.environment(term: "xterm-256color"))

            try terminal.expect("a picture") { $0.isDrawn(above: "picture 8.png") }
            #expect(terminal.hasWritten("38;5;"))
            #expect(!terminal.hasWritten("38;2;"))
            #expect(terminal.screen.unknownSequences.isEmpty)
        }

        @Test(arguments: [
            (term: "xterm-256color", more: ["NO_COLOR": "1"]), (term: "vt100", more: [:]),
        ])
        func `a terminal without colors, or with NO_COLOR, gets none`(
            term: String,
            more: [String: String]
        ) throws {
            defer { program.remove() }
            let terminal = try gallery(program.environment(term: term, adding: more))

            try terminal.expect("a picture") { $0.isDrawn(above: "picture 8.png") }
            #expect(!terminal.hasWritten("8;5;") && !terminal.hasWritten("8;2;"))
            let isPlain = terminal.screen.frame.cells.allSatisfy { cell in
                cell.foreground == .terminalDefault && cell.background == .terminalDefault
            }
            #expect(isPlain)
        }

        @Test func `a feed on standard input leaves the keys to the terminal`() throws {
            defer { program.remove() }
            let folder = try program.pictureFolder(count: 8)
            let lines = (1...8).map { "\(folder)/picture \($0).\($0 % 3 == 0 ? "jpg" : "png")" }
            let feed = try program.feed(lines.map { "\"\($0)\"" })
            let terminal = try PseudoTerminal(
                "/bin/sh",
                ["-c", "cat \(feed) | \(program.path) -"],
                environment: program.environment(colorTerm: "truecolor")
            )
            try terminal.expect("the pictures", where: showsPictures(1...8))

            terminal.type("l")
            try terminal.expectPosition("2/8")
            terminal.type("q")
            try terminal.expectEnd(.exited(0))
            #expect(terminal.screen.isRestored)
        }

        private func gallery(_ environment: [String: String]) throws -> PseudoTerminal {
            try program.openGallery([program.pictureFolder(count: 8)], environment: environment)
        }
    }
}
