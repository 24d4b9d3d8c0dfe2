import Dispatch
import ImageLoading

/// Loads a list in order with a bounded number under way, for commands without a screen.
///
/// The calling thread starts loads and takes their ends one by one; it is the only one that does.
/// Bounded, because a feed may have 100,000 lines and each load costs a task.
final class LoadWindow {
    /// A load that has ended, with the index that `start` was given.
    struct Ended: Sendable {
        let index: Int
        let result: Result<ImageResponse, ImageLoadingError>
        let duration: Duration
    }

    private let manager: ImageManager
    private let ends = BlockingQueue<Ended>()
    private(set) var running = 0

    init(manager: ImageManager) {
        self.manager = manager
    }

    func start(_ request: ImageRequest, index: Int) {
        running += 1
        let ends = ends
        let begin = ContinuousClock.now
        manager.load(request) { event in
            guard case .finished(let result) = event else { return }
            ends.put(Ended(index: index, result: result, duration: begin.duration(to: .now)))
        }
    }

    /// Waits for the next end; nil if nothing is under way.
    func next() -> Ended? {
        guard running > 0 else { return nil }
        defer { running -= 1 }
        return ends.take()
    }
}

/// A queue whose reader sleeps until there is something: how a command without an event loop waits
/// for the engine's threads.
///
/// For plain threads only, never for Swift's pool.
final class BlockingQueue<Element: Sendable>: Sendable {
    private let elements = Protected<[Element]>([])
    /// Is 1 while there is something that nobody has been woken for: a burst wakes its reader once.
    private let available = DispatchSemaphore(value: 0)

    func put(_ element: Element) {
        let isFirst = elements.withLock { elements in
            defer { elements.append(element) }
            return elements.isEmpty
        }
        if isFirst { available.signal() }
    }

    func take() -> Element {
        while true {
            available.wait()
            let (first, hasMore) = elements.withLock { elements in
                (elements.isEmpty ? nil : elements.removeFirst(), !elements.isEmpty)
            }
            if hasMore { available.signal() }
            if let first { return first }
        }
    }

    /// Waits until there is something, and takes all there is; nothing if a time has come meanwhile.
    func takeAll(until end: ContinuousClock.Instant? = nil) -> [Element] {
        while true {
            if let end {
                let rest = max(.zero, end - .now)
                let limit =
                    DispatchTime.now() + .nanoseconds(Int(rest.wholeMilliseconds + 1) * 1_000_000)
                if available.wait(timeout: limit) == .timedOut { return [] }
            } else {
                available.wait()
            }
            let all = elements.withLock { elements in
                defer { elements = [] }
                return elements
            }
            if !all.isEmpty { return all }
        }
    }
}

/// Blocks the calling thread until `work` is done: for the main thread of commands that have no
/// event loop, never for a thread of Swift's pool.
func waitFor<Value: Sendable>(_ work: @escaping @Sendable () async -> Value) -> Value {
    let answer = BlockingQueue<Value>()
    Task(executorPreference: StepExecutor.shared) { answer.put(await work()) }
    return answer.take()
}
