/// One piece of work that any number of equal loads share: its task, and the handle by which its
/// transfer's priority is raised and lowered.
final class LoadRun: Sendable {
    let key: LoadKey
    /// Tells this run from an earlier or later one under the same key.
    let number: UInt64
    let download: DownloadHandle
    private let task = Protected<Task<Void, Never>?>(nil)

    init(key: LoadKey, number: UInt64, priority: LoadPriority) {
        self.key = key
        self.number = number
        self.download = DownloadHandle(priority: priority)
    }

    func begin(_ work: @escaping @Sendable () async -> Void) {
        task.withLock { $0 = Task(executorPreference: StepExecutor.shared, operation: work) }
    }

    func setPriority(_ priority: LoadPriority) {
        download.priority = priority
    }

    /// Cancels every stage: what waits is dropped, what runs is told.
    func cancel() {
        task.withLock { $0 }?.cancel()
    }
}
