import CLinux
import Glibc
import ImageLoading

/// Whether the system lets the program have what it can't do without, asked before it begins: a
/// thread that is missing later would be a wait without an end.
enum StartCheck {
    /// What the engine, the screen and the runtime have between them while a feed is loaded.
    private static let threadCount = 10
    /// Room for a few images beside the threads' stacks.
    private static let byteCount = 64 << 20

    static let noThread = ProgramFailure(
        .systemFailure,
        "the system provides no more threads; raise the limit on processes (ulimit -u, or "
            + "the container's) or on memory (ulimit -v, ulimit -d)"
    )

    static let noMemory = ProgramFailure(
        .systemFailure,
        "the limits on memory (ulimit -v, ulimit -d) leave less than \(byteCount >> 20) MiB"
    )

    /// The smallest stack of the main thread, in bytes.
    ///
    /// Parsing the arguments overflows a stack of 128 KiB.
    private static let stackByteCount = 512 << 10

    static let noStack = ProgramFailure(
        .systemFailure,
        "the limit on the stack is less than \(stackByteCount >> 10) KiB; raise it (ulimit -s 8192)"
    )

    static let noFiles = ProgramFailure(
        .systemFailure,
        "fewer than \(DescriptorLimit.reserve) files may be open at once; raise the limit "
            + "(ulimit -n)"
    )

    /// Takes that many threads and that much memory for a moment, the first time it is called: a
    /// fifth of a millisecond.
    static func run() throws {
        if let failure { throw failure }
    }

    /// Throws if the main thread's stack is too small; to be called first.
    static func checkStack() throws {
        if let limit = limit(RLIMIT_STACK), limit < stackByteCount { throw noStack }
    }

    private static let failure = findFailure()

    private static func findFailure() -> ProgramFailure? {
        // Libraries that can't be opened would be said to be missing.
        guard DescriptorLimit.raised().count >= DescriptorLimit.reserve else { return noFiles }
        if limit(RLIMIT_AS) != nil { clinux_share_one_arena() }
        var isRoomy = false
        // Where there is a limit that may be near, they must be gone before others are wanted.
        let hasThreads = POSIXThread.canStart(threadCount, waitsForEnd: isLimited) {
            isRoomy = hasRoom()
        }
        guard hasThreads else { return noThread }
        return isRoomy ? nil : noMemory
    }

    /// Whether there is a limit on memory, or a low one on processes.
    private static var isLimited: Bool {
        limit(RLIMIT_AS) != nil || limit(RLIMIT_DATA) != nil || limit(__RLIMIT_NPROC) ?? .max < 8192
    }

    private static func limit(_ resource: __rlimit_resource) -> Int? {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(resource.rawValue), &limit) == 0 else { return nil }
        return limit.rlim_cur > UInt(Int.max) ? nil : Int(limit.rlim_cur)
    }

    private static func hasRoom() -> Bool {
        let flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE
        let room = mmap(nil, byteCount, PROT_READ | PROT_WRITE, flags, -1, 0)
        guard let room, room != MAP_FAILED else { return false }
        munmap(room, byteCount)
        return true
    }
}

/// How many files the process may have open, and what that allows.
struct DescriptorLimit: Equatable {
    /// Files that are open whatever is loaded: the terminal, caches, clocks, libraries.
    static let reserve = 20
    /// A transfer's connection, the two ends by which its look-up is awaited, the name server's
    /// socket, and a file that is read or written.
    private static let perTransfer = 5

    let count: Int

    /// The process's limit, raised to what it may be raised to.
    static func raised() -> DescriptorLimit {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else {
            return DescriptorLimit(count: 1_024)
        }
        if limit.rlim_cur < limit.rlim_max {
            var raised = limit
            raised.rlim_cur = limit.rlim_max
            if setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &raised) == 0 {
                limit = raised
            }
        }
        return DescriptorLimit(count: Int(clamping: limit.rlim_cur))
    }

    /// As many as are wanted, or as there is room for; at least one.
    func transferCount(wanted: Int) -> Int {
        max(1, min(wanted, idleConnectionCount))
    }

    /// Connections that may lie idle: one for each transfer there is room for.
    var idleConnectionCount: Int { max(1, (count - Self.reserve) / (Self.perTransfer + 1)) }
}

/// Standard input, output and errors.
enum StandardDescriptors {
    /// Opens what nothing can be written to in place of each one that is closed: the next file would get its
    /// number, and what is meant for the reader would be written into that file.
    static func open() {
        // In their order: what is opened gets the lowest number that is free.
        for descriptor in STDIN_FILENO...STDERR_FILENO
        where fcntl(descriptor, F_GETFD) == -1 && errno == EBADF {
            _ = Glibc.open("/dev/null", O_RDONLY)
        }
    }
}
