/// One piece of work that any number of equal loads share: its task, and the handles by which the
/// priorities of its transfer and its decode are raised and lowered.
final class LoadRun: Sendable {
    /// What a load that joins late has missed.
    private struct Recent {
        var transfer: LoadEvent?
        var image: ImageResponse?
    }

    let key: LoadKey
    /// Tells this run from an earlier or later one under the same key.
    let number: UInt64
    let download: DownloadHandle
    let work: WorkHandle
    private let recent = Protected(Recent())
    private let task = Protected<Task<Void, Never>?>(nil)

    init(key: LoadKey, number: UInt64, priority: LoadPriority) {
        self.key = key
        self.number = number
        self.download = DownloadHandle(priority: priority)
        self.work = WorkHandle(priority: priority)
    }

    var priority: LoadPriority { download.priority }

    func begin(_ work: @escaping @Sendable () async -> Void) {
        task.withLock { $0 = Task(executorPreference: StepExecutor.shared, operation: work) }
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
        task.withLock { $0 }?.cancel()
    }
}
