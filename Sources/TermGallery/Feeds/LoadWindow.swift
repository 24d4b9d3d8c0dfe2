import Dispatch
import ImageLoading
import SystemSupport

/// Loads a list in order with a limited number of running loads, for commands without a screen.
///
/// Only the calling thread starts loads, and it receives their results one by one. The number is
/// limited because a feed may have 100,000 lines and each load costs a task.
final class LoadWindow {
    /// A finished load, with the index passed to `start`.
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

    /// Waits for the next finished load, or returns nil if none is running.
    func next() -> Ended? {
        guard running > 0 else { return nil }
        defer { running -= 1 }
        return ends.take()
    }
}

/// A queue whose reader sleeps until an element is available.
///
/// Commands without an event loop use it to wait for the engine's threads. Use it on plain threads
/// only, never on the cooperative pool.
final class BlockingQueue<Element: Sendable>: Sendable {
    private let elements = Protected<[Element]>([])
    /// A semaphore that is 1 while elements are available for which the reader has not been woken.
    ///
    /// A burst of elements therefore wakes the reader only once.
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

    /// Waits until elements are available and returns all of them, or none if `end` is reached
    /// first.
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

/// Blocks the calling thread until `work` is done.
///
/// It is for the main thread of commands without an event loop, never for a thread of the
/// cooperative pool.
func waitFor<Value: Sendable>(_ work: @escaping @Sendable () async -> Value) -> Value {
    let answer = BlockingQueue<Value>()
    Task(executorPreference: StepExecutor.shared) { answer.put(await work()) }
    return answer.take()
}
