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
        running -= 1
        return ends.take()
    }
}

/// A queue whose reader sleeps until there is something: how a command without an event loop waits
/// for the engine's threads.
///
/// For plain threads only, never for Swift's pool.
final class BlockingQueue<Element: Sendable>: Sendable {
    private let elements = Protected<[Element]>([])
    /// Counts the elements, so that `take` finds one whenever it is let through.
    private let available = DispatchSemaphore(value: 0)

    func put(_ element: Element) {
        elements.withLock { $0.append(element) }
        available.signal()
    }

    func take() -> Element {
        available.wait()
        return elements.withLock { $0.removeFirst() }
    }
}

/// Blocks the calling thread until `work` is done: for the main thread of commands that have no
/// event loop, never for a thread of Swift's pool.
func waitFor<Value: Sendable>(_ work: @escaping @Sendable () async -> Value) -> Value {
    let answer = BlockingQueue<Value>()
    Task(executorPreference: StepExecutor.shared) { answer.put(await work()) }
    return answer.take()
}
