import CLinux
import Glibc
import SystemSupport

/// Runs the `tmux` command to find out which terminal shows the session.
///
/// Queries do not block. When tmux replies, `descriptor` becomes readable. If there is no reply
/// within two seconds, the query is abandoned. Use this class on the UI thread only.
final class TmuxQuery {
    /// A descriptor that becomes readable when tmux writes output or exits, or -1 if no query is
    /// running.
    package private(set) var descriptor: Int32 = -1
    /// The last reply from tmux.
    package private(set) var answer: TmuxClient?

    private var process: pid_t = 0
    private var output: [UInt8] = []
    private var end: Duration?
    /// The time at which the next query starts, or nil if none is planned.
    ///
    /// Queries are repeated because tmux takes some time to identify a newly attached terminal.
    private var retry: Duration?
    private var retriesLeft = 0

    private static let patience = Duration.seconds(2)
    private static let retryPause = Duration.seconds(1)
    private static let retryCount = 3
    private static let longestOutput = 4096

    deinit {
        stop()
    }

    /// The time at which `proceed` must be called even if there is no output, or nil if no call is
    /// needed.
    var deadline: Duration? { [end, retry].compactMap(\.self).min() }

    /// Starts a query.
    ///
    /// If tmux has not identified the terminal yet, the query is repeated up to three times at
    /// intervals of one second.
    func start(now: Duration) {
        retriesLeft = Self.retryCount
        run(now: now)
    }

    /// Queries tmux and waits up to 2 seconds for its reply, or returns nil if tmux does not reply.
    static func ask() -> TmuxClient? {
        let query = TmuxQuery()
        let start = ContinuousClock.now
        query.run(now: .zero)
        while query.descriptor >= 0 {
            let now = start.duration(to: .now)
            if query.take(now: now) { break }
            var source = pollfd(fd: query.descriptor, events: Int16(POLLIN), revents: 0)
            _ = poll(&source, 1, max(.zero, patience - now).pollMilliseconds)
        }
        return query.answer
    }

    /// Starts a planned query if it is due, and reads the output of the running query.
    ///
    /// Returns true if a query has ended.
    func proceed(now: Duration) -> Bool {
        if let time = retry, now >= time {
            retry = nil
            run(now: now)
        }
        guard take(now: now) else { return false }
        if answer?.terminal == nil, retriesLeft > 0 {
            retriesLeft -= 1
            retry = now + Self.retryPause
        }
        return true
    }

    /// Stops the running query and cancels the planned query.
    func stop() {
        retry = nil
        finish()
    }

    /// Runs `tmux` unless it is already running.
    private func run(now: Duration) {
        guard descriptor < 0 else { return }
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
        guard let child = Self.spawn(writing: ends[1]) else {
            ends.forEach { close($0) }
            return
        }
        close(ends[1])
        (descriptor, process, output) = (ends[0], child, [])
        end = now + Self.patience
    }

    /// Reads the available output, and returns true if the query has ended.
    private func take(now: Duration) -> Bool {
        guard descriptor >= 0 else { return false }
        var bytes = [UInt8](repeating: 0, count: 1024)
        while true {
            let count = read(descriptor, &bytes, bytes.count)
            if count > 0, output.count < Self.longestOutput {
                output += bytes[..<count]
            } else if count == 0 || count > 0 {
                break
            } else {
                guard let end, now >= end else { return false }
                break
            }
        }
        answer = TmuxClient(output: String(decoding: output, as: UTF8.self))
        finish()
        return true
    }

    /// Ends the running query and its `tmux` process.
    private func finish() {
        guard descriptor >= 0 else { return }
        close(descriptor)
        // The output of the process is no longer needed, and the process has usually ended already.
        kill(process, SIGKILL)
        waitpid(process, nil, 0)
        (descriptor, end) = (-1, nil)
    }

    private static func spawn(writing output: Int32) -> pid_t? {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // The program blocks signals because it reads them from a descriptor. The child must not
        // inherit this signal mask.
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        var words = ["tmux", "display-message", "-p"]
        if let pane = getenv("TMUX_PANE") { words += ["-t", String(cString: pane)] }
        words.append(TmuxClient.format)
        let arguments = words.map { strdup($0) }
        defer { arguments.forEach { free($0) } }
        var child: pid_t = 0
        let variables = clinux_environment()
        let code = posix_spawnp(
            &child,
            "tmux",
            &actions,
            &attributes,
            arguments + [nil],
            variables
        )
        return code == 0 ? child : nil
    }
}

/// The reply from tmux: the terminal that shows the session, and whether tmux passes commands
/// through to it.
///
/// This type has no side effects.
package struct TmuxClient: Equatable, Sendable {
    /// The terminal that shows the session, or nil if tmux has not identified it.
    package var terminal: TerminalName?
    /// Whether `allow-passthrough` is on.
    var passesThrough: Bool

    /// The format argument for the `tmux` command, which prints each value on its own line.
    package static let format = "#{client_termtype}\n#{allow-passthrough}"

    package init(terminal: TerminalName?, passesThrough: Bool) {
        (self.terminal, self.passesThrough) = (terminal, passesThrough)
    }

    /// Parses the output of tmux, or returns nil if it is incomplete.
    package init?(output: String) {
        let lines = output.split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.count >= 2 else { return nil }
        terminal = TerminalName(lines[0])
        // tmux 3.3 prints a number, and later versions print a word.
        passesThrough = ["1", "2", "on", "all"].contains(lines[1])
    }
}
