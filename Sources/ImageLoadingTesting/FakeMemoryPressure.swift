public import ImageLoading
internal import SystemSupport

/// A memory pressure source controlled by a test.
///
///     let pressure = FakeMemoryPressure()
///     configuration.memoryPressure = pressure
///     let manager = ImageManager(configuration: configuration)
///     pressure.send(.serious)
///
/// The closures passed to `watch` are called on the test's thread, before `send` returns. The
/// source may be used on any thread.
public final class FakeMemoryPressure: MemoryPressureSource {
    private struct State {
        var listeners: [Int: @Sendable (MemoryPressure) -> Void] = [:]
        var lastID = 0
    }

    private let state = Protected(State())

    /// Creates a source without watches.
    public init() {}

    /// The number of watches that have not been stopped.
    public var watchCount: Int { state.withLock { $0.listeners.count } }

    /// Reports memory pressure to all watches.
    public func send(_ pressure: MemoryPressure) {
        for listener in state.withLock({ Array($0.listeners.values) }) { listener(pressure) }
    }

    /// Starts a watch that calls `onPressure` for each `send`.
    public func watch(
        _ onPressure: @escaping @Sendable (MemoryPressure) -> Void
    ) -> MemoryPressureWatch {
        let id = state.withLock { state in
            state.lastID += 1
            state.listeners[state.lastID] = onPressure
            return state.lastID
        }
        return MemoryPressureWatch(method: .byHand) { [state] in
            state.withLock { $0.listeners[id] = nil }
        }
    }
}
