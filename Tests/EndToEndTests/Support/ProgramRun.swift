import CPseudoTerminal
import Glibc
import TerminalUI

/// A run of a program to its end, without a terminal: what it wrote and how it ended.
struct ProgramRun {
    /// nil if it had to be killed.
    let status: ExitStatus?
    let output: [UInt8]
    let errors: String

    var text: String { String(decoding: output, as: UTF8.self) }
    var lines: [Substring] { text.split(separator: "\n") }

    /// Runs `program` in a session of its own, which has no terminal, with nothing on standard
    /// input.
    init(
        _ program: String,
        _ arguments: [String],
        environment: [String: String],
        atMost patience: Duration = PseudoTerminal.patience
    ) throws {
        let end = ContinuousClock.now + patience
        let variables = environment.map { "\($0.key)=\($0.value)" }
        let child = CStrings.with([program] + arguments) { arguments in
            CStrings.with(variables) { environment in
                cpseudoterminal_spawn_piped(program, arguments, environment)
            }
        }
        guard child.process > 0 else { throw PseudoTerminalError.cannotStart(child.error) }
        defer {
            close(child.output)
            close(child.errors)
        }
        let written = Self.drain([child.output, child.errors], before: end)
        output = written[0]
        errors = String(decoding: written[1], as: UTF8.self)
        status = Self.end(of: child.process, before: end)
    }

    private static func end(
        of process: pid_t,
        before end: ContinuousClock.Instant
    ) -> ExitStatus? {
        if let status = EndedProcess.reap(process, before: end) {
            return ExitStatus(waitStatus: status)
        }
        kill(process, SIGKILL)
        waitpid(process, nil, 0)
        return nil
    }

    /// Reads all until the last writer of each has gone, or until `end`.
    private static func drain(
        _ descriptors: [Int32],
        before end: ContinuousClock.Instant
    ) -> [[UInt8]] {
        var sources = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        var written = descriptors.map { _ in [UInt8]() }
        while sources.contains(where: { $0.fd >= 0 }) {
            let count = nfds_t(sources.count)
            guard poll(&sources, count, ContinuousClock.now.millisecondsLeft(until: end)) > 0 else {
                break
            }
            for index in sources.indices where sources[index].revents != 0 {
                var bytes = [UInt8](repeating: 0, count: 65_536)
                let count = read(sources[index].fd, &bytes, bytes.count)
                if count > 0 { written[index] += bytes[..<count] } else { sources[index].fd = -1 }
            }
        }
        return written
    }
}

/// A run of a program that goes on while the test does something else.
final class BackgroundRun {
    private let child: cpseudoterminal_piped
    private var isOver = false

    /// Starts `program` in a session of its own, with nothing on standard input; what it writes is
    /// kept by the pipes, so it should be little.
    init(_ program: String, _ arguments: [String], environment: [String: String]) throws {
        let variables = environment.map { "\($0.key)=\($0.value)" }
        child = CStrings.with([program] + arguments) { arguments in
            CStrings.with(variables) { environment in
                cpseudoterminal_spawn_piped(program, arguments, environment)
            }
        }
        guard child.process > 0 else { throw PseudoTerminalError.cannotStart(child.error) }
    }

    deinit {
        if !isOver {
            kill(child.process, SIGKILL)
            waitpid(child.process, nil, 0)
        }
        close(child.output)
        close(child.errors)
    }

    /// Sends it a signal that it may answer.
    func send(_ signal: Int32) {
        kill(child.process, signal)
    }

    /// Ends it at once, without a chance to tidy up.
    func killAtOnce() {
        kill(child.process, SIGKILL)
        waitpid(child.process, nil, 0)
        isOver = true
    }

    /// Waits for its end; nil if it does not come.
    func status() -> ExitStatus? {
        let end = ContinuousClock.now + PseudoTerminal.patience
        guard let status = EndedProcess.reap(child.process, before: end) else { return nil }
        isOver = true
        return ExitStatus(waitStatus: status)
    }
}

/// Waits for a child without spinning and without blocking for ever.
enum EndedProcess {
    /// The wait status of `process` once it has ended; nil if it still runs at `end`.
    static func reap(_ process: pid_t, before end: ContinuousClock.Instant) -> Int32? {
        let watch = cpseudoterminal_watch(process)
        guard watch >= 0 else { return nil }
        defer { close(watch) }
        var source = pollfd(fd: watch, events: Int16(POLLIN), revents: 0)
        var status: Int32 = 0
        guard poll(&source, 1, ContinuousClock.now.millisecondsLeft(until: end)) > 0,
            waitpid(process, &status, 0) == process
        else { return nil }
        return status
    }
}

extension ContinuousClock.Instant {
    /// What `poll` is to wait until `end`; 0 if that is past.
    func millisecondsLeft(until end: ContinuousClock.Instant) -> Int32 {
        let left = duration(to: end).components
        let milliseconds = left.seconds * 1000 + left.attoseconds / 1_000_000_000_000_000
        return Int32(clamping: max(0, milliseconds))
    }
}

/// How a program ended.
enum ExitStatus: Equatable {
    /// By itself, with a code.
    case exited(Int32)
    /// By a signal; a shell shows 128 + its number.
    case killed(by: Int32)

    /// Reads what `waitpid` reports of a process that has ended.
    init(waitStatus status: Int32) {
        self = status & 0x7F == 0 ? .exited(status >> 8 & 0xFF) : .killed(by: status & 0x7F)
    }
}

/// Why a test has no program to drive.
enum PseudoTerminalError: Error {
    /// The system's reason.
    case cannotStart(Int32)
}

/// A terminal's modes as values.
struct TerminalModes: Equatable {
    let flags: [UInt32]
    let characters: [UInt8]

    init(_ modes: termios) {
        flags = [modes.c_iflag, modes.c_oflag, modes.c_cflag, modes.c_lflag]
        characters = withUnsafeBytes(of: modes.c_cc) { Array($0) }
    }
}
