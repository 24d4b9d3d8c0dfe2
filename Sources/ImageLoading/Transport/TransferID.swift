internal import Synchronization

/// Names one transfer; never reused within a process.
public struct TransferID: Hashable, Sendable {
    private static let counter = Atomic<UInt64>(0)

    /// The number.
    public let rawValue: UInt64

    /// Makes an identifier with a number of your own; `unique()` gives one that is free.
    public init(rawValue: UInt64) {
        self.rawValue = rawValue
    }

    /// An identifier that no other call of this function returns.
    ///
    /// Callable on any thread.
    public static func unique() -> TransferID {
        TransferID(rawValue: counter.wrappingAdd(1, ordering: .relaxed).newValue)
    }
}
