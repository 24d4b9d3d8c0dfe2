/// Decides which download runs, which callers share it, when it is retried, and when it stops.
///
/// The queue is a state machine without side effects: each method returns the actions to carry out.
/// Every request is a listener, and listeners with equal keys share one job. Whether a listener
/// joins or starts a job is decided in the same step that changes the state, so a listener cannot
/// join a transfer that is being stopped. Each listener receives exactly one `finish`, even if it
/// leaves.
///
///     enqueue --> waiting --slot--> running --> end
///                    ^                 |
///                    +---- resting <---+  transient failure
///
/// Jobs that wait for a failing host are in `waiting` or `resting` as well; see
/// `DownloadQueue+Hosts.swift`.
///
/// A job is in exactly one of `waiting`, `attempts` and `resting`, or in `undecided` while a hook
/// decides about its next attempt. Only a running job may have no listeners: it is detached, and
/// its body is only stored on disk. `advance` sets the current time and must be called before any
/// other method.
struct DownloadQueue: Sendable {
    let configuration: DownloaderConfiguration
    let retryPolicy: RetryPolicy
    /// Whether `trace` actions have a receiver; otherwise they are not created.
    let isTraced: Bool
    /// Whether a hook decides on retries.
    let asksBeforeRetry: Bool

    var width: Int
    var isSuspended = false
    var jobs = JobTable()
    var waiting: ReadyList
    var resting = RestingList()
    /// The failures of jobs for which a hook is deciding about the next attempt.
    var undecided: [TransferID: ImageLoadingError] = [:]
    var attempts: [TransferID: DownloadAttempt] = [:]
    var slots: HostSlots
    var breakers = HostBreakers()
    /// The observed limit on simultaneous transfers that results from the memory, threads and file
    /// descriptors available to this process.
    var ownLimit = TransferLimit()
    /// The hosts with waiting jobs, ordered by the time at which their jobs must be checked.
    var hostWakes = Agenda<String>()
    var nextWakes: [String: Duration] = [:]
    var latencies = HostLatencies()
    var counters = DownloaderStatistics()
    var random: any RandomNumberGenerator & Sendable
    var now = Moment()
    /// The earliest time for which a wake-up is pending.
    var alarm: Duration?

    init(
        configuration: DownloaderConfiguration,
        random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator(),
        isTraced: Bool = false,
        asksBeforeRetry: Bool = false
    ) {
        self.configuration = configuration
        self.random = random
        self.isTraced = isTraced
        self.asksBeforeRetry = asksBeforeRetry
        retryPolicy = RetryPolicy(maximumAttempts: configuration.maximumAttempts)
        width = max(1, configuration.maximumConcurrentTransfers)
        waiting = ReadyList(order: configuration.order)
        slots = HostSlots(limit: configuration.maximumTransfersPerHost)
    }

    func statistics(at uptime: Duration) -> DownloaderStatistics {
        var snapshot = counters
        snapshot.live = attempts.count
        snapshot.queued = waiting.count + resting.count + undecided.count
        snapshot.unavailableHosts = breakers.unavailableCount(at: uptime)
        return snapshot
    }

    // MARK: Listeners

    /// Adds a listener, which must not have joined before.
    ///
    /// The listener fails at once if requests to the host are suspended, and the request does not
    /// wait for the host or would have to wait too long (`mayWait`). A listener that joins an
    /// existing job does not fail.
    mutating func enqueue(
        _ listener: ListenerID,
        _ request: DownloadRequest,
        priority: LoadPriority
    ) -> [DownloadAction] {
        precondition(jobs.id(of: listener) == nil, "a listener joins once")
        if let number = request.sequenceNumber { waiting.release(number) }
        let key = DownloadKey(request)
        if let id = jobs.id(for: key) { return join(id, listener, request, priority) }
        let job = DownloadJob(key, request)
        if request.asksUnavailableHost { breakers.endPause(of: job.host, at: now.uptime) }
        let refusal = breakers.refusal(of: job.host, at: now.uptime)
        if let refusal, !request.waitsForHost || !mayWait(for: job.host) {
            return [.finish(listener, .failure(refusal))] + startReady()
        }
        let id = jobs.insert(job)
        jobs.join(listener, priority, to: id)
        if let job = jobs[id] { queue(id, job) }
        return trace(.queued(priority), request.url)
            + [.notify(listener, refusal.map { .waiting($0) } ?? .queued)]
            + setWake(for: job.host) + startReady()
    }

    /// Adds a job to the list of jobs that wait for a slot.
    mutating func queue(_ id: TransferID, _ job: DownloadJob) {
        waiting.insert(
            id,
            host: job.host,
            priority: job.listeners.priority,
            sequenceNumber: job.request.sequenceNumber
        )
    }

    private mutating func join(
        _ id: TransferID,
        _ listener: ListenerID,
        _ request: DownloadRequest,
        _ priority: LoadPriority
    ) -> [DownloadAction] {
        jobs.join(listener, priority, to: id)
        if request.continuesInBackground { jobs[id]?.continuesInBackground = true }
        if request.reportsPartials { jobs[id]?.reportsPartials = true }
        if request.waitsForHost { jobs[id]?.waitsForHost = true }
        counters.coalesced += 1
        attach(id)
        waiting.renew(id)
        settlePriority(of: id)
        return trace(.coalesced, request.url) + [.notify(listener, state(of: id))] + startReady()
    }

