public import ImageLoading

/// Memory that is short when a test says so.
///
///     let pressure = FakeMemoryPressure()
///     configuration.memoryPressure = pressure
///     let manager = ImageManager(configuration: configuration)
///     pressure.send(.serious)
///
/// Whoever watches is told on the test's thread, before `send` returns. Callable on any thread.
public final class FakeMemoryPressure: MemoryPressureSource {
    private struct State {
        var listeners: [Int: @Sendable (MemoryPressure) -> Void] = [:]
        var lastID = 0
    }

    private let state = Protected(State())

    /// Makes a source that nobody watches.
    public init() {}

    /// Watches that have not ended.
    public var watchCount: Int { state.withLock { $0.listeners.count } }

    /// Tells everyone who watches that memory is short.
    public func send(_ pressure: MemoryPressure) {
        for listener in state.withLock({ Array($0.listeners.values) }) { listener(pressure) }
    }

    /// Tells `onPressure` of every `send` until the watch ends.
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
