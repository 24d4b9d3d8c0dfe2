/// What the engine gives up while memory is short; each stage includes those before it.
public enum MemoryStage: Int, Comparable, Sendable, CaseIterable {
    /// Nothing.
    case calm
    /// Half of the memory cache.
    case trimmed
    /// Every decoded picture that nobody shows.
    case dropped
    /// Loading ahead, and decoding more than one picture at a time.
    case restrained

    /// By how much is given up.
    public static func < (one: MemoryStage, other: MemoryStage) -> Bool {
        one.rawValue < other.rawValue
    }

    /// Whether pictures may be loaded before someone looks at them.
    public var allowsPrefetching: Bool { self < .restrained }
}
