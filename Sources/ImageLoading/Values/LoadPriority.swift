/// How urgently a load is wanted; a shared load runs at the highest of its listeners'.
public enum LoadPriority: Int, Comparable, CaseIterable, Sendable {
    /// Prefetching.
    case low
    /// About to become visible.
    case normal
    /// On the screen.
    case high

    /// Orders by urgency.
    public static func < (left: LoadPriority, right: LoadPriority) -> Bool {
        left.rawValue < right.rawValue
    }
}
