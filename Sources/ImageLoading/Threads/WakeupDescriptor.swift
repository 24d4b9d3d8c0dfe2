internal import CLinux
internal import Glibc

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
