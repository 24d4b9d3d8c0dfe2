/// How long the stages of a load took, for people who ask why an image came late.
///
/// What did not happen is nil: an image from the disk cache has no transfer.
public struct LoadTimes: Hashable, Sendable {
    /// From the start of the work to its end, whatever it was.
    public var total: Duration
    /// Waited for a free transfer, and for attempts before the last.
    public var waiting: Duration?
    /// From there to the head of the answer: connecting, and what the server needs.
    public var answer: Duration?
    /// From there to the last byte.
    public var transfer: Duration?
    /// Decoding and processing.
    public var decoding: Duration?

    /// Makes times of which only the sum is known.
    public init(total: Duration) {
        self.total = total
    }
}

/// Takes note of when the stages of a load begin and end.
///
/// Pure: each moment is given. Work that is done twice, such as asking again after a 304 that was of
/// no use, counts as it was the last time.
struct LoadStopwatch: Hashable, Sendable {
    private let start: Duration
    private var requested: Duration?
    private var answered: Duration?
    private var arrived: Duration?
    private var decoding: Duration?

    init(start: Duration) {
        self.start = start
    }

    /// Takes what a download tells.
    mutating func note(_ event: DownloadEvent, at time: Duration) {
        switch event {
        case .queued, .waiting: (requested, answered) = (nil, nil)
        case .progress:
            // The first one is the start of the transfer, the second one its head.
            if requested == nil {
                requested = time
            } else if answered == nil {
                answered = time
            }
        case .partial: break
        }
    }

    /// The download has ended.
    mutating func noteArrival(at time: Duration) { arrived = time }

    /// The image was decoded.
    mutating func noteDecoding(_ duration: Duration) { decoding = duration }

    /// The times of a load that ends now.
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
