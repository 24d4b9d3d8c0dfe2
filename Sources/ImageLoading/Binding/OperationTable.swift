/// The purpose of an image in a view, such as its thumbnail or its preview.
///
/// Loads with different keys do not affect one another.
public struct OperationKey: Hashable, Sendable, ExpressibleByStringLiteral {
    /// The name of the purpose.
    public let name: String

    /// Creates a key from its name.
    public init(_ name: String) {
        self.name = name
    }

    /// Creates a key from its name.
    public init(stringLiteral name: String) {
        self.name = name
    }

    /// The key of a view's own image; corresponds to SDWebImage's `UIImageViewImageLoad`.
    public static let image: OperationKey = "image"
}

/// The running loads of one view, like SDWebImage's operation dictionary.
///
/// Each key has at most one load or one group of loads. Use a table for a view that shows several
/// images; a view with a single image needs only an `ImageBinding`. A table is not `Sendable` and
/// must be used in its view's domain. It owns its operations and cancels them when it is
/// deallocated.
public final class OperationTable {
    private var operations: [OperationKey: [LoadOperation]] = [:]

    /// Creates an empty table.
    public init() {}

    deinit {
        cancelAll()
    }

    /// Cancels the running loads for `key`, then stores `operation`.
    public func set(_ operation: LoadOperation, for key: OperationKey) {
        set([operation], for: key)
    }

    /// Cancels the running loads for `key`, then stores the unfinished operations of `group`.
    public func set(_ group: [LoadOperation], for key: OperationKey) {
        cancel(key)
        // A load that has already ended with a memory hit is not stored.
        let live = group.filter { !$0.isFinished }
        operations[key] = live.isEmpty ? nil : live
    }

    /// Cancels and removes the loads for `key`, if any.
    public func cancel(_ key: OperationKey) {
        // Remove the loads first, because a completion may call this method again.
        for operation in operations.removeValue(forKey: key) ?? [] { operation.cancel() }
    }

    /// Cancels and removes the loads for `key` because the view requests the same image again, for
    /// example at a different size.
    func cancelAsReplaced(_ key: OperationKey) {
        for operation in operations.removeValue(forKey: key) ?? [] { operation.cancelAsReplaced() }
    }

    /// Removes the loads for `key` without cancelling them.
    public func remove(_ key: OperationKey) {
        operations[key] = nil
    }

    /// Cancels and removes all loads.
    public func cancelAll() {
        for key in Array(operations.keys) { cancel(key) }
    }

    /// Returns the operations for `key`, including any that have ended since they were stored.
    public func operations(for key: OperationKey) -> [LoadOperation] {
        operations[key] ?? []
    }
}
