import Dispatch
import ImageLoading

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
