/// The severity of a memory shortage in the machine or the process's control group.
public enum MemoryPressure: Int, Comparable, Sendable, CaseIterable {
    /// Threads had to wait for memory.
    case moderate = 1
    /// Threads had to wait for memory, and either the control group is near its limit or the
    /// threads have nearly stopped.
    case serious
    /// The next allocation may cause the kernel to kill the process.
    case critical

    /// Orders values by severity.
    public static func < (one: MemoryPressure, other: MemoryPressure) -> Bool {
        one.rawValue < other.rawValue
    }
}

/// The stages of the engine's response to memory pressure, from no response to the strongest.
///
/// Each stage also releases the resources of the stages before it.
public enum MemoryStage: Int, Comparable, Sendable, CaseIterable {
    /// The engine releases nothing.
    case calm
    /// The engine releases half of the memory cache.
    case trimmed
    /// The engine releases every decoded image that no view shows.
    case dropped
    /// The engine stops prefetching and decodes only one image at a time.
    case restrained

    /// Orders stages by the amount of resources that the engine releases.
    public static func < (one: MemoryStage, other: MemoryStage) -> Bool {
        one.rawValue < other.rawValue
    }

    /// Whether images may be loaded before they are shown.
    public var allowsPrefetching: Bool { self < .restrained }
}

/// A type that reports memory pressure to the engine; programs may implement their own.
public protocol MemoryPressureSource: Sendable {
    /// Starts a watch that calls `onPressure` each time it detects memory pressure.
    ///
    /// The engine calls this method when the source is set in a manager. The method must return
    /// quickly. `onPressure` is called on a separate thread, until the watch is stopped or
    /// released.
    func watch(_ onPressure: @escaping @Sendable (MemoryPressure) -> Void) -> MemoryPressureWatch
}

/// Watches for memory pressure until it is released.
public final class MemoryPressureWatch: Sendable {
    /// How a watch detects pressure.
    public enum Method: Hashable, Sendable {
        /// The kernel wakes the process under memory pressure, so no periodic checks are needed.
        ///
        /// The strings are the paths of the watched files.
        case kernelTriggers([String])
        /// The kernel cannot wake the process, so the kernel's averages are read every few seconds.
        case readingAverages
        /// Pressure is reported by a test or by the program, not by the system.
        case byHand
        /// Memory pressure cannot be detected; the string is the reason.
        case unavailable(String)
    }

    /// How this watch detects pressure.
    public let method: Method
    private let end: @Sendable () -> Void

    /// Creates a watch that calls `end` when it stops.
    ///
    /// `end` may be called more than once, on any thread.
    public init(method: Method, end: @escaping @Sendable () -> Void) {
        self.method = method
        self.end = end
    }

    deinit {
        end()
    }

    /// Ends the watch.
    ///
    /// A callback that has already begun may finish after this method returns.
    public func stop() {
        end()
    }
}
