import CPseudoTerminal
import Glibc

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
