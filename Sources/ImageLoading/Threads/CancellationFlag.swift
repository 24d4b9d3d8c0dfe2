internal import Synchronization

/// Tells work that runs on a thread of its own that nobody waits for it any more.
public final class CancellationFlag: Sendable {
    private let flag = Atomic(false)

    /// Makes a flag that is not set.
    public init() {}

    /// Whether it was set; costs a few nanoseconds, callable on any thread.
    public var isCancelled: Bool { flag.load(ordering: .relaxed) }

    /// Sets it for ever.
    public func cancel() {
        flag.store(true, ordering: .relaxed)
    }
}
