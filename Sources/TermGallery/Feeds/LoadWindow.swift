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

    /// What the calling thread is woken for.
    enum News: Sendable {
        case ended(Ended)
        /// A load waits for its host, and makes room for others meanwhile; or it does no longer.
        case waits(Bool)
        case notice(TransferNotice)
    }

    private let manager: ImageManager
    private let news: BlockingQueue<News>
    private(set) var running = 0
    /// Those of them that wait for their host.
    private(set) var waiting = 0

    /// `news` may bring notices of the manager as well.
    init(manager: ImageManager, news: BlockingQueue<News> = BlockingQueue()) {
        self.manager = manager
        self.news = news
    }

    func start(_ request: ImageRequest, index: Int) {
        running += 1
        let news = news
        let begin = ContinuousClock.now
        let isWaiting = Protected(false)
        manager.load(request) { event in
            let waits = if case .waiting = event { true } else { false }
            let hasChanged = isWaiting.withLock { isWaiting in
                defer { isWaiting = waits }
                return isWaiting != waits
            }
            if hasChanged { news.put(.waits(waits)) }
            guard case .finished(let result) = event else { return }
            news.put(
                .ended(Ended(index: index, result: result, duration: begin.duration(to: .now)))
            )
        }
    }

    /// Waits for the next news; nil if nothing is under way.
    func nextNews() -> News? {
        guard running > 0 else { return nil }
        let next = news.take()
        switch next {
        case .ended: running -= 1
        case .waits(let isWaiting): waiting += isWaiting ? 1 : -1
        case .notice: break
        }
        return next
    }

    /// Waits for the next end; nil if nothing is under way.
    func next() -> Ended? {
        while let news = nextNews() {
            if case .ended(let ended) = news { return ended }
        }
        return nil
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
