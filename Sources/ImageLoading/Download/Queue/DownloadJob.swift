internal import OrderedCollections

/// One download from the first request to its end, over all its attempts.
struct DownloadJob: Sendable {
    let key: DownloadKey
    /// As its first listener asked.
    let request: DownloadRequest
    /// Host and port.
    let host: String
    var listeners = ListenerSet()
    /// Whether it shall end well also when nobody waits any more; one listener that asks is enough.
    var continuesInBackground: Bool
    /// Whether it waits for a host that fails; one listener that asks is enough.
    var waitsForHost: Bool
    /// Whether partial bodies are reported; one listener that asks is enough.
    var reportsPartials: Bool
    /// The partial body that the next attempt resumes.
    var partial: PartialBody?
    var history = AttemptHistory()
    /// What its host had answered when its last attempt failed.
    var answersBefore: Int?
    /// Why its last attempt failed.
    var lastError: ImageLoadingError?
    /// When its first attempt started, by uptime.
    var start: Duration?

    init(_ key: DownloadKey, _ request: DownloadRequest) {
        self.key = key
        self.request = request
        host = key.authority
        continuesInBackground = request.continuesInBackground
        reportsPartials = request.reportsPartials
        waitsForHost = request.waitsForHost
        partial = request.partial
    }

    /// Whether its next attempt takes no connection that was kept: one of these has just failed it,
    /// or it could send more requests than there are attempts left.
    ///
    /// Else one that is idle is the best there is: a server that resets a second connection resets
    /// a new one for as long as the first is kept.
    var needsNewConnection: Bool {
        guard let error = lastError, error.isLostConnection else { return false }
        return error.requestCount > 1 || history.fruitlessCount > 1
    }

    /// What the download has brought beyond what it was given, if that can be resumed.
    var gain: PartialBody? {
        guard let partial, partial.bytes.count > request.partial?.bytes.count ?? 0 else {
            return nil
        }
        return partial
    }

    /// Failures that aren't the picture's use up no attempts of a job that waits for its host.
    mutating func noteFailure(
        of attempt: DownloadAttempt,
        _ error: ImageLoadingError,
        _ blame: FailureBlame
    ) {
        lastError = error
        partial = attempt.partial(of: request)
        let byteCount = partial?.bytes.count ?? 0
        history.noteFailure(
            broughtBytes: byteCount > attempt.resumedFrom,
            requestCount: error.requestCount,
            blame: waitsForHost ? blame : .picture
        )
    }
}

/// What makes two downloads one transfer: the URL and every header that may change the answer.
struct DownloadKey: Hashable, Sendable {
    let url: String
    let headers: [HeaderField]
    let policy: TransferPolicy
    /// Three tables ask for it; which fields there are seldom tells two downloads apart.
    private let urlHash: Int

    init(_ request: DownloadRequest) {
        url = request.url
        urlHash = request.url.hashValue
        policy = request.policy
        headers = request.headers
            .map { HeaderField($0.name.lowercased(), $0.value) }
            .sorted { ($0.name, $0.value) < ($1.name, $1.value) }
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(urlHash)
    }

    /// Host and port as they stand in the URL, without user and password.
    ///
    /// Enough to tell servers apart: the URL is normalised, so the same server is not spelled in
    /// two ways.
    var authority: String { URLParts(url).hostAndPort.map(String.init) ?? url }
}

/// Which downloads there are, which one a request belongs to, and which listener hears which.
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

/// Who waits for one transfer, in the order of joining, and how urgently.
struct ListenerSet {
    private var priorities: OrderedDictionary<ListenerID, LoadPriority> = [:]

    var ids: some Collection<ListenerID> { priorities.keys }
    var isEmpty: Bool { priorities.isEmpty }

    /// The transfer's priority: the highest of those that still wait.
    var priority: LoadPriority { priorities.values.max() ?? .low }

    mutating func set(_ priority: LoadPriority, of id: ListenerID) {
        priorities[id] = priority
    }

    mutating func remove(_ id: ListenerID) {
        priorities.removeValue(forKey: id)
    }
}

/// Names one listener of a transfer: one call of `ImageDownloader.body`.
struct ListenerID: Hashable, Sendable {
    let rawValue: UInt64
}
