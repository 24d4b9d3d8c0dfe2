import CPseudoTerminal
import Glibc

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
