/// What is on its way to the disk on decode threads: bodies that a hook is asked about, and images that
/// are encoded.
///
/// Thread-safe.
final class PendingStores: Sendable {
    private struct State {
        var lastNumber = 0
        var open: Set<Int> = []
        var waiting: [(limit: Int, wake: HandOver<Void>)] = []

        /// Takes out those that wait for nothing any more.
        mutating func takeReady() -> [HandOver<Void>] {
            let least = open.min() ?? .max
            defer { waiting.removeAll { $0.limit < least } }
            return waiting.filter { $0.limit < least }.map(\.wake)
        }
    }

    /// One piece of work may lead to another: a transformed body to a hook, and that to an image.
    private static let longestChain = 3

    private let state = Protected(State())

    /// Has work done by a pool, which a `settle` from now on waits for.
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

    /// Returns when what was submitted so far, and what that has led to, is done; what others submit
    /// meanwhile is not waited for.
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
