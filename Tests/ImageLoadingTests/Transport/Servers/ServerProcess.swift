import Glibc

/// A system program that a test needs; it ends with this object, and in any case with the test
/// process.
///
/// A shell between the two ends the program as soon as its standard input is closed.
final class ServerProcess: Sendable {
    private let process: pid_t
    private let leash: Int32

    /// Starts `arguments` with `listener`, if there is one, as file descriptor 3.
    init(_ arguments: [String], environment: [String: String] = [:], listener: Int32? = nil) {
        var ends: [Int32] = [0, 0]
        precondition(pipe(&ends) == 0)
        leash = ends[1]
        let script = #""$@" </dev/null & child=$!; read line; kill $child; wait $child"#
        process = Self.spawn(
            ["/bin/sh", "-c", script, "sh"] + arguments,
            environment: environment,
            files: [0: ends[0], 3: listener ?? ends[0]]
        )
        close(ends[0])
    }

    deinit {
        close(leash)
        waitpid(process, nil, 0)
    }

    /// Runs a program to its end; returns its exit status, or 127 if the program does not exist.
    static func run(_ arguments: [String]) -> Int32 {
        var status: Int32 = 0
        waitpid(spawn(["/usr/bin/env"] + arguments, environment: [:], files: [:]), &status, 0)
        return (status >> 8) & 0xFF
    }

    private typealias CloseFrom =
        @convention(c) (
            UnsafeMutablePointer<posix_spawn_file_actions_t>, Int32
        ) -> Int32

    /// A GNU function that the Glibc module lacks; available since glibc 2.34.
    private static let closeFrom: CloseFrom = {
        guard let symbol = dlsym(nil, "posix_spawn_file_actions_addclosefrom_np") else {
            preconditionFailure("the tests need glibc 2.34 or later")
        }
        return unsafeBitCast(symbol, to: CloseFrom.self)
    }()

    /// Starts a program; `files` maps descriptors of the program to our descriptors.
    ///
    /// The program inherits no other descriptors, because connections of parallel tests would
    /// otherwise stay open in the program.
    private static func spawn(
        _ arguments: [String],
        environment: [String: String],
        files: [Int32: Int32]
    ) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (number, file) in files { posix_spawn_file_actions_adddup2(&actions, file, number) }
        _ = closeFrom(&actions, 4)
        // Test threads block signals, and a shell that does not receive SIGCHLD would wait forever.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        let path = "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
        let variables = [path] + environment.map { "\($0)=\($1)" }
        var argv = arguments.map { strdup($0) } + [nil]
        var envp = variables.map { strdup($0) } + [nil]
        defer { for text in argv + envp { free(text) } }
        var process: pid_t = 0
        precondition(posix_spawn(&process, arguments[0], &actions, &attributes, &argv, &envp) == 0)
        return process
    }
}
