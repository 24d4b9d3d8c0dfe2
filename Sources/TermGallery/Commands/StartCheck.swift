import CLinux
import Glibc
import ImageLoading
import SystemSupport

/// Checks at startup that enough threads, memory and open files are available.
///
/// Without this check, the program would wait forever if a thread could not be started later.
enum StartCheck {
    /// The number of threads that run while a feed is being loaded.
    ///
    /// The threads load images, draw the screen or run Swift tasks.
    private static let threadCount = 10
    /// The memory for a few images, in bytes, in addition to the thread stacks.
    private static let byteCount = 64 << 20

    static let noThread = ProgramFailure(
        .systemFailure,
        "the system provides no more threads; raise the limit on processes (ulimit -u, or "
            + "the container's) or on memory (ulimit -v, ulimit -d)"
    )

    static let noMemory = ProgramFailure(
        .systemFailure,
        "less than \(byteCount >> 20) MiB of memory may be used; raise the limits (ulimit -v, ulimit -d)"
    )

    /// The minimum stack size of the main thread, in bytes.
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

    /// Throws an error if the limit on open files is too low, or threads or memory can't be
    /// allocated.
    ///
    /// The check runs only on the first call and takes 0.2 ms.
    static func run() throws {
        if let failure { throw failure }
    }

    /// Throws an error if the main thread's stack is too small.
    ///
    /// Call this method before doing anything else.
    static func checkStack() throws {
        if let limit = limit(RLIMIT_STACK), limit < stackByteCount { throw noStack }
    }

    private static let failure = findFailure()

    private static func findFailure() -> ProgramFailure? {
        // The limit on open files is checked first because libraries that can't be opened would
        // otherwise be reported as missing.
        guard DescriptorLimit.raised().count >= DescriptorLimit.reserve else { return noFiles }
        if limit(RLIMIT_AS) != nil { clinux_share_one_arena() }
        var isRoomy = false
        // If the process may be near a limit, the test threads must end before other threads are
        // started.
        let hasThreads = POSIXThread.canStart(threadCount, waitsForEnd: isLimited) {
            isRoomy = hasRoom()
        }
        guard hasThreads else { return noThread }
        return isRoomy ? nil : noMemory
    }

    /// Whether the process has a memory limit, or a limit on processes below 8,192.
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

/// The limit on open files, and the limits on transfers and connections that follow from it.
struct DescriptorLimit: Equatable {
    /// The number of descriptors reserved for the terminal, caches, clocks and libraries.
    ///
    /// These descriptors are always in use.
    static let reserve = 20
    /// The number of descriptors per transfer.
    ///
    /// A transfer needs a descriptor for its connection, two for signaling the end of its name
    /// lookup, one for a socket to the name server, and one for a file to read or write.
    private static let perTransfer = 5

    let count: Int

    /// Raises the process's limit on open files to the maximum, and returns the new limit.
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

    /// Returns the smaller of `wanted` and the number of transfers that the limit allows.
    func transferCount(wanted: Int) -> Int {
        max(1, min(wanted, idleConnectionCount))
    }

    /// The maximum number of idle connections: one for each transfer that the limit allows.
    var idleConnectionCount: Int { max(1, (count - Self.reserve) / (Self.perTransfer + 1)) }
}

/// Standard input, standard output and standard error.
enum StandardDescriptors {
    /// Opens `/dev/null` for reading on each closed standard descriptor.
    ///
    /// Otherwise, the next file to be opened would get the number of the closed descriptor, and
    /// text for the user would be written to that file.
    static func open() {
        // The descriptors are opened in ascending order because a new descriptor gets the lowest
        // free number.
        for descriptor in STDIN_FILENO...STDERR_FILENO
        where fcntl(descriptor, F_GETFD) == -1 && errno == EBADF {
            _ = Glibc.open("/dev/null", O_RDONLY)
        }
    }
}
