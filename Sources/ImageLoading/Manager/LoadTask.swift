internal import Decoders

/// One piece of work that any number of equal loads share: its key, its task, its place in the
/// queues, and what a load that joins late has missed.
///
/// Thread-safe: all that changes lies under one lock. `Journey/` has the work itself, in the order
/// in which it is done.
///
/// **Cancelling** a load goes this way: `LoadOperation.cancel` → `LoadTask.cancel(_:)`, which takes
/// the operation out of the table of loads and ends it. The last one out cancels the Swift task;
/// then each stage hears it by itself: `ImageDownloader.body` (its listener leaves the transfer),
/// `WorkerPool.run` (work that waits is dropped, work that runs sees its `CancellationFlag`),
/// `KeyLeases.share` (gives its share up), and the journey at its next `try await`.
final class LoadTask: Sendable {
    /// What a task begins with.
    struct Start {
        let key: LoadKey
        /// The generation of each cache when the load began: what is stored after a clear by a load
        /// of before it is refused.
        let generations: ImageCache.Generations
        /// What memory has of the image, if it is to be refreshed.
        var inMemory: ImageResponse?
    }

    private struct State {
        var phase = Phase.waiting
        /// Lets newer loads go first in the download queue until this one gets there.
        var reservation: QueueReservation?
        /// Keeps other processes from fetching the same body.
        var lease: Lease?
        var previews: PreviewMaker?
        /// Of the partial body so far, at the size asked for: the rest would not change it.
        var sufficientImage: DecodedImage?
        /// Whether a listener asks for previews; one who joins may be the first to.
        var wantsPreviews = false
        /// Whether a listener asks to wait for the host.
        var waitsForHost = false
        /// Whether the server is being asked with nothing to show instead.
        var lacksStandIn = false
        /// Of the bytes that turned out to be no image.
        var rejectedContentHash: Int?
        var stopwatch: LoadStopwatch
        /// The latest news of the transfer and of the image, for a load that joins.
        var transferEvent: LoadEvent?
        var shown: ImageResponse?
    }

    private enum Phase {
        case waiting
        case running(Task<Void, Never>)
        case ended
    }

    let key: LoadKey
    /// Tells this task from an earlier or later one under the same key; its age in every queue.
    let number: UInt64
    let generations: ImageCache.Generations
    let inMemory: ImageResponse?
    let engine: LoadEngine
    /// By which the transfer and the decode are made more or less urgent.
    let download: DownloadHandle
    let work: PriorityHandle
    private let state: Protected<State>

    init(_ start: Start, number: UInt64, priority: LoadPriority, engine: LoadEngine) {
        key = start.key
        generations = start.generations
        inMemory = start.inMemory
        self.number = number
        self.engine = engine
        state = Protected(State(stopwatch: LoadStopwatch(start: engine.clock.uptime())))
        download = DownloadHandle(priority: priority)
        work = PriorityHandle(priority: priority)
    }

    // MARK: Start and end

    /// Begins the work, unless it was cancelled before.
    func begin(_ reservation: QueueReservation? = nil) {
        state.withLock { state in
            guard case .waiting = state.phase else { return }
            state.reservation = reservation
            state.phase = .running(
                Task(executorPreference: StepExecutor.shared) { await self.run() }
            )
        }
    }

    /// Cancels every stage: what waits is dropped, what runs is told.
    ///
    /// The journey then calls `end`.
    private func cancel() {
        let task = state.withLock { state -> Task<Void, Never>? in
            guard case .running(let task) = state.phase else {
                state.phase = .ended
                return nil
            }
            return task
        }
        task?.cancel()
        releaseReservation()
    }

    /// Gives back all that the task still holds, at the end of its journey.
    func end() {
        // Let go of outside the lock: giving back a lease or a reservation takes other locks.
        let held = state.withLock { state in
            defer {
                state.phase = .ended
                state.reservation = nil
                state.lease = nil
                state.previews = nil
            }
            return state
        }
        held.previews?.stop()
    }

    // MARK: Listeners

    /// Who waits for this task at the moment; nobody once it was left or has ended.
    var listeners: [LoadOperation] {
        engine.loads.withLock { $0.listeners(of: key, task: number) }
    }

    /// Tells everyone who listens; those who join later hear it then.
    func tell(_ event: LoadEvent) {
        state.withLock { state in
            switch event {
            case .queued, .waiting, .progress: state.transferEvent = event
            case .image(let response): state.shown = response
            case .finished: break
            }
        }
        for operation in listeners { operation.send(event) }
    }

