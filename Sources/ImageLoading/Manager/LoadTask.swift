internal import Decoders
internal import SystemSupport

/// The work shared by equal loads.
///
/// The work consists of a key, a Swift task, positions in the queues, and the state that a load
/// needs if it joins late. The class is thread-safe: one lock protects all mutable state. The
/// `Journey` folder contains the steps of the work; `LoadTask+Journey.swift` lists them in order.
///
/// **Cancellation:** `LoadOperation.cancel` calls `LoadTask.cancel(_:)`, which removes the
/// operation from the table of loads and ends it. If it was the last operation, the Swift task is
/// cancelled, and the current step reacts: `ImageDownloader.body` leaves its transfer,
/// `WorkerPool.run` drops waiting work and sets the `CancellationFlag` of running work, and
/// `KeyLeases.share` returns its share. The load then stops at its next `try await`.
final class LoadTask: Sendable {
    /// The initial state of a task.
    struct Start {
        let key: LoadKey
        /// The generation of each cache when the load began.
        ///
        /// If a cache was cleared after the load began, it does not store the results of the load.
        let generations: ImageCache.Generations
        /// The image in memory, if it is being refreshed.
        var inMemory: ImageResponse?
    }

    private struct State {
        var phase = Phase.waiting
        /// The reserved position in the download queue.
        ///
        /// Until this load reaches the queue, the transfers behind the position wait.
        var reservation: QueueReservation?
        /// The lease that prevents other processes from fetching the same body.
        var lease: Lease?
        var previews: PreviewMaker?
        /// The image decoded from a partial body, if the rest of the body would not change it at
        /// the requested size.
        var sufficientImage: DecodedImage?
        /// Whether any listener requested previews; the first such listener may join late.
        var wantsPreviews = false
        /// Whether any listener set the option to wait for an unreachable host.
        var waitsForHost = false
        /// Whether the server is being contacted and there is no other image to show.
        var lacksStandIn = false
        /// The hash of received bytes that could not be decoded.
        var rejectedContentHash: Int?
        var stopwatch: LoadStopwatch
        /// The latest transfer event; like `shown`, it is sent to loads that join late.
        var transferEvent: LoadEvent?
        var shown: ImageResponse?
    }

    private enum Phase {
        case waiting
        case running(Task<Void, Never>)
        case ended
    }

    let key: LoadKey
    /// The number that distinguishes this task from other tasks with the same key.
    ///
    /// It also determines the age of the task in every queue.
    let number: UInt64
    let generations: ImageCache.Generations
    let inMemory: ImageResponse?
    let engine: LoadEngine
    /// The handle that changes the priority of the transfer; `work` is the handle for decodes.
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

    /// Begins the work, unless the task has already been cancelled.
    func begin(_ reservation: QueueReservation? = nil) {
        state.withLock { state in
            guard case .waiting = state.phase else { return }
            state.reservation = reservation
            state.phase = .running(
                Task(executorPreference: StepExecutor.shared) { await self.run() }
            )
        }
    }

    /// Cancels the task: waiting work is dropped, and running work is notified.
    ///
    /// If the Swift task is running, it then calls `end`.
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

    /// Releases the lease, the reservation and the preview maker after the work has ended.
    func end() {
        // These are released outside the lock, because releasing a lease or a reservation takes
        // other locks.
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

    /// The current listeners; empty after the last listener has left or the task has ended.
    var listeners: [LoadOperation] {
        engine.loads.withLock { $0.listeners(of: key, task: number) }
    }

    /// Sends an event to all listeners.
    ///
    /// The latest event is also sent to listeners that join later.
    func tell(_ event: LoadEvent) {
        state.withLock { state in
            switch event {
            case .queued, .waiting, .progress: state.transferEvent = event
            case .preview(let response): state.shown = response
            case .finished: break
            }
        }
        for operation in listeners { operation.send(event) }
    }

    /// Sends the latest image and the latest transfer event to a load that joins late.
    func catchUp(_ operation: LoadOperation) {
        let (shown, transferEvent) = state.withLock { ($0.shown, $0.transferEvent) }
        if let shown { operation.send(.preview(shown), isReplay: true) }
        if let transferEvent { operation.send(transferEvent, isReplay: true) }
    }

    /// Applies the options of a load that starts or joins the task.
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

    /// Records that the server is about to be contacted.
    ///
    /// Returns whether the load waits if the server is unreachable. If `hasStandIn` is true,
    /// another image can be shown, so the load does not wait.
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

    /// Releases the reserved position in the download queue.
    ///
    /// The transfers behind the position can then start. Call this method if the load will not
    /// reach the queue soon: before any step that takes longer than a cache lookup. The reservation
    /// is also released when the task ends.
    func releaseReservation() {
        state.withLock { $0.reservation }?.release()
    }

    // MARK: State of the load

    var lease: Lease? {
        get { state.withLock { $0.lease } }
        set {
            // The old lease is released outside the lock.
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

    /// Updates the stopwatch with the current time.
    func note(_ change: (inout LoadStopwatch, _ now: Duration) -> Void) {
        let now = engine.clock.uptime()
        state.withLock { change(&$0.stopwatch, now) }
    }

    /// The durations of the load's steps if it ended now.
    var times: LoadTimes {
        let now = engine.clock.uptime()
        return state.withLock { $0.stopwatch.times(at: now) }
    }

    /// The URL and cache generation for storing the body; nil if the load stores nothing on disk.
    var place: BodyPlace? {
        key.staysInMemory ? nil : BodyPlace(url: key.url, begun: generations.disk)
    }
}

extension LoadTask: LoadOperationOwner {
    /// Removes an operation from the task and ends it with `.cancelled`.
    ///
    /// If no operation remains, the task is cancelled.
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

    /// Sets the priority of an operation and updates the priority of the task.
    ///
    /// Both are set while the table of loads is locked. Otherwise, if listeners join, leave or
    /// change their priority at the same time, an older change might take effect last.
    func setPriority(_ priority: LoadPriority, of operation: LoadOperation) {
        engine.loads.withLock { loads in
            guard loads.setPriority(priority, of: operation, key) else { return }
            setPriority(loads.priority(of: key))
        }
    }
}

/// A reserved position in the download queue for a load that has not reached the queue yet.
///
/// The position is freed when the reservation is released or deallocated, whichever comes first.
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

    /// Frees the reserved position; later calls have no effect.
    func release() {
        let downloader = downloader.withLock { downloader in
            defer { downloader = nil }
            return downloader
        }
        downloader?.release(number)
    }
}
