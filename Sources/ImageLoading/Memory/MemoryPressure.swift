/// How short of memory the machine, or the control group the process lives in, is.
public enum MemoryPressure: Int, Comparable, Sendable, CaseIterable {
    /// Work was held up while the kernel looked for memory.
    case moderate = 1
    /// The same, and the group's limit or a standstill is near.
    case serious
    /// The next allocation may get the process killed.
    case critical

    /// By how bad it is.
    public static func < (one: MemoryPressure, other: MemoryPressure) -> Bool {
        one.rawValue < other.rawValue
    }
}
