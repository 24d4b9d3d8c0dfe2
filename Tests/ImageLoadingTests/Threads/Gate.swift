import Foundation

/// Blocks threads until it is opened; it then stays open.
final class Gate: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    func open() {
        semaphore.signal()
    }

    /// Blocks the calling thread, which must be one of the program's own threads.
    func pass() {
        semaphore.wait()
        semaphore.signal()
    }
}
