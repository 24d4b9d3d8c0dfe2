/// Names what one of a view's loads is for: its thumbnail, its preview.
///
/// Loads under different keys don't disturb one another.
public struct OperationKey: Hashable, Sendable, ExpressibleByStringLiteral {
    /// The name.
    public let name: String

    /// Makes a key of its name.
    public init(_ name: String) {
        self.name = name
    }

    /// Makes a key of its name.
    public init(stringLiteral name: String) {
        self.name = name
    }

    /// A view's own picture; SDWebImage's `UIImageViewImageLoad`.
    public static let image: OperationKey = "image"
}

/// The loads of one view by key, at most one, or one group, under each: SDWebImage's operation
/// dictionary.
///
/// For a view that shows several pictures; one that shows a single one needs an `ImageBinding` only.
/// Not `Sendable`: it lives in its view's domain. It owns its operations: when it goes, they are
/// cancelled.
public final class OperationTable {
    private var operations: [OperationKey: [LoadOperation]] = [:]

    /// Makes an empty table.
    public init() {}

    deinit {
        cancelAll()
    }

    /// Cancels what is live under `key`, then keeps `operation` there.
    public func set(_ operation: LoadOperation, for key: OperationKey) {
        set([operation], for: key)
    }

    /// Cancels what is live under `key`, then keeps the group there.
    public func set(_ group: [LoadOperation], for key: OperationKey) {
        cancel(key)
        // A load that a memory hit has ended already is not kept.
        let live = group.filter { !$0.isFinished }
        operations[key] = live.isEmpty ? nil : live
    }

    /// Cancels and removes what is under `key`; an unknown key is ignored.
    public func cancel(_ key: OperationKey) {
        // Removed first: a completion may come back here.
        for operation in operations.removeValue(forKey: key) ?? [] { operation.cancel() }
    }

    /// As `cancel`, because the view wants the same image in another way.
    func cancelAsReplaced(_ key: OperationKey) {
        for operation in operations.removeValue(forKey: key) ?? [] { operation.cancelAsReplaced() }
    }

    /// Removes what is under `key`; it is not cancelled.
    public func remove(_ key: OperationKey) {
        operations[key] = nil
    }

    /// Cancels and removes everything.
    public func cancelAll() {
        for key in Array(operations.keys) { cancel(key) }
    }

    /// The operations under `key`, those that have ended meanwhile included.
    public func operations(for key: OperationKey) -> [LoadOperation] {
        operations[key] ?? []
    }
}
