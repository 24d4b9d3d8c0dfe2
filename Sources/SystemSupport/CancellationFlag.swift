internal import Synchronization

/// A flag that signals running work that its result is no longer needed.
package final class CancellationFlag: Sendable {
    private let flag = Atomic(false)

    package init() {}

    /// Whether the flag is set; can be read on any thread within a few nanoseconds.
    package var isCancelled: Bool { flag.load(ordering: .relaxed) }

    /// Sets the flag permanently.
    package func cancel() {
        flag.store(true, ordering: .relaxed)
    }
}
