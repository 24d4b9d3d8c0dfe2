import Dispatch
import ImageLoading
import SystemSupport

/// A queue with a reader that sleeps until an element is available.
///
/// Commands without an event loop use the queue to wait for the threads of the image loading
/// engine. Use it on plain threads only, never on the cooperative thread pool.
package final class BlockingQueue<Element: Sendable>: Sendable {
    private let elements = Protected<[Element]>([])
    /// A semaphore with the value 1 while elements are available and the reader has not been woken
    /// for them.
    ///
    /// A burst of elements therefore wakes the reader only once.
    private let available = DispatchSemaphore(value: 0)

    package init() {}

    package func put(_ element: Element) {
        let isFirst = elements.withLock { elements in
            defer { elements.append(element) }
            return elements.isEmpty
        }
        if isFirst { available.signal() }
    }

    package func take() -> Element {
        while true {
            available.wait()
            let (first, hasMore) = elements.withLock { elements in
                (elements.isEmpty ? nil : elements.removeFirst(), !elements.isEmpty)
            }
            if hasMore { available.signal() }
            if let first { return first }
        }
    }

    /// Waits until elements are available and returns all of them, or returns an empty array if
    /// `end` is reached first.
    package func takeAll(until end: ContinuousClock.Instant? = nil) -> [Element] {
        while true {
            if let end {
                let rest = max(.zero, end - .now)
                let limit = DispatchTime.now() + .milliseconds(Int(rest.pollMilliseconds))
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

/// Blocks the calling thread until `work` is done and returns the result.
///
/// Call this function on the main thread of commands without an event loop, never on a thread of
/// the cooperative thread pool.
package func waitFor<Value: Sendable>(_ work: @escaping @Sendable () async -> Value) -> Value {
    let answer = BlockingQueue<Value>()
    Task(executorPreference: StepExecutor.shared) { answer.put(await work()) }
    return answer.take()
}
