import GalleryCore
import Glibc
import TerminalUI
import Testing
import VirtualTerminal

extension EndToEnd {
    /// How the gallery leaves the terminal, for a while or for good.
    @Suite struct LeavingTests {
        private let program = TestProgram()

        @Test func `q ends with 0 and restores the terminal`() throws {
            defer { program.remove() }
            let (terminal, before) = try galleryAfterShell()
            #expect(terminal.screen.isAlternate && terminal.modes != before)

            terminal.type("q")

            try terminal.expectEnd(.exited(0))
            #expect(terminal.modes == before)
            #expect(terminal.screen.isRestored)
            try terminal.expect("before the gallery")
        }

        @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
        func `a signal ends the gallery while the output of a command is shown`(
            signal: Int32
        ) throws {
            defer { program.remove() }
            let terminal = try program.openGallery([try program.pictureFolder(count: 3)])
            try terminal.expectPosition("1/3")
            terminal.type("!echo text; false\r")
            try terminal.expect("it exited with status 1: press any key to return")

            terminal.send(signal)
            try terminal.expectEnd(.killed(by: signal))
        }

        @Test(arguments: [SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, SIGALRM, SIGXCPU])
        func `a deadly signal kills the program after the terminal is restored`(
            signal: Int32
        ) throws {
            defer { program.remove() }
            let (terminal, before) = try galleryAfterShell()

            terminal.send(signal)

            try terminal.expectEnd(.killed(by: signal))
            #expect(terminal.modes == before)
            #expect(terminal.screen.isRestored)
            try terminal.expect("before the gallery")
        }

        @Test func `Ctrl-C kills the program as an interrupt`() throws {
            defer { program.remove() }
            let (terminal, before) = try galleryAfterShell()

            terminal.type("\u{3}")

            try terminal.expectEnd(.killed(by: SIGINT))
            #expect(terminal.modes == before)
            #expect(terminal.screen.isRestored)
        }

        @Test func `closing the window ends the program`() throws {
            defer { program.remove() }
            let (terminal, _) = try galleryAfterShell()

            terminal.hangUp()

            #expect(terminal.waitForEnd() == .killed(by: SIGHUP))
        }

        @Test func `Ctrl-Z returns the terminal to the shell and fg takes it back`() throws {
            defer { program.remove() }
            let folder = try program.pictureFolder(count: 8)
            // A session leader is never stopped by Ctrl-Z, because no process could continue it, so
            // a shell is needed.
            let shell = try PseudoTerminal(
                "/bin/sh",
                ["-i"],
                environment: program.environment(colorTerm: "truecolor", adding: ["PS1": "ready "])
            )
            try shell.expect("ready")
            let before = shell.modes
            shell.type("\(program.path) \(folder)\n")
            try shell.expect("the pictures", where: showsPictures(1...8))

            shell.type("\u{1A}")
            try shell.expect("the shell's screen") { $0.isRestored && $0.text.contains("Stopped") }
            #expect(shell.modes == before)

            shell.resize(to: ScreenSize(columns: 120, rows: 40))
            shell.forgetScreen()
            shell.type("fg\n")
            try shell.expect("the pictures again", where: showsPictures(1...8))
            #expect(shell.screen.isAlternate)

            shell.type("q")
            try shell.expect("the shell's screen") { $0.isRestored }
            shell.type("echo status $?\n")
            try shell.expect("status 0")
            #expect(shell.modes == before)
        }

        @Test func `after an unexpected stop the whole screen is drawn again`() throws {
            defer { program.remove() }
            let terminal = try program.openGallery([program.pictureFolder(count: 8)])
            try terminal.expect("the pictures", where: showsPictures(1...8))
            terminal.send(SIGSTOP)
            try #require(terminal.waitForStop())

            terminal.forgetScreen()
            terminal.send(SIGCONT)

            try terminal.expect("the pictures again", where: showsPictures(1...8))
        }

        /// A gallery in the place of a shell, so that the modes before it are known.
        private func galleryAfterShell() throws -> (PseudoTerminal, before: TerminalModes) {
            let folder = try program.pictureFolder(count: 8)
            let terminal = try PseudoTerminal(
                "/bin/sh",
                ["-c", "echo before the gallery; read x; exec \(program.path) \(folder)"],
                environment: program.environment(colorTerm: "truecolor")
            )
            try terminal.expect("before the gallery")
            let before = terminal.modes
            terminal.type("\n")
            try terminal.expect("the pictures", where: showsPictures(1...8))
            return (terminal, before)
        }
    }
}
