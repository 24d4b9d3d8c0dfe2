/// Leases that all loads of one process share: between processes a URL is fetched by one at a time,
/// inside a process its loads share the transfer anyway.
///
/// If they waited for one another instead, a load on the screen would wait for one that is
/// prefetched, whose transfer is not urgent.
final class SharedLeases: Sendable {
    /// Nobody waits longer for another process, which may have been stopped by a person.
    static let patience = Duration.seconds(30)

    /// A class, so that the alarm need not keep it, and with it the lease, for all that time.
    private final class Acquisition: Sendable {
        let task: Task<Lease?, Never>

        init(_ key: String, from leases: KeyLeases, onWait: @escaping @Sendable () -> Void) {
            task = Task(executorPreference: StepExecutor.shared) {
                await leases.acquire(key, onWait: onWait)
            }
        }
    }

    private struct Entry {
        let acquisition: Acquisition
        var shares = 0
        /// Who is told if another process turns out to hold it; nil once they were.
        var onWait: [@Sendable () -> Void]? = []
    }

    private let leases: KeyLeases
    private let clock: LoadingClock
    private let entries = Protected<[String: Entry]>([:])

    init(leases: KeyLeases, clock: LoadingClock) {
        self.leases = leases
        self.clock = clock
    }

    /// A share in the key's lease; release it in any case.
    ///
    /// Waits until no other process holds the lease, or nobody here waits for it any more: a task
    /// that is cancelled gives its share up at once. `onWait` is called, on any thread, if another
    /// process holds it.
    func share(
        of key: String,
        onWait: @escaping @Sendable () -> Void = {}
    ) async -> LeaseShare {
        let (acquisition, isContended) = enter(key, onWait)
        if isContended { onWait() }
        let left = LeaseShare(wasContended: false) { [weak self] in self?.leave(key) }
        let lease = await withTaskCancellationHandler {
            await acquisition.task.value
        } onCancel: {
            left.release()
        }
        guard let lease, lease.wasContended else { return left }
        return left.contended()
    }

    /// Whether a load holds a lease or waits for one.
    var isInUse: Bool { entries.withLock { !$0.isEmpty } }

    private func enter(
        _ key: String,
        _ onWait: @escaping @Sendable () -> Void
    ) -> (Acquisition, isContended: Bool) {
        entries.withLock { entries in
            var entry =
                entries[key]
                ?? Entry(
                    acquisition: Acquisition(key, from: leases) { [weak self] in
                        self?.noteWait(for: key)
                    }
                )
            entry.shares += 1
            entry.onWait?.append(onWait)
            entries[key] = entry
            return (entry.acquisition, entry.onWait == nil)
        }
    }

    private func noteWait(for key: String) {
        let told = entries.withLock { entries in
            defer { entries[key]?.onWait = nil }
            return entries[key]?.onWait ?? []
        }
        for onWait in told { onWait() }
        limitWait(for: key)
    }

    /// Only once another process is known to hold the lease: nearly all loads find it free, and an
    /// alarm for each would wake a thread.
    private func limitWait(for key: String) {
        let acquisition = entries.withLock { $0[key]?.acquisition }
        // Cancelling is of no effect once it has the lease.
        clock.notify(at: clock.uptime() + Self.patience) { [weak acquisition] in
            acquisition?.task.cancel()
        }
    }

    /// The last one out gives the lease back, or stops waiting for it.
    private func leave(_ key: String) {
        let last = entries.withLock { entries -> Task<Lease?, Never>? in
            guard var entry = entries[key] else { return nil }
            entry.shares -= 1
            entries[key] = entry.shares > 0 ? entry : nil
            return entry.shares > 0 ? nil : entry.acquisition.task
        }
        guard let last else { return }
        last.cancel()
        // Ends by itself: what is cancelled doesn't wait.
        Task(executorPreference: StepExecutor.shared) { await last.value?.release() }
    }
}

/// One load's part in a lease.
final class LeaseShare: Sendable {
    /// Whether another process held it while this one waited, and so may have left the body on the
    /// disk.
    let wasContended: Bool
    private let onRelease: Protected<(@Sendable () -> Void)?>

    init(wasContended: Bool, onRelease: @escaping @Sendable () -> Void) {
        self.wasContended = wasContended
        self.onRelease = Protected(onRelease)
    }

    deinit {
        release()
    }

    /// Gives it back; more than once does nothing.
    func release() {
        let action = onRelease.withLock { action in
            defer { action = nil }
            return action
        }
        action?()
    }

    /// The same share, with what was learned while it was waited for.
    fileprivate func contended() -> LeaseShare {
        let action = onRelease.withLock { action in
            defer { action = nil }
            return action
        }
        return LeaseShare(wasContended: true) { action?() }
    }
}
