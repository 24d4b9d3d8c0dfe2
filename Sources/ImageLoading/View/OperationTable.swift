/// Names a purpose within one view: its thumbnail, its preview.
///
/// Keys don't disturb one another (row K6).
public struct OperationKey: Hashable, Sendable, ExpressibleByStringLiteral {
    /// The name.
    public let name: String

    /// Makes a key by name.
    public init(_ name: String) {
        self.name = name
    }

    /// Makes a key by name.
    public init(stringLiteral name: String) {
        self.name = name
    }

    /// A view's own picture; SDWebImage's `UIImageViewImageLoad`.
    public static let image: OperationKey = "image"
}

/// The loads of one view by key: at most one (or one group) is live under each (rows K1-K8).
///
/// SDWebImage's operation dictionary. Not `Sendable`: it lives in its view's domain. It owns its
/// operations: when it goes, they are cancelled.
public final class OperationTable {
    private var operations: [OperationKey: [LoadOperation]] = [:]

    /// Makes an empty table.
    public init() {}

    deinit {
        cancelAll()
    }

    /// Cancels what is live under `key`, then keeps `operation` there (row K3).
    public func set(_ operation: LoadOperation, for key: OperationKey) {
        set([operation], for: key)
    }

    /// Cancels what is live under `key`, then keeps the group there (row K2).
    public func set(_ group: [LoadOperation], for key: OperationKey) {
        cancel(key)
        // A load that a memory hit has ended already is not kept (row F23).
        let live = group.filter { !$0.isFinished }
        operations[key] = live.isEmpty ? nil : live
    }

    /// Cancels and removes what is under `key`; an unknown key is ignored (row K4).
    public func cancel(_ key: OperationKey) {
        // Removed first: a completion may come back here.
        for operation in operations.removeValue(forKey: key) ?? [] { operation.cancel() }
    }

    /// Removes without cancelling (row K5).
    public func remove(_ key: OperationKey) {
        operations[key] = nil
    }

    /// Cancels and removes everything.
    public func cancelAll() {
        for key in Array(operations.keys) { cancel(key) }
    }

    /// What is kept under `key`.
    public func operations(for key: OperationKey) -> [LoadOperation] {
        operations[key] ?? []
    }
}
