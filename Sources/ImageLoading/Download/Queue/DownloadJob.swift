internal import OrderedCollections

/// A download with all its attempts, from the first request to the end.
struct DownloadJob: Sendable {
    let key: DownloadKey
    /// The request of the first listener.
    let request: DownloadRequest
    /// The host and port of the URL.
    let host: String
    var listeners = ListenerSet()
    /// Whether the download runs to completion without listeners; true if any listener requested
    /// this.
    var continuesInBackground: Bool
    /// Whether the download waits for a failing host; true if any listener requested this.
    var waitsForHost: Bool
    /// Whether partial bodies are reported; true if any listener requested this.
    var reportsPartials: Bool
    /// The partial body that the next attempt resumes.
    var partial: PartialBody?
    var history = AttemptHistory()
    /// The number of responses that the host had sent when the last attempt failed; nil before the
    /// first failure.
    var answersBefore: Int?
    var lastError: ImageLoadingError?
    /// The uptime at which the first attempt started.
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

    /// Whether the next attempt must not reuse an open connection.
    ///
    /// True if the last attempt lost its connection and one of two conditions holds: the connection
    /// had been reused, or at least two attempts in a row have received no new bytes. In the second
    /// case, few attempts are left. On a reused connection, libcurl may send the request twice, and
    /// each request counts as an attempt.
    ///
    /// Otherwise, an idle connection is best. A server that resets a second connection resets every
    /// new connection while the first one is open.
    var needsNewConnection: Bool {
        guard let error = lastError, error.isLostConnection else { return false }
        return error.requestCount > 1 || history.fruitlessCount > 1
    }

    /// The partial body, if it can be resumed and is longer than the partial body in the request.
    var gain: PartialBody? {
        guard let partial, partial.bytes.count > request.partial?.bytes.count ?? 0 else {
            return nil
        }
        return partial
    }

    /// Records the failure of an attempt.
    ///
    /// If the job waits for its host, failures of the host do not use up attempts.
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

/// The identity of a transfer: its URL, and all header fields and settings that may change the
/// response.
struct DownloadKey: Hashable, Sendable {
    let url: String
    let headers: [HeaderField]
    let policy: TransferPolicy
    /// The hash of the URL, computed once because three tables use it.
    ///
    /// The header fields are not hashed, because keys with the same URL rarely have different
    /// fields.
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

    /// The host and port as written in the URL, without user and password.
    ///
    /// The URL is normalized, so this text is sufficient to distinguish servers.
    var authority: String { URLParts(url).hostAndPort.map(String.init) ?? url }
}

/// The jobs of a download queue, indexed by transfer, by request and by listener.
///
/// A job is identified by the transfer ID of its current attempt, whether waiting or running.
struct JobTable: Sendable {
    private var jobs: [TransferID: DownloadJob] = [:]
    private var jobOfKey: [DownloadKey: TransferID] = [:]
    private var jobOfListener: [ListenerID: TransferID] = [:]

    /// The identifiers of all jobs, in the order their current attempts were created.
    var ids: [TransferID] { jobs.keys.sorted { $0.rawValue < $1.rawValue } }

    /// All listeners, in the order they joined.
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

    /// Removes a listener and returns the identifier of its job, or nil if the job has ended.
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

    /// Assigns a job a new identifier for its next attempt and returns it.
    ///
    /// Late events of the last attempt are ignored from then on.
    mutating func renew(_ id: TransferID) -> TransferID? {
        guard let job = jobs.removeValue(forKey: id) else { return nil }
        let next = insert(job)
        for listener in job.listeners.ids { jobOfListener[listener] = next }
        return next
    }
}

/// The listeners of one transfer with their priorities, in the order they joined.
struct ListenerSet {
    private var priorities: OrderedDictionary<ListenerID, LoadPriority> = [:]

    var ids: some Collection<ListenerID> { priorities.keys }
    var isEmpty: Bool { priorities.isEmpty }

    /// The priority of the transfer: the highest priority of its listeners.
    var priority: LoadPriority { priorities.values.max() ?? .low }

    mutating func set(_ priority: LoadPriority, of id: ListenerID) {
        priorities[id] = priority
    }

    mutating func remove(_ id: ListenerID) {
        priorities.removeValue(forKey: id)
    }
}

/// The identifier of a listener, which is one call to `ImageDownloader.body`.
struct ListenerID: Hashable, Sendable {
    let rawValue: UInt64
}
