internal import CLinux
internal import Glibc

/// Starts threads of our own.
///
/// They are never joined: they end when `body` returns.
enum OwnThread {
    /// Starts a thread that runs `body`; false if the system has no thread left.
    ///
    /// All signals are blocked in it: the program takes them through a `signalfd`, which works only
    /// if no other thread accepts them. `niceness` is added to the caller's, since a process that
    /// was started with `nice` is to stay behind the others; on Linux it is a property of the
    /// thread, and no higher than 19. The kernel cuts `name` to 15 bytes.
    static func start(
        name: String,
        niceness: Int = 0,
        body: @escaping @Sendable () -> Void
    ) -> Bool {
        let start = Unmanaged.passRetained(
            ThreadStart {
                setName(name)
                if niceness != 0 { raiseNiceness(by: niceness) }
                body()
            }
        )
        let status = create(start.toOpaque())
        if status != 0 { start.release() }
        return status == 0
    }

    private static func raiseNiceness(by levels: Int) {
        // 0 names the calling thread.
        let thread = __priority_which_t(PRIO_PROCESS.rawValue)
        setpriority(thread, 0, getpriority(thread, 0) + Int32(clamping: levels))
    }

    /// Through procfs, since `pthread_setname_np` is not in the Glibc module.
    private static func setName(_ name: String) {
        let file = open("/proc/thread-self/comm", O_WRONLY | O_CLOEXEC)
        guard file >= 0 else { return }
        write(file, name, name.utf8.count)
        close(file)
    }

    private static func create(_ start: UnsafeMutableRawPointer) -> Int32 {
        var all = sigset_t()
        var before = sigset_t()
        sigfillset(&all)
        // The new thread inherits the mask, so that there is no moment in which it takes a signal.
        pthread_sigmask(SIG_SETMASK, &all, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        var thread = pthread_t()
        return pthread_create(&thread, &attributes, runThread, start)
    }
}

private func runThread(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let argument else { return nil }
    Unmanaged<ThreadStart>.fromOpaque(argument).takeRetainedValue().body()
    return nil
}

/// Carries a closure through a C pointer.
private final class ThreadStart: Sendable {
    let body: @Sendable () -> Void

    init(body: @escaping @Sendable () -> Void) {
        self.body = body
    }
}

/// An eventfd: wakes a thread that polls its descriptor beside others.
///
/// Rings until it is silenced. Everything may be called on any thread.
final class WakeupDescriptor: Sendable {
    /// Readable while it rings.
    let descriptor: Int32

    /// Nil if the process has no file descriptor left.
    init?() {
        descriptor = clinux_eventfd()
        guard descriptor >= 0 else { return nil }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    func ring() {
        clinux_eventfd_signal(descriptor)
    }

    func silence() {
        _ = clinux_take(descriptor)
    }
}
