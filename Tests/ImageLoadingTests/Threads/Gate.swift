import Foundation

/// Holds threads until it is opened; for ever open afterwards.
final class Gate: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    func open() {
        semaphore.signal()
    }

    /// Blocks the calling thread, so only for threads of our own.
    func pass() {
        semaphore.wait()
        semaphore.signal()
    }
}
