/// One download from the first wish to its end, over all its attempts.
struct DownloadJob: Sendable {
    let key: DownloadKey
    /// As its first listener asked.
    let request: DownloadRequest
    /// Host and port.
    let host: String
    var listeners = ListenerSet()
    /// Whether it shall end well also when nobody waits any more; one listener who asks is enough.
    var continuesInBackground: Bool
    /// Whether the beginnings of its body are reported; one listener who asks is enough.
    var reportsPartials: Bool
    /// The beginning of the body, from which the next attempt goes on.
    var partial: PartialBody?
    var history = AttemptHistory()

    init(_ key: DownloadKey, _ request: DownloadRequest) {
        self.key = key
        self.request = request
        host = key.authority
        continuesInBackground = request.continuesInBackground
        reportsPartials = request.reportsPartials
        partial = request.partial
    }

    /// What the download has brought beyond what it was given, if that can be gone on from.
    var gain: PartialBody? {
        guard let partial, partial.bytes.count > request.partial?.bytes.count ?? 0 else {
            return nil
        }
        return partial
    }

    mutating func noteFailure(of attempt: DownloadAttempt) {
        partial = attempt.partial(of: request)
        let byteCount = partial?.bytes.count ?? 0
        history.noteFailure(broughtBytes: byteCount > attempt.resumedFrom)
    }
}
