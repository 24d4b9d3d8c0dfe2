import CPseudoTerminal
import GalleryCore
import Glibc
import PropertyRuns
import TerminalUI
import VirtualTerminal

/// A program running in a terminal of its own, driven by a test.
///
/// Nothing here sleeps: every wait ends as soon as what it waits for is there, and the deadline
/// is only where a test gives up. Used from the test's thread.
final class PseudoTerminal {
    /// The screen of the program.
    private(set) var screen: VirtualScreen
    /// Everything that the program wrote.
    private(set) var output: [UInt8] = []
    /// The process.
    let process: pid_t

    /// How long a test waits before it gives up: sanitized builds on two busy cores are slow.
    static let patience = Duration.seconds(PropertyRuns.isSanitized ? 180 : 60)

    private var pieces = OutputPieces()
    private var master: Int32
    private var status: Int32?

    /// Starts a program.
    ///
    /// Its environment is exactly `environment`.
    init(
        _ program: String,
        _ arguments: [String] = [],
        environment: [String: String],
        size: ScreenSize = ScreenSize(columns: 80, rows: 24)
    ) throws {
        let variables = environment.map { "\($0.key)=\($0.value)" }
        let child = CStrings.with([program] + arguments) { arguments in
            CStrings.with(variables) { environment in
                cpseudoterminal_spawn(
                    program,
                    arguments,
                    environment,
                    Int32(size.rows),
                    Int32(size.columns)
                )
            }
        }
        guard child.process > 0 else { throw PseudoTerminalError.cannotStart(child.error) }
        process = child.process
        master = child.master
        screen = VirtualScreen(size: size)
    }

    deinit {
        if status == nil {
            kill(process, SIGKILL)
            waitpid(process, nil, 0)
        }
        hangUp()
    }

    // MARK: Input

    /// Types text; control characters are keys (`"\u{3}"` is Ctrl-C).
    func type(_ text: String) {
        let bytes = Array(text.utf8)
        write(master, bytes, bytes.count)
    }

    /// Changes the window's size.
    func resize(to size: ScreenSize) {
        screen.resize(to: size)
        _ = cpseudoterminal_resize(master, Int32(size.rows), Int32(size.columns))
    }

    /// Sends a signal to the program.
    func send(_ signal: Int32) {
        kill(process, signal)
    }

    /// Closes the window.
    func hangUp() {
        if master >= 0 { close(master) }
        master = -1
    }

    /// Clears the screen model, to detect what is drawn from now on.
    func forgetScreen() {
        screen = VirtualScreen(size: screen.size)
    }

    // MARK: Screen

    /// Reads until the screen satisfies `condition`; false if it doesn't before the deadline or
    /// the program ends first.
    func wait(
        atMost deadline: Duration = PseudoTerminal.patience,
        until condition: (VirtualScreen) -> Bool
    ) -> Bool {
        let end = ContinuousClock.now + deadline
        while !condition(screen) {
            guard readSome(before: end) else { return condition(screen) }
        }
        return true
    }

    /// Reads until the screen shows a text.
    func wait(for text: String, atMost deadline: Duration = PseudoTerminal.patience) -> Bool {
        wait(atMost: deadline) { $0.text.contains(text) }
    }

    /// Reads until the program has ended; how it ended, or nil at the deadline.
    func waitForEnd(atMost deadline: Duration = PseudoTerminal.patience) -> ExitStatus? {
        let end = ContinuousClock.now + deadline
        while readSome(before: end) {}
        guard let status = reap(before: end) else { return nil }
        return ExitStatus(waitStatus: status)
    }

    /// Reads until the program has stopped (Ctrl-Z); false at the deadline or if it ended.
    func waitForStop(atMost deadline: Duration = PseudoTerminal.patience) -> Bool {
        let end = ContinuousClock.now + deadline
        while ContinuousClock.now < end {
            var status: Int32 = 0
            if waitpid(process, &status, WUNTRACED | WNOHANG) == process {
                guard status & 0xFF == 0x7F else {
                    self.status = status
                    return false
                }
                return true
            }
            _ = readSome(before: min(end, ContinuousClock.now + .milliseconds(20)))
        }
        return false
    }

    /// The terminal's modes, to compare before and after.
    var modes: TerminalModes {
        var modes = termios()
        tcgetattr(master, &modes)
        return TerminalModes(modes)
    }

    // MARK: Reading

    /// Waits for output and writes one piece of it to `screen`.
    ///
    /// Returns false if no output arrives before `end` or the program has closed the terminal.
    private func readSome(before end: ContinuousClock.Instant) -> Bool {
        while !pieces.hasWhole, fetchPieces(before: end) {}
        guard !pieces.isEmpty else { return false }
        screen.write(pieces.next())
        return true
    }

    private func fetchPieces(before end: ContinuousClock.Instant) -> Bool {
        let milliseconds = ContinuousClock.now.millisecondsLeft(until: end)
        guard milliseconds > 0, master >= 0 else { return false }
        var source = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
        guard poll(&source, 1, milliseconds) > 0 else { return false }
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = read(master, &bytes, bytes.count)
        // EIO: no process has the terminal open any more.
        guard count > 0 else { return false }
        output += bytes[..<count]
        pieces.append(bytes[..<count])
        return true
    }

    /// The master reports the end of output a moment before the process can be waited for.
    private func reap(before end: ContinuousClock.Instant) -> Int32? {
        if status == nil { status = EndedProcess.reap(process, before: end) }
        return status
    }
}

/// Strings as C wants the arguments and the environment of a program.
enum CStrings {
    /// Calls `body` with a list that ends with null and lasts as long as the call.
    static func with<Result>(
        _ strings: [String],
        _ body: ([UnsafeMutablePointer<CChar>?]) throws -> Result
    ) rethrows -> Result {
        let copies = strings.map { strdup($0) }
        defer { copies.forEach { free($0) } }
        return try body(copies + [nil])
    }
}
