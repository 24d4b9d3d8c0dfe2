/// One list of a `PrefetchPlan`: its requests and their outcomes.
struct PrefetchList {
    let options: PrefetchOptions
    /// The highest priority that loads of the list may have.
    var highestPriority: LoadPriority
    private let requests: [ImageRequest]
    /// The indices of `requests`, in the order the requests are started.
    ///
    /// The requests before position `next` have already been taken.
    private var order: [Int]
    private var next = 0
    /// The running loads, keyed by the index of their request in `requests`.
    private(set) var running: [Int: PrefetchLoad] = [:]
    private(set) var summary = PrefetchSummary()

    init(requests: [ImageRequest], options: PrefetchOptions) {
        self.options = options
        highestPriority = options.highestPriority
        self.requests = requests.map { request in
            var request = request
            request.options.remove(.highPriority)
            return request
        }
        order = Array(requests.indices)
    }

    var isFinished: Bool { summary.finished == requests.count }
    var waitingCount: Int { order.count - next }
    var progress: PrefetchProgress {
        PrefetchProgress(finished: summary.finished, total: requests.count)
    }

    /// Returns a request with its priority limited to `highestPriority`.
    func request(at index: Int) -> ImageRequest {
        var request = requests[index]
        request.priority = min(request.priority, highestPriority)
        return request
    }

    /// Whether the byte budget is used up; the bytes of running loads count too.
    var isSpent: Bool {
        guard let budget = options.byteBudget else { return false }
        return running.values.reduce(summary.bytesReceived) { $0 &+ $1.bytesReceived } >= budget
    }

    /// Moves the waiting requests that are in `wanted` to the front and returns their number.
    mutating func putFirst(_ wanted: Set<ImageRequest>) -> Int {
        guard !wanted.isEmpty else { return 0 }
        var rest = wanted  // If two requests are equal, only one takes over the load.
        let first = order.filter { rest.remove(requests[$0].withoutPriority) != nil }
        let isFirst = Set(first)
        order = first + order.filter { !isFirst.contains($0) }
        return first.count
    }

    /// Takes the next waiting request and marks it as running.
    ///
    /// Returns its index, or nil if no request is waiting.
    mutating func startNext() -> Int? {
        guard let index = takeNext() else { return nil }
        running[index] = PrefetchLoad(request: request(at: index))
        return index
    }

    /// Takes the next waiting request, which the caller must start or end.
    ///
    /// Returns its index, or nil if no request is waiting.
    mutating func takeNext() -> Int? {
        guard next < order.count else { return nil }
        defer { next += 1 }
        return order[next]
    }

    /// Records the progress of a running load.
    mutating func note(_ progress: LoadProgress, of index: Int) {
        running[index]?.progress = progress
    }

    /// Records the outcome of a waiting or running request and returns the event that reports it.
    mutating func end(_ index: Int, _ outcome: PrefetchOutcome) -> PrefetchEvent {
        summary.bytesReceived &+= running.removeValue(forKey: index)?.bytesReceived ?? 0
        summary.count(outcome)
        return .outcome(outcome, of: request(at: index), progress)
    }
}

extension ImageRequest {
    /// A copy of the request at low priority; requests that differ only in priority are then equal.
    var withoutPriority: ImageRequest {
        var request = self
        request.priority = .low
        return request
    }
}

struct PrefetchListID: Hashable, Sendable {
    let number: UInt64
}

/// A request in a prefetcher's list.
struct PrefetchItem: Hashable, Sendable {
    let list: PrefetchListID
    /// The index of the request in the list that was passed to the prefetcher.
    let index: Int
}
