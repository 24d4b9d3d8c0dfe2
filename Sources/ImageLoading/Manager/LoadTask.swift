/// One piece of work that any number of equal loads share: its task, and the handles by which the
/// priorities of its transfer and its decode are raised and lowered.
final class LoadTask: Sendable {
    /// What a load that joins late has missed.
    private struct Recent {
        var transfer: LoadEvent?
        var image: ImageResponse?
        var rejectedContentHash: Int?
    }

    /// What a run begins with.
    struct Start {
        let key: LoadKey
        let begun: ImageCache.Generations
        var known: ImageResponse?
    }

    let key: LoadKey
    /// Tells this run from an earlier or later one under the same key.
    let number: UInt64
    let download: DownloadHandle
    let work: WorkHandle
    /// The generation of each cache when the run began (row F29).
    let begun: ImageCache.Generations
    /// What memory has of the picture, if it is to be refreshed.
    let known: ImageResponse?
    private let recent = Protected(Recent())
    private let previewsWanted = Protected(false)
    private let queuePosition = Protected(false)
    private let phase = Protected(Phase.new)

    private enum Phase {
        case new
        case begun(Task<Void, Never>)
        case cancelled
    }

    init(_ start: Start, number: UInt64, priority: LoadPriority) {
        key = start.key
        begun = start.begun
        known = start.known
        self.number = number
        download = DownloadHandle(priority: priority)
        work = WorkHandle(priority: priority)
    }

    var priority: LoadPriority { download.priority }

    /// Where its body goes on disk; nil if it stays in memory (row M26).
    var place: BodyPlace? {
        key.staysInMemory ? nil : BodyPlace(url: key.url, begun: begun.disk)
    }

    /// Stands for the bytes that turned out to be no picture; nil if none did.
    var rejectedContentHash: Int? {
        get { recent.withLock { $0.rejectedContentHash } }
        set { recent.withLock { $0.rejectedContentHash = newValue } }
    }

    /// Whether the downloader was told to expect it, at any time.
    var hasQueuePosition: Bool {
        get { queuePosition.withLock { $0 } }
        set { queuePosition.withLock { $0 = newValue } }
    }

    /// Whether a listener asks for previews; one who joins may be the first to.
    var wantsPreviews: Bool { previewsWanted.withLock { $0 } }

    /// Takes note of what a load that starts or joins the run asks for.
    func note(_ options: LoadingOptions) {
        if options.contains(.progressive) { previewsWanted.withLock { $0 = true } }
    }

    /// Begins the work; false if it was cancelled before that.
    @discardableResult
    func begin(_ work: @escaping @Sendable () async -> Void) -> Bool {
        phase.withLock { phase in
            guard case .new = phase else { return false }
            phase = .begun(Task(executorPreference: StepExecutor.shared, operation: work))
            return true
        }
    }

    func setPriority(_ priority: LoadPriority) {
        download.priority = priority
        work.priority = priority
    }

    /// Notes what is about to be told to everyone who listens.
    func note(_ event: LoadEvent) {
        recent.withLock { recent in
            switch event {
            case .queued, .progress: recent.transfer = event
            case .image(let response): recent.image = response
            case .finished: break
            }
        }
    }

    /// Tells a load that has just joined how things stand.
    func catchUp(_ operation: LoadOperation) {
        let recent = recent.withLock { $0 }
        if let image = recent.image { operation.send(.image(image), isReplay: true) }
        if let transfer = recent.transfer { operation.send(transfer, isReplay: true) }
    }

    /// Cancels every stage: what waits is dropped, what runs is told.
    func cancel() {
        let task = phase.withLock { phase -> Task<Void, Never>? in
            guard case .begun(let task) = phase else {
                phase = .cancelled
                return nil
            }
            return task
        }
        task?.cancel()
    }
}
