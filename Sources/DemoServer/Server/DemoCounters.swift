/// The statistics of a demo server.
///
/// `requests == completed + aborted + liveNow` always holds. Requests for the counters themselves
/// are not counted. A response that the server cut off as requested counts as completed.
public struct DemoCounters: Hashable, Sendable {
    /// The number of requests received.
    public private(set) var requests = 0
    /// The number of responses that were sent up to their planned end.
    public private(set) var completed = 0
    /// The number of requests that ended early because the client disconnected.
    public private(set) var aborted = 0
    /// The number of body bytes passed to the kernel.
    public private(set) var bytesSent = 0
    /// The number of body bytes announced by `Content-Length`.
    ///
    /// The difference from `bytesSent` is the number of bytes that were announced but not sent,
    /// usually because clients aborted their requests.
    public private(set) var bytesAnnounced = 0
    /// The number of requests currently being answered.
    public private(set) var liveNow = 0
    /// The maximum number of requests answered at the same time.
    public private(set) var maximumLive = 0
    /// The number of TCP connections accepted.
    public private(set) var connections = 0

    /// Creates counters that are all zero.
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

    /// The counters as a JSON object.
    var json: String {
        """
        {"requests":\(requests),"completed":\(completed),"aborted":\(aborted),\
        "bytesSent":\(bytesSent),"bytesAnnounced":\(bytesAnnounced),"liveNow":\(liveNow),\
        "maximumLive":\(maximumLive),"connections":\(connections)}

        """
    }
}
