internal import Glibc
internal import SystemSupport

/// The leases (locks between processes) for a shared cache directory: one lease per cache key.
///
/// Only one process at a time holds the lease on a key. All loads of the key in that process share
/// the lease. A server therefore receives one request per URL, no matter how many processes show
/// the same feed. Loads in one process share the transfer anyway, so they need not exclude each
/// other. If they did, a load for a visible image would have to wait for a less urgent prefetch. If
/// a process dies, the kernel releases its locks, and waiting processes obtain them within 50 ms.
///
/// One thread requests all locks. While a load waits for another process, a second thread repeats
/// the request 20 times a second, because waiting for a lock on an open file cannot be cancelled.
/// All methods may be called on any thread. Keys whose digests begin with the same 62 bits share a
/// lease, which is harmless.
final class KeyLeases: Sendable {
    /// The maximum time to wait for another process; the user may have suspended that process.
    static let patience = Duration.seconds(30)

    private struct Waiting {
        let continuation: HandOver<LeaseTable.Answer>
        /// The closure to call if another process holds the lease; nil after the call.
        var onWait: (@Sendable () -> Void)?
        let look: (@Sendable () -> Void)?
    }

    private struct State: Sendable {
        var table = LeaseTable()
        var waiting: [LeaseTable.Ticket: Waiting] = [:]
        /// Whether the second thread, which repeats lock requests, is running.
        var isPolling = false
        /// Whether the last repetition of the lock requests is still in progress.
        var isAsking = false
    }

    private let file: LockFile
    private let clock: LoadingClock
    private let pause: @Sendable () -> Void
    private let state = Protected(State())
    private let thread = WorkerPool(name: "leases", threadCount: 1, order: .oldestFirst)

    /// Creates the leases for a cache directory.
    ///
    /// The directory is created when the first lease is requested. `pause` is called on a separate
    /// thread between two attempts to obtain a lock and returns when the next attempt may begin.
    init(
        directory: String,
        clock: LoadingClock,
        pause: @escaping @Sendable () -> Void = { usleep(50_000) }
    ) {
        file = LockFile(directory: CacheDirectory(path: directory))
        self.clock = clock
        self.pause = pause
    }

    /// Waits until no other process holds the lease on `key`, and returns a share of the lease.
    ///
    /// The lease is not held (the result's `isHeld` is false) in three cases:
    /// - Leases are unavailable, because the directory is not writable or its file system does not
    ///   support locks.
    /// - Another process keeps the lease for longer than `patience`.
    /// - The task is cancelled. The method then returns immediately.
    ///
    /// If another process holds the lease, `onWait` is called once, on any thread.
    ///
    /// `look` is called on the thread that has just obtained the lease. Until the lease is
    /// released, no other process changes the data of the key on disk. `look` may wait for a disk.
    /// It is not called if leases are unavailable or if other loads of this process already share
    /// the lease.
    func share(
        of key: String,
        onWait: @escaping @Sendable () -> Void = {},
        look: (@Sendable () -> Void)? = nil
    ) async -> Lease {
        let ticket = state.withLock { $0.table.makeTicket() }
        // Without this check, a cancelled task could obtain a lease that it no longer needs.
        guard !Task.isCancelled else { return Lease(.init(ticket: ticket, isHeld: false)) {} }
        let answer = await withTaskCancellationHandler {
            await withHandOver { continuation in
                let waiting = Waiting(continuation: continuation, onWait: onWait, look: look)
                enter(ticket, offset: Self.offset(of: key), waiting)
                // The task may have been cancelled before the load was registered.
                if Task.isCancelled { leave(ticket) }
            }
        } onCancel: {
            leave(ticket)
        }
        return Lease(answer) { [weak self] in self?.leave(ticket) }
    }

    /// Whether any load has a share of a lease or is waiting for one.
    var isInUse: Bool { state.withLock { !$0.table.isEmpty } }

    /// Whether no load holds a lease or is waiting for one, and the second thread has ended.
    var isIdle: Bool { state.withLock { $0.table.isEmpty && !$0.isPolling } }

    static func offset(of key: String) -> Int {
        Int(MessageDigest.sha256(key).high >> 2)
    }

    // MARK: Acquiring and releasing

    private func enter(_ ticket: LeaseTable.Ticket, offset: Int, _ waiting: Waiting) {
        let entry = state.withLock { state in
            state.waiting[ticket] = waiting
            let entry = state.table.enter(ticket, for: offset)
            if entry == .waitsForOthers { state.waiting[ticket]?.onWait = nil }
            return entry
        }
        switch entry {
        case .asks: thread.submit(priority: .normal) { self.ask(for: offset) }
        case .waits: return
        case .waitsForOthers: waiting.onWait?()
        case .answered(let answer): tell(answer)
        }
    }

