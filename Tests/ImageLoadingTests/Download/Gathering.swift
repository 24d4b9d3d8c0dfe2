import ImageLoading

/// Lets a test wait until something has happened so many times.
final class Gathering: Sendable {
    private struct State {
        var count = 0
        var waiters: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Protected(State())

    func note() {
        let met = state.withLock { state in
            state.count += 1
            let count = state.count
            let met = state.waiters.filter { $0.count <= count }.map(\.continuation)
            state.waiters.removeAll { $0.count <= count }
            return met
        }
        for continuation in met { continuation.resume() }
    }

    func wait(for count: Int) async {
        await withCheckedContinuation { continuation in
            let isMet = state.withLock { state in
                if state.count >= count { return true }
                state.waiters.append((count, continuation))
                return false
            }
            if isMet { continuation.resume() }
        }
    }
}
