import Feeds
import GalleryCore
import TerminalUI
import Testing
import VirtualTerminal

extension EndToEnd {
    /// `termgallery` with nothing behind it.
    @Suite struct BareCallTests {
        private let program = TestProgram()

        /// Runs a shell that changes to a folder before it executes the program.
        private func run(in folder: String, _ command: String) throws -> ProgramRun {
            try ProgramRun(
                "/bin/sh",
                ["-c", "cd '\(folder)' && \(command)"],
                environment: program.environment()
            )
        }

        @Test func `without a feed the gallery opens the current folder`() throws {
            defer { program.remove() }
            let folder = try program.pictureFolder(count: 9)
            let terminal = try PseudoTerminal(
                "/bin/sh",
                ["-c", "cd '\(folder)' && exec \(program.path)"],
                environment: program.environment(colorTerm: "truecolor"),
                size: ScreenSize(columns: 80, rows: 24)
            )

            try terminal.expect("the pictures", where: showsPictures(1...8))
            try terminal.expectPosition("1/9")
        }

        @Test func `without a feed the current folder is printed if output is not a terminal`()
            throws
        {
            defer { program.remove() }
            let run = try run(in: program.pictureFolder(count: 2), program.path)

            #expect(run.status == .exited(0))
            #expect(run.text.contains("picture 1.png") && run.text.contains("picture 2.png"))
        }

        @Test func `in a folder without images a message reports it and names the demo`() throws {
            defer { program.remove() }
            try program.write("text".utf8, to: "notes.txt")
            let run = try run(in: program.home, program.path)

            #expect(run.status == .exited(66) && run.output.isEmpty)
            #expect(
                run.errors == "termgallery: no images in this folder (1 that is not an image); "
                    + "name a feed, a folder or an image, or try `termgallery demo`\n"
            )
        }

        @Test func `a pipe is not read unless named, and the message explains how`() throws {
            defer { program.remove() }
            let run = try run(
                in: program.pictureFolder(count: 2),
                "echo 'picture 1.png' | \(program.path)"
            )

            #expect(run.status == .exited(2) && run.output.isEmpty)
            #expect(run.errors.contains("standard input is a pipe; to browse"))
        }
    }
}
