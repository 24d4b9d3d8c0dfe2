/// The durations of a load's steps, which show why an image was late.
///
/// The duration of a step that did not occur is nil; for example, an image from the disk cache has
/// no transfer.
public struct LoadTimes: Hashable, Sendable {
    /// The time from the start of the work to its end, with or without success.
    public var total: Duration
    /// The time from the start of the work to the last request.
    ///
    /// It includes cache lookups, waiting for a free transfer slot, and earlier attempts.
    public var waiting: Duration?
    /// The time from the request to the header fields of the response.
    ///
    /// It includes connecting and the server's processing time.
    public var answer: Duration?
    /// The time from the header fields of the response to the last byte of the body.
    public var transfer: Duration?
    /// The time for decoding and processing.
    public var decoding: Duration?

    /// Creates times that contain only the total.
    public init(total: Duration) {
        self.total = total
    }
}

/// Records when the steps of a load begin and end.
///
/// This type has no side effects; the caller passes all times. If a step is repeated, for example
/// by a second request after an unusable 304 response, only the last repetition counts.
struct LoadStopwatch: Hashable, Sendable {
    private let start: Duration
    private var requested: Duration?
    private var answered: Duration?
    private var arrived: Duration?
    private var decoding: Duration?

    init(start: Duration) {
        self.start = start
    }

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

    mutating func noteArrival(at time: Duration) { arrived = time }

    mutating func noteDecoding(_ duration: Duration) { decoding = duration }

    /// Returns the durations of a load that ends at `end`.
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
