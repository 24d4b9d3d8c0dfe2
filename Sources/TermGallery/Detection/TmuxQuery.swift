import CLinux
import Glibc

/// Asks tmux which terminal it is shown on, by its own program.
///
/// Nobody waits for it: the answer makes `descriptor` readable, and after a while it is given up.
/// Lives on the UI thread.
final class TmuxQuery {
    /// Readable when something came, or all has come; -1 while nothing is asked.
    private(set) var descriptor: Int32 = -1
    /// What tmux said last.
    private(set) var answer: TmuxClient?

    private var process: pid_t = 0
    private var output: [UInt8] = []
    private var end: Duration?

    private static let patience = Duration.seconds(2)
    private static let longestOutput = 4096

    deinit {
        stop()
    }

    /// When to give up; nil while nothing is asked.
    var deadline: Duration? { end }

    /// Starts asking, unless that is under way.
    func start(now: Duration) {
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

    /// Takes what has come; true if that is all.
    func take(now: Duration) -> Bool {
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
        stop()
        return true
    }

    /// Ends asking.
    func stop() {
        guard descriptor >= 0 else { return }
        close(descriptor)
        // It has nothing more to say; most often it has ended.
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
        // The program's own signals are blocked, for it reads them from a descriptor.
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

/// What tmux says of the terminal outside it, and of what it lets through.
///
/// Pure.
struct TmuxClient: Equatable, Sendable {
    /// The terminal that the session is shown on; nil if tmux doesn't know.
    var terminal: TerminalName?
    /// `allow-passthrough` is on.
    var passesThrough: Bool

    /// What tmux is asked: a line for each.
    static let format = "#{client_termtype}\n#{allow-passthrough}"

    init(terminal: TerminalName?, passesThrough: Bool) {
        (self.terminal, self.passesThrough) = (terminal, passesThrough)
    }

    /// Reads the answer; nil if it is none.
    init?(output: String) {
        let lines = output.split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.count >= 2 else { return nil }
        terminal = TerminalName(lines[0])
        // A number in 3.3, a word in later ones.
        passesThrough = ["1", "2", "on", "all"].contains(lines[1])
    }
}
