internal import Glibc

/// A thread of its own that can be joined.
///
/// All signals are blocked in it: the program takes them through a `signalfd`, which works only if
/// no other thread accepts them. The new thread inherits the mask, so there is no moment in which
/// it would take one.
struct CurlThread: Sendable {
    private let identifier: pthread_t

    /// Starts `body`; nil if the system has no thread left.
    static func start(_ body: @escaping @Sendable () -> Void) -> CurlThread? {
        let start = Unmanaged.passRetained(ThreadStart(body))
        var all = sigset_t()
        var before = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_SETMASK, &all, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        var identifier = pthread_t()
        guard pthread_create(&identifier, nil, runThread, start.toOpaque()) == 0 else {
            start.release()
            return nil
        }
        return CurlThread(identifier: identifier)
    }

    /// Waits for the end of the thread; a thread that ends itself is let go instead.
    func join() {
        if pthread_equal(identifier, pthread_self()) != 0 {
            pthread_detach(identifier)
        } else {
            pthread_join(identifier, nil)
        }
    }
}

/// Carries a closure through a C pointer.
private final class ThreadStart: Sendable {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) {
        self.body = body
    }
}

private func runThread(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let argument else { return nil }
    // Through procfs, since the Glibc module lacks `pthread_setname_np`; best effort.
    let file = open("/proc/thread-self/comm", O_WRONLY | O_CLOEXEC)
    if file >= 0 {
        write(file, "transport", 9)
        close(file)
    }
    Unmanaged<ThreadStart>.fromOpaque(argument).takeRetainedValue().body()
    return nil
}
