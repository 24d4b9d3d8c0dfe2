internal import CLinux
internal import Glibc

/// A POSIX thread.
///
/// The thread blocks all signals except crash signals. The program receives the other signals
/// through a `signalfd`, which works only if no thread accepts them.
package struct POSIXThread: Sendable {
    private let identifier: pthread_t
    private static let crashes = [SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGFPE, SIGSYS, SIGABRT]

    /// Starts a thread that runs `body`; returns nil if the system cannot create another thread.
    ///
    /// The caller must call either `join` or `detach` exactly once. `niceness` is added to the
    /// caller's nice value, so a process started with `nice` keeps its low priority. On Linux, each
    /// thread has its own nice value, with a maximum of 19. The kernel truncates `name` to 15
    /// bytes. If `name` is nil, the thread has the same name as the thread that starts it.
    package static func start(
        name: String?,
        niceness: Int = 0,
        body: @escaping @Sendable () -> Void
    ) -> POSIXThread? {
        let start = Unmanaged.passRetained(
            ThreadStart {
                if let name { setName(name) }
                if niceness != 0 { raiseNiceness(by: niceness) }
                body()
            }
        )
        var all = sigset_t()
        var before = sigset_t()
        sigfillset(&all)
        for signal in Self.crashes { sigdelset(&all, signal) }
        // The new thread inherits the mask, so it never accepts a blocked signal, not even briefly.
        pthread_sigmask(SIG_SETMASK, &all, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        var identifier = pthread_t()
        guard pthread_create(&identifier, nil, runThread, start.toOpaque()) == 0 else {
            start.release()
            return nil
        }
        return POSIXThread(identifier: identifier)
    }

    /// Starts a thread that the system frees when `body` returns.
    ///
    /// Returns false if the system cannot create another thread.
    package static func startDetached(
        name: String,
        niceness: Int = 0,
        body: @escaping @Sendable () -> Void
    ) -> Bool {
        guard let thread = start(name: name, niceness: niceness, body: body) else { return false }
        thread.detach()
        return true
    }

    /// Starts `count` threads and returns whether all of them could be created.
    ///
    /// If all of them are created, `body` is called while they exist. The threads end soon
    /// afterward. If `waitsForEnd` is true, this function returns after they have ended, which
    /// takes longer on a busy machine, because each thread must first be scheduled.
    package static func canStart(
        _ count: Int,
        waitsForEnd: Bool,
        whileThere body: () -> Void
    ) -> Bool {
        let gate = Monitor(false)
        var threads: [POSIXThread] = []
        while threads.count < count {
            let thread = start(name: nil) { gate.wait { isOpen in isOpen ? () : nil } }
            guard let thread else { break }
            threads.append(thread)
        }
        if threads.count == count { body() }
        gate.withLock(waking: .all) { $0 = true }
        for thread in threads { if waitsForEnd { thread.join() } else { thread.detach() } }
        return threads.count == count
    }

    /// Waits until the thread has ended; if called on the thread itself, detaches it instead.
    package func join() {
        if pthread_equal(identifier, pthread_self()) != 0 {
            detach()
        } else {
            pthread_join(identifier, nil)
        }
    }

    /// Makes the system free the thread's resources when it ends.
    package func detach() {
        pthread_detach(identifier)
    }

    private static func raiseNiceness(by levels: Int) {
        // 0 means the calling thread.
        let thread = __priority_which_t(PRIO_PROCESS.rawValue)
        setpriority(thread, 0, getpriority(thread, 0) + Int32(clamping: levels))
    }

    /// Sets the name of the calling thread through procfs, because the Glibc module lacks
    /// `pthread_setname_np`; ignores errors.
    private static func setName(_ name: String) {
        let file = open("/proc/thread-self/comm", O_WRONLY | O_CLOEXEC)
        guard file >= 0 else { return }
        write(file, name, name.utf8.count)
        close(file)
    }
}

private func runThread(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let argument else { return nil }
    withHandlerStack { Unmanaged<ThreadStart>.fromOpaque(argument).takeRetainedValue().body() }
    return nil
}

/// Runs `body` with a second stack for signal handlers.
///
/// The handlers then run even after a stack overflow. If a sanitizer has already set a second
/// stack, that stack is kept.
private func withHandlerStack(_ body: () -> Void) {
    var current = stack_t()
    guard sigaltstack(nil, &current) == 0, current.ss_flags & Int32(SS_DISABLE) != 0 else {
        return body()
    }
    let byteCount = 64 << 10
    let memory = UnsafeMutableRawPointer.allocate(byteCount: byteCount, alignment: 16)
    var own = stack_t(ss_sp: memory, ss_flags: 0, ss_size: byteCount)
    sigaltstack(&own, nil)
    body()
    own.ss_flags = Int32(SS_DISABLE)
    sigaltstack(&own, nil)
    memory.deallocate()
}

/// A closure wrapped in an object, so it can be passed through a C pointer.
private final class ThreadStart: Sendable {
    let body: @Sendable () -> Void

    init(body: @escaping @Sendable () -> Void) {
        self.body = body
    }
}

/// An eventfd that wakes a thread; the thread polls it together with other descriptors.
///
/// After a call to `signal`, the descriptor is readable until `reset` is called. All methods can be
/// called on any thread.
package final class WakeupDescriptor: Sendable {
    /// The descriptor to poll.
    package let descriptor: Int32

    /// Creates an eventfd, or returns nil if the process cannot open another file descriptor.
    package init?() {
        descriptor = clinux_eventfd()
        guard descriptor >= 0 else { return nil }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// Makes the descriptor readable.
    package func signal() {
        clinux_eventfd_signal(descriptor)
    }

    /// Makes the descriptor unreadable until the next call to `signal`.
    package func reset() {
        _ = clinux_take(descriptor)
    }
}