    /// Tells a load that has just joined how things stand.
    func catchUp(_ operation: LoadOperation) {
        let (shown, transferEvent) = state.withLock { ($0.shown, $0.transferEvent) }
        if let shown { operation.send(.image(shown), isReplay: true) }
        if let transferEvent { operation.send(transferEvent, isReplay: true) }
    }

    /// Takes note of what a load that starts or joins the task asks for.
    func note(_ options: LoadingOptions) {
        if options.contains(.progressive) { state.withLock { $0.wantsPreviews = true } }
        guard options.contains(.waitForHost) else { return }
        let isAsking = state.withLock { state in
            state.waitsForHost = true
            return state.lacksStandIn
        }
        if isAsking { download.waitForHost() }
    }

    var waitsForHost: Bool { state.withLock { $0.waitsForHost } }

    /// Takes note that the server is about to be asked, and returns whether to wait for it.
    func beginAsking(hasStandIn: Bool) -> Bool {
        state.withLock { state in
            state.lacksStandIn = !hasStandIn
            return state.waitsForHost && !hasStandIn
        }
    }

    var wantsPreviews: Bool { state.withLock { $0.wantsPreviews } }

    // MARK: Places in the queues

    var priority: LoadPriority { download.priority }

    func setPriority(_ priority: LoadPriority) {
        download.priority = priority
        work.priority = priority
    }

    /// Lets older transfers start: this load won't ask for one soon.
    ///
    /// To be called before whatever takes longer than a look-up; the reservation goes with the task
    /// in any case.
    func releaseReservation() {
        state.withLock { $0.reservation }?.release()
    }

    // MARK: What the journey keeps

    var lease: Lease? {
        get { state.withLock { $0.lease } }
        set {
            // The old one is given back outside the lock.
            let old = state.withLock { state in
                defer { if case .running = state.phase { state.lease = newValue } }
                return state.lease
            }
            withExtendedLifetime(old) {}
        }
    }

    var previews: PreviewMaker? { state.withLock { $0.previews } }

    func setPreviews(_ previews: PreviewMaker?) {
        let old = state.withLock { state in
            defer { state.previews = previews }
            return state.previews
        }
        old?.stop()
    }

    var sufficientImage: DecodedImage? {
        get { state.withLock { $0.sufficientImage } }
        set { state.withLock { $0.sufficientImage = newValue } }
    }

    var rejectedContentHash: Int? {
        get { state.withLock { $0.rejectedContentHash } }
        set { state.withLock { $0.rejectedContentHash = newValue } }
    }

    /// How long the stages took; each notes its own.
    func note(_ change: (inout LoadStopwatch, _ now: Duration) -> Void) {
        let now = engine.clock.uptime()
        state.withLock { change(&$0.stopwatch, now) }
    }

    /// The times of the load, if it ends now.
    var times: LoadTimes {
        let now = engine.clock.uptime()
        return state.withLock { $0.stopwatch.times(at: now) }
    }

    /// Where its body goes on disk; nil if it stays in memory.
    var place: BodyPlace? {
        key.staysInMemory ? nil : BodyPlace(url: key.url, begun: generations.disk)
    }
}

extension LoadTask: LoadOperationOwner {
    /// Takes an operation out; the last one out cancels every stage.
    func cancel(_ operation: LoadOperation) {
        let left = engine.loads.withLock { loads in
            let left = loads.leave(key, operation)
            if case .othersRemain(_, let priority) = left { setPriority(priority) }
            return left
        }
        switch left {
        case .unknown: return
        case .othersRemain: break
        case .wasLast: cancel()
        }
        engine.finish(operation, with: .failure(.cancelled))
    }

    /// Of a join, a leave and a change at once the later one counts: the task's priority is set
    /// under the lock that decides it.
    func setPriority(_ priority: LoadPriority, of operation: LoadOperation) {
        engine.loads.withLock { loads in
            guard loads.setPriority(priority, of: operation, key) else { return }
            setPriority(loads.priority(of: key))
        }
    }
}

/// A position in the download queue that is kept free for a load on its way there.
///
/// Given back when it is released or let go of, whichever comes first.
final class QueueReservation: Sendable {
    private let number: UInt64
    private let downloader: Protected<ImageDownloader?>

    init(number: UInt64, downloader: ImageDownloader) {
        self.number = number
        self.downloader = Protected(downloader)
    }

    deinit {
        release()
    }

    /// Gives the position back; more than once does nothing.
    func release() {
        let downloader = downloader.withLock { downloader in
            defer { downloader = nil }
            return downloader
        }
        downloader?.release(number)
    }
}