    /// Removes a listener.
    ///
    /// If it was the last listener, the download stops or runs to completion for the disk cache.
    /// Unknown listeners are ignored, because their downloads have just ended.
    mutating func leave(_ listener: ListenerID) -> [DownloadAction] {
        guard let id = jobs.leave(listener) else { return [] }
        let end = DownloadAction.finish(listener, .failure(.cancelled))
        guard let job = jobs[id], job.listeners.isEmpty else {
            settlePriority(of: id)
            return [end]
        }
        return [end] + (detach(id) ?? abandon(id)) + startReady()
    }

    /// Changes the priority of a listener.
    ///
    /// Running transfers are not affected.
    mutating func setPriority(_ priority: LoadPriority, of listener: ListenerID) {
        guard let id = jobs.id(of: listener) else { return }
        jobs[id]?.listeners.set(priority, of: listener)
        settlePriority(of: id)
    }

    /// Makes the job of a listener wait for its host from now on.
    mutating func setWaitsForHost(of listener: ListenerID) {
        guard let id = jobs.id(of: listener) else { return }
        jobs[id]?.waitsForHost = true
    }

    // MARK: Reservations

    /// Reserves the place of a request that is about to be enqueued.
    ///
    /// Jobs behind this place wait, so the request must be enqueued or released soon.
    mutating func reserve(_ number: UInt64, priority: LoadPriority) {
        waiting.reserve(number, priority: priority)
    }

    /// Releases the reservation of a request that will not be enqueued soon.
    ///
    /// Has no effect if the request has no reservation.
    mutating func release(_ number: UInt64) -> [DownloadAction] {
        waiting.release(number)
        return startReady()
    }

    // MARK: The whole queue

    /// Changes the maximum number of simultaneous transfers; running transfers continue.
    mutating func setWidth(_ newWidth: Int) -> [DownloadAction] {
        width = max(1, newWidth)
        return startReady()
    }

    /// Suspends or resumes waiting jobs; running transfers continue.
    mutating func setSuspended(_ newValue: Bool) -> [DownloadAction] {
        isSuspended = newValue
        return startReady()
    }

    /// Ends all running, resting and waiting jobs, including detached ones.
    mutating func cancelAll() -> [DownloadAction] {
        let listeners = jobs.listeners
        for listener in listeners { _ = jobs.leave(listener) }
        let stops = jobs.ids.flatMap { abandon($0) }
        return listeners.map { .finish($0, .failure(.cancelled)) } + stops
    }

    // MARK: Shared by several methods

    func state(of id: TransferID) -> DownloadEvent {
        if let attempt = attempts[id] { return .progress(attempt.reception.progress) }
        let refusal = jobs[id].flatMap { breakers.refusal(of: $0.host, at: now.uptime) }
        return refusal.map { .waiting($0) } ?? .queued
    }

    func notifyAll(of id: TransferID) -> [DownloadAction] {
        guard let job = jobs[id] else { return [] }
        let event = state(of: id)
        return job.listeners.ids.map { .notify($0, event) }
    }

    func trace(
        _ kind: @autoclosure () -> TraceEvent.Kind,
        _ subject: String
    ) -> [DownloadAction] {
        isTraced ? [.trace(kind(), subject)] : []
    }

    mutating func settlePriority(of id: TransferID) {
        guard let job = jobs[id] else { return }
        waiting.setPriority(job.listeners.priority, of: id)
    }
}

/// An action that `DownloadQueue` requests; the owner of the queue carries out actions in the given
/// order.
enum DownloadAction: Sendable {
    /// Pass the request to the transport.
    case start(TransferRequest)
    /// Tell the transport to cancel the transfer.
    case cancel(TransferID)
    /// Send an event to a listener.
    case notify(ListenerID, DownloadEvent)
    /// Send the result to a listener. This is the last action for the listener.
    case finish(ListenerID, Result<DownloadedBody, ImageLoadingError>)
    /// Ask the hook for the pause before the job's next attempt, and pass it to `settleRetry`.
    indirect case askForPause(TransferID, FailedAttempt)
    /// Call `wakeUp` at this uptime.
    case wake(at: Duration)
    /// Pass a partial body that a later download can resume to `DetachedDownloads`.
    indirect case keepPartial(DownloadRequest, PartialBody)
    /// Pass a body whose listeners have all left to `DetachedDownloads`.
    indirect case keepBody(DownloadRequest, DownloadedBody)
    /// Pass a notice for the user to the program.
    indirect case tell(TransferNotice)
    /// Send a trace event; the text is a URL or a host.
    case trace(TraceEvent.Kind, String)
}

/// A reading of the engine's clocks.
struct Moment: Hashable, Sendable {
    /// The uptime, as returned by `LoadingClock.uptime`.
    var uptime = Duration.zero
    /// The number of seconds since 1970-01-01 UTC, used only together with dates sent by servers.
    var wallTime = 0
}