    private func leave(_ ticket: LeaseTable.Ticket) {
        let departure = state.withLock { $0.table.leave(ticket) }
        if let answer = departure.answer { tell(answer) }
        if let offset = departure.freedOffset {
            thread.submit(priority: .normal) { self.giveBack(offset) }
        }
    }

    private func tell(_ answer: LeaseTable.Answer, mayLook: Bool = false) {
        let waiting = state.withLock { $0.waiting.removeValue(forKey: answer.ticket) }
        if mayLook, answer.isHeld { waiting?.look?() }
        waiting?.continuation.resume(returning: answer)
    }

    // MARK: The thread that requests locks

    private func ask(for offset: Int) {
        guard state.withLock({ $0.table.needsTry(offset) }) else { return }
        let outcome = file.tryLock(offset, makesDirectory: true)
        let answers = state.withLock { $0.table.noteTry(offset, outcome) }
        for answer in answers { tell(answer, mayLook: true) }
        switch outcome {
        case .taken: giveBack(offset)
        case .heldElsewhere: noteWait(for: offset)
        case .impossible: return
        }
    }

    /// Releases the lock at `offset`, unless a load holds it.
    ///
    /// A new load may have taken the lock after the lease was released.
    private func giveBack(_ offset: Int) {
        guard !state.withLock({ $0.table.isHeld(offset) }) else { return }
        file.unlock(offset)
    }

    private func noteWait(for offset: Int) {
        let (told, firstTicket) = state.withLock { state in
            let told = state.table.waiters(for: offset).compactMap { ticket in
                defer { state.waiting[ticket]?.onWait = nil }
                return state.waiting[ticket]?.onWait
            }
            return (told, state.table.limitWait(for: offset))
        }
        for onWait in told { onWait() }
        if let firstTicket { limitWait(for: offset, since: firstTicket) }
        startPolling()
    }

    /// Limits the time that loads wait for another process.
    ///
    /// An alarm is set only if another process is known to hold the lease. Nearly all leases are
    /// free, and an alarm for each load would wake a thread each time.
    private func limitWait(for offset: Int, since firstTicket: LeaseTable.Ticket) {
        clock.notify(at: clock.uptime() + Self.patience) { [weak self] in
            guard let self else { return }
            let answers = state.withLock { $0.table.stopWaiting(for: offset, since: firstTicket) }
            for answer in answers { tell(answer) }
        }
    }

    // MARK: Requesting again

    private func startPolling() {
        let starts = state.withLock { state in
            defer { state.isPolling = true }
            return !state.isPolling
        }
        guard starts else { return }
        let isStarted = POSIXThread.startDetached(name: "lease-poll") { [weak self] in
            while let self, self.askAgain() {}
        }
        // Without a thread, the loads would wait forever, so they continue without leases.
        if !isStarted { refuseAll() }
    }

    /// Pauses, then requests the locks that other processes hold.
    ///
    /// Returns whether to call the method again: false if no load is waiting for such a lock.
    private func askAgain() -> Bool {
        pause()
        let isPolling = state.withLock { state in
            state.isPolling = !state.table.offsetsToAskAgain.isEmpty
            return state.isPolling
        }
        if isPolling { askOnce() }
        return isPolling
    }

    /// Requests the locks that other processes hold, unless the previous requests are still in
    /// progress.
    ///
    /// On a file system that is slower than the pause, the requests would otherwise pile up.
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

/// A load's share of the lease on a cache key.
///
/// Only the process that holds the lease may fetch the URL. The share ends when `release` is
/// called, when this object is deallocated, or when the process ends.
final class Lease: Sendable {
    /// Whether the lease is held; if not, the load continues without it.
    let isHeld: Bool
    /// Whether another process held the lease while this load waited.
    ///
    /// That process may have stored the body on disk, so the load must check the disk again before
    /// it requests the body.
    let wasContended: Bool
    private let onRelease: @Sendable () -> Void

    init(_ answer: LeaseTable.Answer, onRelease: @escaping @Sendable () -> Void) {
        isHeld = answer.isHeld
        wasContended = answer.wasContended
        self.onRelease = onRelease
    }

    deinit {
        onRelease()
    }

    /// Releases the share; later calls have no effect.
    func release() {
        onRelease()
    }
}
