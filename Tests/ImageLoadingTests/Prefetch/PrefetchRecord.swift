import SystemSupport

@testable import ImageLoading

/// Records the events of a list, and lets tests wait for its end.
final class PrefetchRecord: Sendable {
    private struct State {
        var outcomes: [PrefetchOutcome] = []
        var ends: [PrefetchSummary] = []
        var waiter: CheckedContinuation<PrefetchSummary, Never>?
    }

    private let state = Protected(State())

    var outcomes: [PrefetchOutcome] { state.withLock { $0.outcomes } }
    var endCount: Int { state.withLock { $0.ends.count } }

    func add(_ event: PrefetchEvent) {
        switch event {
        case .outcome(let outcome, of: _, _): state.withLock { $0.outcomes.append(outcome) }
        case .completed(let summary):
            let waiter = state.withLock { state in
                state.ends.append(summary)
                defer { state.waiter = nil }
                return state.waiter
            }
            waiter?.resume(returning: summary)
        }
    }

    func completed() async -> PrefetchSummary {
        await withCheckedContinuation { continuation in
            let end = state.withLock { state in
                if state.ends.isEmpty { state.waiter = continuation }
                return state.ends.first
            }
            if let end { continuation.resume(returning: end) }
        }
    }
}

extension ManagerHarness {
    /// Waits until at least `count` transfers wait for a slot.
    func untilQueued(_ count: Int) async {
        await waitWhile(manager.statistics.queuedTransfers < count)
    }
}
