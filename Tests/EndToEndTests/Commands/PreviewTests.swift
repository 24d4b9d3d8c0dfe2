import GalleryCore
import Glibc
import TerminalUI
import Testing
import VirtualTerminal

extension EndToEnd {
    /// `preview`, alone and in programs that show previews.
    @Suite struct PreviewTests {
        private let program = TestProgram()

        /// Starts a shell script in a terminal; `$p` is the program's `preview`.
        private func shell(_ script: String) throws -> PseudoTerminal {
            try PseudoTerminal(
                "/bin/sh",
                ["-c", "p='\(program.path) preview'; \(script); read x"],
                environment: program.environment(colorTerm: "truecolor")
            )
        }

        private func run(
            _ arguments: [String],
            columns: Int = 30,
            rows: Int = 6
        ) throws -> ProgramRun {
            let size = ["FZF_PREVIEW_COLUMNS": "\(columns)", "FZF_PREVIEW_LINES": "\(rows)"]
            return try ProgramRun(
                program.path,
                ["preview"] + arguments,
                environment: program.environment(adding: size)
            )
        }

        /// Returns the screen of a program that draws lines in a window of this size.
        private func window(_ output: [UInt8], columns: Int = 30, rows: Int = 6) -> VirtualScreen {
            // A larger screen shows lines that are too long and rows that are too many.
            var screen = VirtualScreen(size: ScreenSize(columns: columns + 20, rows: rows + 10))
            for byte in output {
                if byte == UInt8(ascii: "\n") { screen.write([UInt8(ascii: "\r")]) }
                screen.write([byte])
            }
            return screen
        }

        // MARK: Place

        @Test func `a placed preview changes only its box, and the cursor stays where it was`()
            throws
        {
            defer { program.remove() }
            let folder = try program.pictureFolder(count: 1)
            let terminal = try shell(
                "printf abc; $p --place 30x10@45x12 '\(folder)/picture 1.png'; printf 'def'"
            )

            try terminal.expect("abcdef")

            let box = FrameRect(row: 12, column: 45, rows: 10, columns: 30)
            #expect(terminal.screen.coloredCells(showing: 1).count > 50)
            #expect(terminal.screen.coloredCells().allSatisfy { box.contains($0) })
            #expect(terminal.screen.text(row: 22).isEmpty)
            #expect(terminal.screen.text.contains("picture 1.png"))
            // The terminal was asked nothing, because another program may read its input.
            #expect(!terminal.hasWritten("\u{1B}[c"))
        }

        @Test func `a box larger than the terminal is cut off and scrolls nothing`() throws {
            defer { program.remove() }
            let folder = try program.pictureFolder(count: 1)
            let terminal = try shell(
                "printf abc; $p --place 900x900@60x20 '\(folder)/picture 1.png'; printf 'def'"
            )

            try terminal.expect("abcdef")

            #expect(terminal.screen.text(row: 0) == "abcdef")
            let box = FrameRect(row: 20, column: 60, rows: 4, columns: 20)
            #expect(terminal.screen.coloredCells().allSatisfy { box.contains($0) })
        }

        @Test func `--clear removes the preview that was drawn last`() throws {
            defer { program.remove() }
            let folder = try program.pictureFolder(count: 1)
            let terminal = try shell(
                """
                $p --place 30x10@45x12 '\(folder)/picture 1.png'; printf 'drawn'; read x
                $p --clear; printf 'cleared'
                """
            )
            try terminal.expect("drawn")
            #expect(terminal.screen.coloredCells().count > 50)

            terminal.type("\n")

            try terminal.expect("cleared")
            #expect(terminal.screen.coloredCells().isEmpty)
            #expect(!terminal.screen.text.contains("picture"))
        }

        @Test func `the second preview in a terminal asks nothing and shows pixels`() throws {
            defer { program.remove() }
            let image = try program.pictureFolder(count: 1) + "/picture 1.png"
            let terminal = try shell(
                "$p '\(image)'; echo first; read x; $p '\(image)'; echo second"
            )
            var kitty = AnsweringTerminal.kitty
            try #require(terminal.wait { _ in terminal.hasWritten("\u{1B}[c") })
            terminal.type(kitty.answer(to: terminal.output))
            try #require(terminal.wait { _ in terminal.hasWritten("\u{1B}[?2026$p") })
            terminal.type(kitty.answer(to: terminal.output))
            try terminal.expect("first")
            #expect(terminal.hasWritten("a=T,U=1,"))
            let start = terminal.output.count

            terminal.type("\n")

            try terminal.expect("second")
            let more = String(decoding: terminal.output[start...], as: UTF8.self)
            #expect(more.contains("a=T,U=1,"))
            #expect(!more.contains("\u{1B}[c") && !more.contains("\u{1B}[>q"))
        }

        // MARK: Lines

        @Test(arguments: [(30, 6), (12, 3), (1, 1), (2, 40), (80, 2)])
        func `lines fit into the window of fzf`(columns: Int, rows: Int) throws {
            defer { program.remove() }
            let folder = try program.pictureFolder(count: 5)

            for name in ["\(folder)/picture 1.png", folder] {
                let run = try run([name], columns: columns, rows: rows)
                let screen = window(run.output, columns: columns, rows: rows)

                #expect(run.status == .exited(0) && run.errors.isEmpty)
                #expect(screen.row < rows)
                let rest = screen.text.split(separator: "\n").map(\.count).max() ?? 0
                #expect(rest <= columns)
                #expect(screen.coloredCells().allSatisfy { $0.column < columns && $0.row < rows })
                #expect(!screen.coloredCells().isEmpty)
            }
        }

