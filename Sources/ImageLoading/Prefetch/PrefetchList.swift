/// One list of a `PrefetchPlan`: which requests wait, which run, and what it came to.
struct PrefetchList {
    let options: PrefetchOptions
    /// The most urgent that its loads may be, now.
    var highestPriority: LoadPriority
    private let requests: [ImageRequest]
    /// Places in `requests` in the order of starting; those before `next` have been taken.
    private var order: [Int]
    private var next = 0
    /// What runs, and how many bytes of it have come.
    private(set) var running: [Int: Int] = [:]
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

    /// A request as it is started.
    func request(at index: Int) -> ImageRequest {
        var request = requests[index]
        request.priority = min(request.priority, highestPriority)
        return request
    }

    /// Whether the budget is spent, the bytes of what still runs included.
    var isSpent: Bool {
        guard let budget = options.byteBudget else { return false }
        return running.values.reduce(summary.bytesReceived, &+) >= budget
    }

    /// Moves requests to the front; returns how many there are.
    mutating func putFirst(_ wanted: Set<ImageRequest>) -> Int {
        guard !wanted.isEmpty else { return 0 }
        var rest = wanted  // of two equal requests only one takes the load over
        let first = order.filter { rest.remove(requests[$0].withoutPriority) != nil }
        let isFirst = Set(first)
        order = first + order.filter { !isFirst.contains($0) }
        return first.count
    }

    /// The next request that waits, which runs from now on.
    mutating func startNext() -> Int? {
        guard let index = takeNext() else { return nil }
        running[index] = 0
        return index
    }

    /// Takes the next request that waits, to end it at once.
    mutating func takeNext() -> Int? {
        guard next < order.count else { return nil }
        defer { next += 1 }
        return order[next]
    }

    /// Notes how many bytes of a running load have come.
    mutating func note(_ byteCount: Int, of index: Int) {
        guard running[index] != nil else { return }
        running[index] = max(0, byteCount)
    }

    /// Gives a request its outcome; it neither waits nor runs any more.
    mutating func end(_ index: Int, _ outcome: PrefetchOutcome) -> PrefetchEvent {
        summary.bytesReceived &+= running.removeValue(forKey: index) ?? 0
        summary.count(outcome)
        return .outcome(outcome, of: request(at: index), progress)
    }
}

extension ImageRequest {
    /// What two requests for the same load have in common.
    var withoutPriority: ImageRequest {
        var request = self
        request.priority = .low
        return request
    }
}

/// Tells the lists of one prefetcher apart.
struct PrefetchListID: Hashable, Sendable {
    let number: UInt64
}

/// One request of one list.
struct PrefetchItem: Hashable, Sendable {
    let list: PrefetchListID
    /// Its place in the list as it was given.
    let index: Int
}
