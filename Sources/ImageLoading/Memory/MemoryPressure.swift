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

/// What the engine gives up while memory is short; each stage includes those before it.
public enum MemoryStage: Int, Comparable, Sendable, CaseIterable {
    /// Nothing.
    case calm
    /// Half of the memory cache.
    case trimmed
    /// Every decoded image that no view shows.
    case dropped
    /// Prefetching, and decoding more than one image at a time.
    case restrained

    /// By how much is given up.
    public static func < (one: MemoryStage, other: MemoryStage) -> Bool {
        one.rawValue < other.rawValue
    }

    /// Whether images may be loaded before they are shown.
    public var allowsPrefetching: Bool { self < .restrained }
}

/// Where the engine learns that memory is short; a program may bring its own.
public protocol MemoryPressureSource: Sendable {
    /// Calls `onPressure` each time memory is short, on a thread of its own, until the watch is
    /// stopped or released.
    ///
    /// Called once for each manager. Returns soon.
    func watch(_ onPressure: @escaping @Sendable (MemoryPressure) -> Void) -> MemoryPressureWatch
}

/// A running watch; releasing it ends it.
public final class MemoryPressureWatch: Sendable {
    /// How the watch notices.
    public enum Method: Hashable, Sendable {
        /// The kernel wakes us; nothing runs while all is well. The texts name what is watched.
        case kernelTriggers([String])
        /// The kernel refused to wake us: its averages are read every few seconds.
        case readingAverages
        /// By a test or a program, not from the system.
        case byHand
        /// Not at all; the text says why.
        case unavailable(String)
    }

    /// How this watch notices.
    public let method: Method
    private let end: @Sendable () -> Void

    /// Makes a watch that `end` stops; it is called once or more often, on any thread.
    public init(method: Method, end: @escaping @Sendable () -> Void) {
        self.method = method
        self.end = end
    }

    deinit {
        end()
    }

    /// Ends the watch; a call that has begun may still end after this.
    public func stop() {
        end()
    }
}
