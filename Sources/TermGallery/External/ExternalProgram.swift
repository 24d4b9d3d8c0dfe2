import CLinux
import Glibc
import ImageLoading
import SystemSupport

/// A namespace for starting other programs for the user.
///
/// Arguments are passed individually and never through a shell, so text from a feed can't become a
/// command.
enum ExternalProgram {
    /// The descriptors for the program's input and output; -1 means `/dev/null`.
    struct Streams {
        var input: Int32 = -1
        var output: Int32 = -1
    }

    /// The value of `POSIX_SPAWN_SETSID`, which glibc declares only if its own extensions are
    /// enabled.
    private static let newSession: Int32 = 0x80

    /// Returns whether there is an executable with this name or path.
    static func exists(_ name: String) -> Bool {
        guard !name.contains("/") else { return access(FileText.path(name), X_OK) == 0 }
        let path = getenv("PATH").map { FileText.text(cString: $0) } ?? "/usr/bin:/bin"
        return path.split(separator: ":").contains { folder in
            access(FileText.path("\(folder)/\(name)"), X_OK) == 0
        }
    }

    /// Starts a program and returns its process ID or an error.
    ///
    /// If `isDetached` is true, the program runs in its own session and outlives the gallery and
    /// its terminal.
    static func start(
        _ words: [String],
        _ streams: Streams,
        isDetached: Bool
    ) -> Result<pid_t, SpawnError> {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        let places = [
            (streams.input, STDIN_FILENO, O_RDONLY), (streams.output, STDOUT_FILENO, O_WRONLY),
            (streams.output, STDERR_FILENO, O_WRONLY),
        ]
        for (source, target, mode) in places {
            if source < 0 {
                posix_spawn_file_actions_addopen(&actions, target, "/dev/null", mode, 0)
            } else {
                posix_spawn_file_actions_adddup2(&actions, source, target)
            }
        }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // The gallery blocks signals because it reads them from a descriptor, and it ignores one
        // signal. The program must not inherit either setting.
        var (none, all) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        let session = isDetached ? newSession : 0
        let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | session
        posix_spawnattr_setflags(&attributes, Int16(flags))
        let arguments = words.map { strdup(FileText.path($0)) }
        defer { arguments.forEach { free($0) } }
        guard let name = arguments.first, let name else {
            return .failure(SpawnError(code: EINVAL))
        }
        var child: pid_t = 0
        let code = posix_spawnp(
            &child,
            name,
            &actions,
            &attributes,
            arguments + [nil],
            clinux_environment()
        )
        return code == 0 ? .success(child) : .failure(SpawnError(code: code))
    }

    /// The reason why a program could not be started.
    struct SpawnError: Error, Equatable {
        let code: Int32

        var reason: String {
            code == E2BIG
                ? "too many names for one command; use | instead"
                : String(cString: strerror(code))
        }
    }

    /// Starts a program that doesn't need a terminal, and returns an error if it can't be started.
    ///
    /// `onEnd` is called on another thread with the exit code of the program.
    static func startDetached(
        _ words: [String],
        input: Int32 = -1,
        onEnd: @escaping @Sendable (_ code: Int32) -> Void
    ) -> SpawnError? {
        switch start(words, Streams(input: input), isDetached: true) {
        case .failure(let error): return error
        case .success(let process):
            // If no thread can be started, the ended process remains a zombie until the gallery
            // exits, which is harmless.
            _ = POSIXThread.startDetached(name: "opener") {
                var status: Int32 = 0
                while waitpid(process, &status, 0) < 0, errno == EINTR {}
                onEnd(status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F)
            }
            return nil
        }
    }
}