        @Test func `a folder is a sheet of the images that fit`() throws {
            defer { program.remove() }
            let folder = try program.pictureFolder(count: 9)

            let run = try run([folder], columns: 40, rows: 17)

            let screen = window(run.output, columns: 40, rows: 17)
            for number in 1...4 {
                #expect(screen.coloredCells(showing: number).count > 20, "\(number)")
            }
            #expect(run.text.contains("picture 4.png") && !run.text.contains("picture 5.png"))
        }

        @Test func `--no-caption leaves the row to the image`() throws {
            defer { program.remove() }
            let folder = try program.pictureFolder(count: 1)

            let run = try run(["--no-caption", "\(folder)/picture 1.png"])

            #expect(!run.text.contains("picture") && run.lines.count == 5)
        }

        @Test func `the reason for a missing image is one line in the box`() throws {
            defer { program.remove() }
            let pipe = "\(program.home)/pipe"
            mkfifo(pipe, 0o600)
            let damaged = try program.write(
                [0x89] + "PNG\r\n\u{1A}\n damaged".utf8,
                to: "damaged.png"
            )

            for (name, status) in [
                (pipe, 66), ("/dev/zero", 66), ("/no/such/file", 66), (damaged, 1),
            ] {
                let run = try run([name], columns: 60)
                #expect(run.status == .exited(Int32(status)), "\(name)")
                #expect(run.errors.isEmpty && !run.output.isEmpty)
                let screen = window(run.output, columns: 60)
                #expect(screen.row < 6 && screen.coloredCells().isEmpty)
            }
            let run = try run([pipe], columns: 60)
            #expect(run.lines.count == 1 && run.text.contains("not a file or folder"))
        }

        @Test func `the captions of print are links with --links`() throws {
            defer { program.remove() }
            let folder = try program.pictureFolder(count: 2)

            let linked = try program.run(["print", "--links", folder])

            #expect(linked.text.contains("\u{1B}]8;;file://\(folder)/picture%201.png\u{1B}\\"))
            #expect(try !program.run(["print", folder]).text.contains("\u{1B}]8;;"))
        }

        // MARK: Programs

        @Test func `fzf shows each image in its window, and nothing of the previous one`() throws {
            defer { program.remove() }
            let folder = try program.pictureFolder(count: 4)
            let preview = "'\(program.path)' preview --offline -- {}"
            let fzf = try PseudoTerminal(
                "/usr/bin/fzf",
                ["--preview", preview, "--preview-window", "right,40,border-left"],
                environment: program.environment(
                    adding: ["FZF_DEFAULT_COMMAND": "ls -1 '\(folder)'/*"]
                )
            )

            let window = FrameRect(row: 0, column: 40, rows: 24, columns: 40)
            for number in 1...4 {
                try fzf.expect("picture \(number)") { $0.shows(number, in: window) }
                // Ctrl-K selects the next line, which is above.
                fzf.type("\u{0B}")
            }

            #expect(fzf.screen.shows(4, in: window))
        }

        @Test func `lf shows each image in its pane, and nothing of the previous one`() throws {
            defer { program.remove() }
            let folder = try program.pictureFolder(count: 4)
            let root = #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
            let settings = try program.write(
                "set previewer /\(root)/Integrations/lf/preview\n".utf8,
                to: "lfrc"
            )
            let tools = program.path.split(separator: "/").dropLast().joined(separator: "/")
            let lf = try PseudoTerminal(
                "/usr/bin/lf",
                ["-config", settings, folder],
                environment: program.environment(
                    colorTerm: "truecolor",
                    adding: ["PATH": "/\(tools):/usr/bin:/bin"]
                )
            )

            let pane = FrameRect(row: 1, column: 39, rows: 22, columns: 41)
            for number in 1...4 {
                try lf.expect("picture \(number)") { $0.shows(number, in: pane) }
                lf.type("j")
            }

            #expect(lf.screen.shows(4, in: pane))
        }
    }
}

extension FrameRect {
    fileprivate func contains(_ cell: (row: Int, column: Int)) -> Bool {
        contains(row: cell.row, column: cell.column)
    }
}

extension VirtualScreen {
    /// Returns the cells with a 24-bit color; if `number` is given, only those of this sample image.
    fileprivate func coloredCells(showing number: Int? = nil) -> [(row: Int, column: Int)] {
        (0..<size.rows).flatMap { row in
            (0..<size.columns).compactMap { column in
                let cell = self[row, column]
                let colors = [cell.foreground.kind, cell.background.kind]
                let isColored = colors.contains { kind in
                    guard case .rgb(let red, _, _) = kind else { return false }
                    let wanted = number.map { Int(SamplePictures.red(number: $0)) }
                    return wanted.map { abs(Int(red) - $0) < 20 } ?? true
                }
                return isColored ? (row, column) : nil
            }
        }
    }

    /// Returns whether the window shows this sample image, and the screen shows no other image.
    fileprivate func shows(_ number: Int, in window: FrameRect) -> Bool {
        let shown = coloredCells(showing: number)
        return shown.count > 50 && shown.count == coloredCells().count
            && shown.allSatisfy { window.contains($0) }
    }
}
