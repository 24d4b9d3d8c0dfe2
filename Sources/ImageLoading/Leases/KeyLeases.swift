internal import Glibc

/// Leases of keys: of all processes that use one cache directory one at a time has a key's lease,
/// and inside of it all loads of the key share it.
///
/// So that a server sees each URL once, however many processes show the same feed. Inside a process
/// the loads share the transfer anyway; if they waited for one another instead, a load on the
/// screen would wait for a prefetch, whose transfer is not urgent. A process that dies leaves
/// nothing behind: the kernel frees what it held, and whoever waits for it sees that within 50 ms.
///
/// All locks are asked for on one thread of its own. A second one runs only while somebody waits
/// for another process, and asks again 20 times a second: the locks of open files have no wake-up
/// that could be cancelled. Everything may be called on any thread. Keys whose digests begin with
/// the same 62 bits share a lease, and nothing worse comes of it.
final class KeyLeases: Sendable {
    /// Nobody waits longer for another process, which may have been stopped by a person.
    static let patience = Duration.seconds(30)

    private struct Waiting {
        let continuation: HandOver<LeaseTable.Answer>
        /// Nil once it was called.
        var onWait: (@Sendable () -> Void)?
        let look: (@Sendable () -> Void)?
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
    private let clock: LoadingClock
    private let pause: @Sendable () -> Void
    private let state = Protected(State())
    private let thread = WorkerPool(name: "leases", threadCount: 1, order: .oldestFirst)

    /// Leases in a cache's directory, which is made when the first one is asked for.
    ///
    /// `pause` waits between two attempts, on a thread of its own.
    init(
        directory: String,
        clock: LoadingClock,
        pause: @escaping @Sendable () -> Void = { usleep(50_000) }
    ) {
        file = LockFile(directory: CacheDirectory(path: directory))
        self.clock = clock
        self.pause = pause
    }

    /// A share in the key's lease.
    ///
    /// Waits until no other process holds the lease. Comes without it if there are no leases to be
    /// had (the directory can't be written, its file system has no locks), if another process keeps
    /// it for longer than `patience`, and at once for a task that is cancelled. `onWait` is called,
    /// once and on any thread, if another process turns out to hold it.
    ///
    /// `look` is called with the lease held, on the thread that has just asked for it and may wait for a
    /// disk: what is seen there no other process changes before the lease is given back. Not called if
    /// there is none to be had, nor if other loads of this process share it already.
    func share(
        of key: String,
        onWait: @escaping @Sendable () -> Void = {},
        look: (@Sendable () -> Void)? = nil
    ) async -> Lease {
        let ticket = state.withLock { $0.table.makeTicket() }
        // Else it might be had before it could be given up, by a task that doesn't want it.
        guard !Task.isCancelled else { return Lease(.init(ticket: ticket, isHeld: false)) {} }
        let answer = await withTaskCancellationHandler {
            await withHandOver { continuation in
                let waiting = Waiting(continuation: continuation, onWait: onWait, look: look)
                enter(ticket, offset: Self.offset(of: key), waiting)
                // Cancelled before there was anything to cancel.
                if Task.isCancelled { leave(ticket) }
            }
        } onCancel: {
            leave(ticket)
        }
        return Lease(answer) { [weak self] in self?.leave(ticket) }
    }

    /// Whether a load has a share, or waits for one.
    var isInUse: Bool { state.withLock { !$0.table.isEmpty } }

    /// Whether nothing is held, nobody waits, and the second thread has ended.
    var isIdle: Bool { state.withLock { $0.table.isEmpty && !$0.isPolling } }

    static func offset(of key: String) -> Int {
        Int(MessageDigest.sha256(key).high >> 2)
    }

    // MARK: Coming and going

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

    // MARK: The thread that asks

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

    /// Unless it is held, for a load that came after the release perhaps.
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

    /// Only once another process is known to hold the lease: nearly all loads find it free, and an
    /// alarm for each would wake a thread.
    private func limitWait(for offset: Int, since firstTicket: LeaseTable.Ticket) {
        clock.notify(at: clock.uptime() + Self.patience) { [weak self] in
            guard let self else { return }
            let answers = state.withLock { $0.table.stopWaiting(for: offset, since: firstTicket) }
            for answer in answers { tell(answer) }
        }
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

/// One load's share in the right to be the only process that fetches a URL.
///
/// Given back by `release`, by letting it go, and by the end of the process.
final class Lease: Sendable {
    /// False: there is none to be had, and the load goes on without.
    let isHeld: Bool
    /// Whether another process held it while this one waited, and so may have left the body on the
    /// disk: look again before fetching.
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

    /// Gives it back; once is enough, more do nothing.
    func release() {
        onRelease()
    }
}
