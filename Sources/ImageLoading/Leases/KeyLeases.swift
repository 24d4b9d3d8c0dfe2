internal import Glibc

/// Leases of keys, one at a time for each key among all processes that use one cache directory.
///
/// So that a server sees each URL once, however many processes show the same feed. Who dies leaves
/// nothing behind: the kernel frees what it held, and who waits for it sees that within 50 ms.
///
/// All locks are asked for on one thread of its own. A second one runs only while somebody waits
/// for another process, and asks again 20 times a second: the locks of open files have no wake-up
/// that could be cancelled. Everything may be called on any thread.
final class KeyLeases: Sendable {
    private struct Waiting {
        let continuation: HandOver<Lease?>
        /// Nil once it was called.
        var onWait: (@Sendable () -> Void)?
    }

    private struct State: Sendable {
        var table = LeaseTable()
        var waiting: [LeaseTable.Ticket: Waiting] = [:]
        /// Whether the second thread runs.
        var isPolling = false
        /// Whether its latest round has not ended.
        var isAsking = false
    }

    private let file: LockFile
    private let pause: @Sendable () -> Void
    private let state = Protected(State())
    private let thread = WorkerPool(name: "leases", threadCount: 1, order: .oldestFirst)

    /// Leases in a cache's directory, which is made when the first one is asked for.
    ///
    /// `pause` waits between two attempts, on a thread of its own.
    init(directory: String, pause: @escaping @Sendable () -> Void = { usleep(50_000) }) {
        file = LockFile(directory: CacheDirectory(path: directory))
        self.pause = pause
    }

    /// Waits until nobody else holds the key's lease.
    ///
    /// Nil if there are no leases to be had (the directory can't be written, its file system has no
    /// locks), or if the task was cancelled: then go on without. `onWait` is called, once and on a
    /// thread of the leases, if another process turns out to hold it.
    func acquire(_ key: String, onWait: @escaping @Sendable () -> Void = {}) async -> Lease? {
        // Else it might be had before it could be given up, by a task that doesn't want it.
        guard !Task.isCancelled else { return nil }
        let offset = Self.offset(of: key)
        let ticket = state.withLock { $0.table.makeTicket() }
        return await withTaskCancellationHandler {
            await withHandOver { continuation in
                enter(
                    ticket,
                    offset: offset,
                    Waiting(continuation: continuation, onWait: onWait)
                )
                // Cancelled before there was anything to cancel.
                if Task.isCancelled { giveUp(ticket) }
            }
        } onCancel: {
            giveUp(ticket)
        }
    }

    /// Whether nothing is held and nobody waits.
    var isIdle: Bool { state.withLock { $0.table.isEmpty && !$0.isPolling } }

    /// Keys that share 62 bits of a digest share a lease, and nothing worse comes of it.
    static func offset(of key: String) -> Int {
        Int(MessageDigest.sha256(key).high >> 2)
    }

    private func enter(_ ticket: LeaseTable.Ticket, offset: Int, _ continuation: Waiting) {
        let asksFile = state.withLock { state in
            state.waiting[ticket] = continuation
            return state.table.enter(ticket, for: offset)
        }
        if asksFile { thread.submit(priority: .normal) { self.ask(for: offset) } }
    }

    private func giveUp(_ ticket: LeaseTable.Ticket) {
        if let answer = state.withLock({ $0.table.giveUp(ticket) }) { tell(answer) }
    }

    private func release(_ ticket: LeaseTable.Ticket) {
        switch state.withLock({ $0.table.release(ticket) }) {
        case .unknown: return
        case .handedOver(let answer): tell(answer)
        case .freed(let offset): thread.submit(priority: .normal) { self.giveBack(offset) }
        }
    }

    private func tell(_ answer: LeaseTable.Answer) {
        let ticket = answer.ticket
        let waiting = state.withLock { $0.waiting.removeValue(forKey: ticket) }
        let lease = answer.contention.map { wasContended in
            Lease(wasContended: wasContended) { self.release(ticket) }
        }
        waiting?.continuation.resume(returning: lease)
    }

    // MARK: The thread that asks

    private func ask(for offset: Int) {
        guard state.withLock({ $0.table.needsTry(offset) }) else { return }
        let outcome = file.tryLock(offset, makesDirectory: true)
        let answers = state.withLock { $0.table.noteTry(offset, outcome) }
        for answer in answers { tell(answer) }
        if outcome == .taken, answers.isEmpty { giveBack(offset) }
        guard outcome == .heldElsewhere else { return }
        for onWait in takeOnWait(of: offset) { onWait() }
        startPolling()
    }

    private func takeOnWait(of offset: Int) -> [@Sendable () -> Void] {
        state.withLock { state in
            state.table.waiters(for: offset).compactMap { ticket in
                defer { state.waiting[ticket]?.onWait = nil }
                return state.waiting[ticket]?.onWait
            }
        }
    }

    /// Unless it was taken again meanwhile, for somebody who came after the release.
    private func giveBack(_ offset: Int) {
        guard state.withLock({ $0.table.isFree(offset) }) else { return }
        file.unlock(offset)
    }

    // MARK: Asking again

    private func startPolling() {
        let starts = state.withLock { state in
            defer { state.isPolling = true }
            return !state.isPolling
        }
        guard starts else { return }
        let isStarted = POSIXThread.startDetached(name: "lease-poll") { [weak self] in
            while let self, self.askAgain() {}
        }
        // Without a thread nobody would ever be told: better without leases.
        if !isStarted { refuseAll() }
    }

    /// One round; whether there will be another.
    private func askAgain() -> Bool {
        pause()
        let isPolling = state.withLock { state in
            state.isPolling = !state.table.offsetsToAskAgain.isEmpty
            return state.isPolling
        }
        if isPolling { askOnce() }
        return isPolling
    }

    /// One round at a time: a file system that is slower than the pause must not pile them up.
    private func askOnce() {
        let starts = state.withLock { state in
            defer { state.isAsking = true }
            return !state.isAsking
        }
        guard starts else { return }
        thread.submit(priority: .normal) {
            for offset in self.state.withLock(\.table.offsetsToAskAgain) { self.ask(for: offset) }
            self.state.withLock { $0.isAsking = false }
        }
    }

    private func refuseAll() {
        let answers = state.withLock { state in
            state.isPolling = false
            return state.table.offsetsToAskAgain.flatMap { offset in
                state.table.noteTry(offset, .impossible)
            }
        }
        for answer in answers { tell(answer) }
    }
}
