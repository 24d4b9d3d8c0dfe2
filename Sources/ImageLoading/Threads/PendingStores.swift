import SystemSupport

/// Tracks the data that decode threads are preparing for storage.
///
/// The data is a body being passed to a hook or an image being encoded. This type is thread-safe.
final class PendingStores: Sendable {
    private struct State {
        var lastNumber = 0
        var open: Set<Int> = []
        var waiting: [(limit: Int, wake: HandOver<Void>)] = []

        /// Removes and returns the waiting calls to `settle` whose work is done.
        mutating func takeReady() -> [HandOver<Void>] {
            let least = open.min() ?? .max
            defer { waiting.removeAll { $0.limit < least } }
            return waiting.filter { $0.limit < least }.map(\.wake)
        }
    }

    /// The maximum length of a chain of work items in which each submits the next.
    ///
    /// The item that transforms a body submits the item in which a hook prepares the body for
    /// storage, which in turn submits the item that encodes an image.
    private static let longestChain = 3

    private let state = Protected(State())

    /// Submits work to a pool; later calls to `settle` wait for this work.
    func submit(to pool: WorkerPool, _ work: @escaping @Sendable () -> Void) {
        let number = state.withLock { state in
            state.lastNumber += 1
            state.open.insert(state.lastNumber)
            return state.lastNumber
        }
        pool.submit(priority: .low) { [self] in
            work()
            end(number)
        }
    }

    private func end(_ number: Int) {
        let ready = state.withLock { state in
            state.open.remove(number)
            return state.takeReady()
        }
        for wake in ready { wake.resume(returning: ()) }
    }

    /// Waits for all work that was submitted before the call, and for the work that it submits.
    ///
    /// The method does not wait for work that other callers submit in the meantime.
    func settle() async {
        for _ in 0..<Self.longestChain {
            guard state.withLock({ !$0.open.isEmpty }) else { return }
            await withHandOver { wake in
                let ready = state.withLock { state in
                    state.waiting.append((state.lastNumber, wake))
                    return state.takeReady()
                }
                for wake in ready { wake.resume(returning: ()) }
            }
        }
    }
}
