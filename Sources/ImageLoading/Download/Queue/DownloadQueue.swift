/// A state machine that decides when downloads run, which callers share them, and when they are
/// retried or stopped.
///
/// The queue has no side effects: each method returns the actions to carry out. Every caller is a
/// listener, and listeners with equal requests share one job. A listener joins or starts a job in
/// the same step that changes the state, so it cannot join a transfer that is being stopped. Each
/// listener receives exactly one `finish`, even if it leaves.
///
///     enqueue --> waiting --slot--> running --> end
///                    ^                 |
///                    +---- resting <---+  transient failure
///
/// A slot permits one running transfer. A job is in exactly one of `waiting`, `attempts` and
/// `resting`, or in `undecided` while a hook chooses the pause before its next attempt. Jobs that
/// wait for a failing host are also in `waiting` or `resting`; see `DownloadQueue+Hosts.swift`.
///
/// A running job without listeners is called detached, and its body is only stored on disk. All
/// other jobs have listeners. Call `advance`, which sets the current time, before any other method.
struct DownloadQueue: Sendable {
    let configuration: DownloaderConfiguration
    let retryPolicy: RetryPolicy
    /// Whether `trace` actions are created; false if they have no receiver.
    let isTraced: Bool
    /// Whether a hook chooses the pause before each retry.
    let asksBeforeRetry: Bool

    var width: Int
    var isSuspended = false
    var jobs = JobTable()
    var waiting: ReadyList
    var resting = RestingList()
    /// The errors of the jobs that are waiting for a hook to decide on their next attempt.
    var undecided: [TransferID: ImageLoadingError] = [:]
    var attempts: [TransferID: DownloadAttempt] = [:]
    var slots: HostSlots
    var breakers = HostBreakers()
    /// The observed number of simultaneous transfers that this process can handle.
    ///
    /// It depends on the process's memory, threads and file descriptors.
    var ownLimit = TransferLimit()
    /// The hosts of waiting jobs, ordered by the time at which these jobs must be checked.
    var hostWakes = Agenda<String>()
    var nextWakes: [String: Duration] = [:]
    var latencies = HostLatencies()
    var counters = DownloaderStatistics()
    var random: any RandomNumberGenerator & Sendable
    var now = Moment()
    /// The time of the pending wake-up; nil if none is pending.
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
    /// A new job fails immediately if requests to its host are suspended, unless the request waits
    /// for the host and the wait is short enough (`mayWait`). A listener that joins an existing job
    /// does not fail.
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

    /// Adds a job to the list of jobs waiting for a slot.
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
    /// If it was the last listener, the download stops or runs to completion for the disk cache. An
    /// unknown listener is ignored, because its download has just ended.
    mutating func leave(_ listener: ListenerID) -> [DownloadAction] {
        guard let id = jobs.leave(listener) else { return [] }
        let end = DownloadAction.finish(listener, .failure(.cancelled))
        guard let job = jobs[id], job.listeners.isEmpty else {
            settlePriority(of: id)
            return [end]
        }
        return [end] + (detach(id) ?? abandon(id)) + startReady()
    }

    /// Changes the priority of a listener; running transfers are not affected.
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

    /// Reserves the position of a request that will be enqueued soon.
    ///
    /// Jobs behind this position wait, so the request must be enqueued or released soon.
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

    /// Ends all jobs, including running jobs without listeners.
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

/// An action requested by `DownloadQueue`.
///
/// The owner of the queue carries out the actions in order.
enum DownloadAction: Sendable {
    /// Pass the request to the transport.
    case start(TransferRequest)
    /// Cancel the transfer in the transport.
    case cancel(TransferID)
    /// Send an event to a listener.
    case notify(ListenerID, DownloadEvent)
    /// Send the result to a listener; no more actions for the listener follow.
    case finish(ListenerID, Result<DownloadedBody, ImageLoadingError>)
    /// Call the retry hook for the pause before the job's next attempt; pass the pause to
    /// `settleRetry`.
    indirect case askForPause(TransferID, FailedAttempt)
    /// Call `wakeUp` at this uptime.
    case wake(at: Duration)
    /// Pass a partial body to `DetachedDownloads`; a later download can resume it.
    indirect case keepPartial(DownloadRequest, PartialBody)
    /// Pass a complete body without listeners to `DetachedDownloads`.
    indirect case keepBody(DownloadRequest, DownloadedBody)
    /// Notify the program, which may inform the user.
    indirect case tell(TransferNotice)
    /// Send a trace event; the text is a URL or a host.
    case trace(TraceEvent.Kind, String)
}

/// The current time according to the two clocks of the engine.
struct Moment: Hashable, Sendable {
    /// The uptime, as returned by `LoadingClock.uptime`.
    var uptime = Duration.zero
    /// The number of seconds since 1970-01-01 UTC; used only with dates sent by servers.
    var wallTime = 0
}
