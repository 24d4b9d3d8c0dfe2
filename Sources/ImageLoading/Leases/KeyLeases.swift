internal import Glibc
internal import SystemSupport

/// The leases on cache keys, which coordinate the processes that use the same cache directory.
///
/// Only one process at a time holds the lease on a key, and all loads of the key in that process
/// share it. A server therefore receives one request per URL, no matter how many processes show the
/// same feed. Within a process, loads share the transfer anyway. If they waited for one another
/// instead, a load for a visible image would wait for a prefetch, whose transfer is not urgent. If
/// a process dies, the kernel releases its locks, and waiting processes notice that within 50 ms.
///
/// One thread of this type requests all locks. A second thread runs only while a load waits for
/// another process, and repeats the request 20 times a second, because waiting for a lock on an
/// open file cannot be cancelled. All methods may be called on any thread. Keys whose digests begin
/// with the same 62 bits share a lease, which is harmless.
final class KeyLeases: Sendable {
    /// The maximum time to wait for another process, which a user may have suspended.
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
        /// Whether the second thread is running.
        var isPolling = false
        /// Whether the latest round of repeated lock requests is still in progress.
        var isAsking = false
    }

    private let file: LockFile
    private let clock: LoadingClock
    private let pause: @Sendable () -> Void
    private let state = Protected(State())
    private let thread = WorkerPool(name: "leases", threadCount: 1, order: .oldestFirst)

    /// Creates the leases for a cache directory, which is created on the first request for a lease.
    ///
    /// `pause` is called between two attempts to obtain a lock, on a separate thread, and returns
    /// when the next attempt may begin.
    init(
        directory: String,
        clock: LoadingClock,
        pause: @escaping @Sendable () -> Void = { usleep(50_000) }
    ) {
        file = LockFile(directory: CacheDirectory(path: directory))
        self.clock = clock
        self.pause = pause
    }

    /// Returns a share in the key's lease.
    ///
    /// Waits until no other process holds the lease. The share is returned without the lease in
    /// three cases: leases are unavailable (the directory is not writable, or its file system has
    /// no locks), another process keeps the lease for longer than `patience`, or the task is
    /// cancelled, in which case it is returned immediately. `onWait` is called once, on any thread,
    /// if another process turns out to hold the lease.
    ///
    /// `look` is called while the lease is held, on the thread that has just obtained the lease.
    /// That thread may wait for a disk. No other process changes the state that `look` sees until
    /// the lease is released. `look` is not called if leases are unavailable or if other loads of
    /// this process already share the lease.
    func share(
        of key: String,
        onWait: @escaping @Sendable () -> Void = {},
        look: (@Sendable () -> Void)? = nil
    ) async -> Lease {
        let ticket = state.withLock { $0.table.makeTicket() }
        // Without this check, a cancelled task could obtain a lease that it no longer needs, before
        // it can release the lease.
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

    /// Whether a load has a share or waits for one.
    var isInUse: Bool { state.withLock { !$0.table.isEmpty } }

    /// Whether no lease is held, no load waits, and the second thread has ended.
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

    /// Releases the lock, unless a load holds it.
    ///
    /// Such a load may have started after the lease was released.
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

    /// Limits the wait for another process.
    ///
    /// An alarm is set only when another process is known to hold the lease. Nearly all leases are
    /// free, and an alarm for each load would wake a thread.
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
        // Without a thread, waiting loads would never be answered; they continue without leases
        // instead.
        if !isStarted { refuseAll() }
    }

    /// Pauses, requests the locks held by other processes again, and returns whether another round
    /// follows.
    private func askAgain() -> Bool {
        pause()
        let isPolling = state.withLock { state in
            state.isPolling = !state.table.offsetsToAskAgain.isEmpty
            return state.isPolling
        }
        if isPolling { askOnce() }
        return isPolling
    }

    /// Starts a round of lock requests unless one is in progress, so that rounds do not pile up on
    /// a file system that is slower than the pause.
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

/// A load's share in the lease on a key, which permits one process at a time to fetch the URL.
///
/// The share ends when `release` is called, when this object is deallocated, or when the process
/// ends.
final class Lease: Sendable {
    /// Whether the lease is held; if it is unavailable, the load continues without it.
    let isHeld: Bool
    /// Whether another process held the lease while this load waited.
    ///
    /// That process may have stored the body on the disk, so the load must check the disk again
    /// before it fetches the body.
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

    /// Gives up the share; further calls do nothing.
    func release() {
        onRelease()
    }
}
