/// Decides which download runs, who shares it, when it is tried again, and when it stops.
///
/// A pure state machine: each method returns what is to be done, and does nothing itself. Every
/// request is a listener; listeners with an equal key share one job. Whether to join or to start is
/// decided in the same step that changes the state, so there is no moment in which a listener could
/// join a transfer that is being torn down. Each listener gets exactly one `finish`,
/// also when it leaves.
///
///     enqueue --> waiting --slot--> running --> end
///                    ^                 |
///                    +---- resting <---+  a failure that may pass
///
/// What waits for a host that fails is in `waiting` or `resting` as well; see
/// `DownloadQueue+Hosts.swift`.
///
/// A job is in one of the three, which are `waiting`, `attempts` and `resting`; for the moment in
/// which a hook is asked about its next attempt it is in `undecided`. Only a running one
/// may be without listeners: it is detached then, and ends at the disk. Time comes in through
/// `advance`, which is called before everything else.
struct DownloadQueue: Sendable {
    let configuration: DownloaderConfiguration
    let retryPolicy: RetryPolicy
    /// Whether anybody hears `trace` actions; they are not made otherwise.
    let isTraced: Bool
    /// Whether a hook decides on retries.
    let asksBeforeRetry: Bool

    var width: Int
    var isSuspended = false
    var jobs = JobTable()
    var waiting: ReadyList
    var resting = RestingList()
    /// The failures of jobs whose next attempt a hook is being asked about.
    var undecided: [TransferID: ImageLoadingError] = [:]
    var attempts: [TransferID: DownloadAttempt] = [:]
    var slots: HostSlots
    var breakers = HostBreakers()
    /// What memory, threads and descriptors of our own were found to allow.
    var ownLimit = TransferLimit()
    /// The hosts that have somebody waiting, by the next time that matters to them.
    var hostWakes = Agenda<String>()
    var nextWakes: [String: Duration] = [:]
    var latencies = HostLatencies()
    var counters = DownloaderStatistics()
    var random: any RandomNumberGenerator & Sendable
    var now = Moment()
    /// The earliest time for which a wake-up is asked.
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

    /// Takes a listener in, which has a fresh identifier.
    ///
    /// It fails at once if the host is not asked at the moment.
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

    /// Lets a job wait for a slot.
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

    /// Takes a listener out.
    ///
    /// The last one out stops the download, or leaves it to end for the disk. Unknown ones are
    /// ignored: they ended a moment ago.
    mutating func leave(_ listener: ListenerID) -> [DownloadAction] {
        guard let id = jobs.leave(listener) else { return [] }
        let end = DownloadAction.finish(listener, .failure(.cancelled))
        guard let job = jobs[id], job.listeners.isEmpty else {
            settlePriority(of: id)
            return [end]
        }
        return [end] + (detach(id) ?? abandon(id)) + startReady()
    }

    /// Changes how urgently one listener waits.
    ///
    /// Running transfers are not touched.
    mutating func setPriority(_ priority: LoadPriority, of listener: ListenerID) {
        guard let id = jobs.id(of: listener) else { return }
        jobs[id]?.listeners.set(priority, of: listener)
        settlePriority(of: id)
    }

    /// Lets the job of a listener wait for its host from now on.
    mutating func setWaitsForHost(of listener: ListenerID) {
        guard let id = jobs.id(of: listener) else { return }
        jobs[id]?.waitsForHost = true
    }

    // MARK: Reservations

    /// Reserves the place of a request that is about to be enqueued: what it would go before waits.
    ///
    /// It must be enqueued or released, and soon.
    mutating func reserve(_ number: UInt64, priority: LoadPriority) {
        waiting.reserve(number, priority: priority)
    }

    /// A request with a reservation won't be enqueued, or not soon; of no effect on others.
    mutating func release(_ number: UInt64) -> [DownloadAction] {
        waiting.release(number)
        return startReady()
    }

    // MARK: The whole queue

    /// Changes how many transfers run at once; those that run continue.
    mutating func setWidth(_ newWidth: Int) -> [DownloadAction] {
        width = max(1, newWidth)
        return startReady()
    }

    /// Holds back or lets go what waits; what runs continues.
    mutating func setSuspended(_ newValue: Bool) -> [DownloadAction] {
        isSuspended = newValue
        return startReady()
    }

    /// Ends everything that runs, rests or waits, detached ones too.
    mutating func cancelAll() -> [DownloadAction] {
        let listeners = jobs.listeners
        for listener in listeners { _ = jobs.leave(listener) }
        let stops = jobs.ids.flatMap { abandon($0) }
        return listeners.map { .finish($0, .failure(.cancelled)) } + stops
    }

    // MARK: Parts of several steps

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

/// What `DownloadQueue` decided; its owner carries actions out in the order they were given.
enum DownloadAction: Sendable {
    /// Hand this to the transport.
    case start(TransferRequest)
    /// Tell the transport to stop.
    case cancel(TransferID)
    /// Tell a listener how it goes.
    case notify(ListenerID, DownloadEvent)
    /// Tell a listener how it ended. The last action that names this listener.
    case finish(ListenerID, Result<DownloadedBody, ImageLoadingError>)
    /// Ask the hook for the pause before the job's next attempt, and tell `settleRetry`.
    indirect case askForPause(TransferID, FailedAttempt)
    /// Call `wakeUp` when the uptime has come to this.
    case wake(at: Duration)
    /// Hand on what a later download can resume.
    indirect case keepPartial(DownloadRequest, PartialBody)
    /// Hand on a body whose listeners have all left.
    indirect case keepBody(DownloadRequest, DownloadedBody)
    /// Tell the program what a person may want to know.
    indirect case tell(TransferNotice)
    /// Tell those who watch; the text is a URL, or a host.
    case trace(TraceEvent.Kind, String)
}

/// One reading of the engine's clocks.
struct Moment: Hashable, Sendable {
    /// As in `LoadingClock`.
    var uptime = Duration.zero
    /// Seconds since 1970; only for dates that a server writes.
    var wallTime = 0
}
