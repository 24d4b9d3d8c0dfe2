/// What a demo server has seen; `requests == completed + aborted + liveNow` at any moment.
///
/// Requests for the counters themselves are not counted. An answer that the server cut itself, as
/// asked, is completed.
public struct DemoCounters: Hashable, Sendable {
    /// Requests received.
    public private(set) var requests = 0
    /// Requests answered to the end that was planned.
    public private(set) var completed = 0
    /// Requests whose client went away before that end.
    public private(set) var aborted = 0
    /// Body bytes handed to the kernel.
    public private(set) var bytesSent = 0
    /// Body bytes promised by `Content-Length`; the rest to `bytesSent` was saved by aborting.
    public private(set) var bytesAnnounced = 0
    /// Requests being answered.
    public private(set) var liveNow = 0
    /// The most requests that were answered at one moment.
    public private(set) var maximumLive = 0
    /// TCP connections accepted.
    public private(set) var connections = 0

    /// Makes counters at zero.
    public init() {}

    mutating func accepted() { connections += 1 }

    mutating func began() {
        requests += 1
        liveNow += 1
        maximumLive = max(maximumLive, liveNow)
    }

    mutating func announced(_ byteCount: Int) { bytesAnnounced &+= byteCount }

    mutating func sent(_ byteCount: Int) { bytesSent &+= byteCount }

    mutating func ended(aborted isAborted: Bool) {
        liveNow -= 1
        if isAborted { aborted += 1 } else { completed += 1 }
    }

    /// The counters as one JSON object.
    var json: String {
        """
        {"requests":\(requests),"completed":\(completed),"aborted":\(aborted),\
        "bytesSent":\(bytesSent),"bytesAnnounced":\(bytesAnnounced),"liveNow":\(liveNow),\
        "maximumLive":\(maximumLive),"connections":\(connections)}

        """
    }
}
