/// The durations of the stages of a load, which explain why an image was late.
///
/// A stage that did not occur is nil: an image from the disk cache has no transfer.
public struct LoadTimes: Hashable, Sendable {
    /// The time from the start of the work to its end, with or without success.
    public var total: Duration
    /// The time from the start of the work to the last request, spent on cache lookups, on waiting
    /// for a free transfer slot, and on earlier attempts.
    public var waiting: Duration?
    /// The time from the request to the head of the response: connecting, and processing by the
    /// server.
    public var answer: Duration?
    /// The time from the head of the response to the last byte.
    public var transfer: Duration?
    /// The time for decoding and processing.
    public var decoding: Duration?

    /// Creates times that contain only the total.
    public init(total: Duration) {
        self.total = total
    }
}

/// A stopwatch that records when the stages of a load begin and end.
///
/// This type has no side effects; all times are passed in. If work is repeated, such as a second
/// request after an unusable 304, only the last run counts.
struct LoadStopwatch: Hashable, Sendable {
    private let start: Duration
    private var requested: Duration?
    private var answered: Duration?
    private var arrived: Duration?
    private var decoding: Duration?

    init(start: Duration) {
        self.start = start
    }

    /// Records an event of a download.
    mutating func note(_ event: DownloadEvent, at time: Duration) {
        switch event {
        case .queued, .waiting: (requested, answered) = (nil, nil)
        case .progress:
            // The first progress event marks the start of the transfer, and the second one marks
            // the response head.
            if requested == nil {
                requested = time
            } else if answered == nil {
                answered = time
            }
        case .partial: break
        }
    }

    /// Records the end of the download.
    mutating func noteArrival(at time: Duration) { arrived = time }

    /// Records how long decoding took.
    mutating func noteDecoding(_ duration: Duration) { decoding = duration }

    /// Returns the times of a load that ends at `end`.
    func times(at end: Duration) -> LoadTimes {
        var times = LoadTimes(total: end - start)
        times.decoding = decoding
        guard let requested, let arrived else { return times }
        times.waiting = requested - start
        times.answer = (answered ?? arrived) - requested
        if let answered { times.transfer = arrived - answered }
        return times
    }
}
