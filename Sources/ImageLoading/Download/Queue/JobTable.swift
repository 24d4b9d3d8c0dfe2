/// Which downloads there are, which one a wish belongs to, and who listens to which.
///
/// A job is named by the transfer of its present attempt, waiting or running.
struct JobTable: Sendable {
    private var jobs: [TransferID: DownloadJob] = [:]
    private var jobOfKey: [DownloadKey: TransferID] = [:]
    private var jobOfListener: [ListenerID: TransferID] = [:]

    /// Oldest attempts first.
    var ids: [TransferID] { jobs.keys.sorted { $0.rawValue < $1.rawValue } }

    /// All that listen, in the order of joining.
    var listeners: [ListenerID] { jobOfListener.keys.sorted { $0.rawValue < $1.rawValue } }

    subscript(_ id: TransferID) -> DownloadJob? {
        get { jobs[id] }
        _modify { yield &jobs[id] }
    }

    func id(for key: DownloadKey) -> TransferID? { jobOfKey[key] }

    func id(of listener: ListenerID) -> TransferID? { jobOfListener[listener] }

    mutating func insert(_ job: DownloadJob) -> TransferID {
        let id = TransferID.unique()
        jobs[id] = job
        jobOfKey[job.key] = id
        return id
    }

    mutating func join(_ listener: ListenerID, _ priority: LoadPriority, to id: TransferID) {
        jobs[id]?.listeners.set(priority, of: listener)
        jobOfListener[listener] = id
    }

    /// Takes a listener out; the job it listened to, or nil if it had ended.
    mutating func leave(_ listener: ListenerID) -> TransferID? {
        guard let id = jobOfListener.removeValue(forKey: listener) else { return nil }
        jobs[id]?.listeners.remove(listener)
        return id
    }

    mutating func remove(_ id: TransferID) -> DownloadJob? {
        guard let job = jobs.removeValue(forKey: id) else { return nil }
        jobOfKey[job.key] = nil
        for listener in job.listeners.ids { jobOfListener[listener] = nil }
        return job
    }

    /// Gives a job the name of its next attempt, so that late events of the last one name nobody.
    mutating func renew(_ id: TransferID) -> TransferID? {
        guard let job = jobs.removeValue(forKey: id) else { return nil }
        let next = insert(job)
        for listener in job.listeners.ids { jobOfListener[listener] = next }
        return next
    }
}
