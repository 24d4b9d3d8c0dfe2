import GalleryCore
import Glibc
import TerminalUI
import Testing
import VirtualTerminal

@Suite struct PseudoTerminalTests {
    private func shell(_ script: String) throws -> PseudoTerminal {
        try PseudoTerminal("/bin/sh", ["-c", script], environment: ["PATH": "/usr/bin:/bin"])
    }

    @Test func `typed keys arrive and written text is shown`() throws {
        let terminal = try shell("read name; echo Hello, $name")
        terminal.type("world\n")

        #expect(terminal.wait(for: "Hello, world"))
        #expect(terminal.waitForEnd() == .exited(0))
    }

    @Test func `text that was shown only briefly is observed`() throws {
        let terminal = try shell(#"printf 'message\033[1G       \033[1Glast'"#)

        #expect(terminal.wait(for: "message"))
        #expect(terminal.wait(for: "last") && !terminal.screen.text.contains("message"))
    }

    @Test func `an exit code and a signal are distinguished`() throws {
        #expect(try shell("exit 69").waitForEnd() == .exited(69))
        #expect(try shell("kill -TERM $$").waitForEnd() == .killed(by: SIGTERM))
    }

    @Test func `the program sees the size and its changes`() throws {
        let terminal = try shell(
            "stty size; trap 'stty size; exit' WINCH; echo ready; read x; read x"
        )
        #expect(terminal.wait(for: "24 80") && terminal.wait(for: "ready"))

        terminal.resize(to: ScreenSize(columns: 40, rows: 12))

        #expect(terminal.wait(for: "12 40"))
    }

    @Test func `a change of the terminal's modes is observed`() throws {
        let terminal = try shell("read x; stty raw -echo; echo changed; read x")
        let before = terminal.modes
        terminal.type("\n")

        #expect(terminal.wait(for: "changed"))
        #expect(terminal.modes != before)
    }
}
