internal import OrderedCollections

/// A state machine that decides which images are prefetched and when.
///
/// This type has no side effects; `ImagePrefetcher` owns it. Every request of every list receives
/// exactly one outcome, and every list ends once, after its last outcome. At most `width` loads run
/// at the same time, regardless of the number of lists. The oldest list is loaded first.
///
/// `width` does not limit the number of transfers. The downloader's queue does that and starts more
/// urgent transfers first. `width` keeps transfer slots free for visible images and limits by how
/// many bytes a budget can be exceeded.
struct PrefetchPlan {
    enum Action: Sendable {
        /// Starts a load; the caller must later call `finish` or `refuse`.
        case start(PrefetchItem, ImageRequest, PrefetchOptions.Destination)
        /// Changes the priority of a started load.
        case setPriority(PrefetchItem, LoadPriority)
        /// Cancels a started load; its later events are ignored.
        case cancel(PrefetchItem)
        /// Sends an event to the listener of a list; `completed` is the last event.
        case tell(PrefetchListID, PrefetchEvent)
    }

    private let width: Int
    private var isPaused = false
    private var lists: OrderedDictionary<PrefetchListID, PrefetchList> = [:]
    private var runningCount = 0
    private var ended = PrefetchSummary()

    /// Creates a plan that runs at most `width` loads at the same time; less than 1 counts as 1.
    init(width: Int) {
        self.width = max(1, width)
    }

    var statistics: PrefetchStatistics {
        var statistics = PrefetchStatistics()
        statistics.waiting = lists.values.reduce(0) { $0 + $1.waitingCount }
        statistics.loads = lists.values.flatMap { list in
            list.running.sorted { $0.key < $1.key }.map(\.value)
        }
        statistics.ended = ended
        return statistics
    }

    // MARK: Lists

    /// Adds a list; `id` must be new.
    ///
    /// If the new list replaces earlier lists, it takes over their running loads of images that it
    /// also contains. Each of these loads is first started for the new list and then cancelled for
    /// the old list, so its transfer always has a listener.
    mutating func add(
        _ id: PrefetchListID,
        _ requests: [ImageRequest],
        _ options: PrefetchOptions
    ) -> [Action] {
        precondition(lists[id] == nil, "a number stands for one list")
        var list = PrefetchList(requests: requests, options: options)
        guard options.replacesEarlierLists else {
            lists[id] = list
            return closeIfFinished(id) + advance()
        }
        let adoptedCount = list.putFirst(runningRequests)
        let ends = lists.keys.flatMap { close($0) }
        lists[id] = list
        // These are started even while paused, because they are already running.
        let adopted = (0..<adoptedCount).flatMap { _ in startNext(of: id) }
        return adopted + ends + closeIfFinished(id) + advance()
    }

    /// Ends a list and cancels its requests without an outcome.
    ///
    /// Does nothing if the list is unknown, because it has already ended.
    mutating func cancel(_ id: PrefetchListID) -> [Action] {
        close(id) + advance()
    }

    mutating func cancelAll() -> [Action] {
        lists.keys.flatMap { close($0) }
    }

    /// Returns the highest priority of a list's loads, or nil after the list has ended.
    func priority(of id: PrefetchListID) -> LoadPriority? {
        lists[id]?.highestPriority
    }

    /// Changes the highest priority of a list's loads, including running loads.
    mutating func setPriority(_ priority: LoadPriority, of id: PrefetchListID) -> [Action] {
        guard lists[id] != nil else { return [] }
        lists[id]?.highestPriority = priority
        guard let list = lists[id] else { return [] }
        return list.running.keys.sorted().map { index in
            .setPriority(
                PrefetchItem(list: id, index: index),
                list.request(at: index).effectivePriority
            )
        }
    }

    /// Suspends or resumes waiting loads; running loads are not affected.
    mutating func setPaused(_ newValue: Bool) -> [Action] {
        isPaused = newValue
        return advance()
    }

    // MARK: Loads

    /// Records the progress of a load.
    mutating func note(_ progress: LoadProgress, of item: PrefetchItem) {
        lists[item.list]?.note(progress, of: item.index)
    }

    /// Records the end of a load; does nothing if the load has already been cancelled.
    mutating func finish(_ item: PrefetchItem, _ outcome: PrefetchOutcome) -> [Action] {
        guard lists[item.list]?.running[item.index] != nil else { return [] }
        return end(item, outcome) + closeIfFinished(item.list) + advance()
    }

    /// Records that a load must not start; skips this load and all waiting loads.
    mutating func refuse(_ item: PrefetchItem) -> [Action] {
        guard lists[item.list]?.running[item.index] != nil else { return [] }
        let refused = end(item, .skipped(.notAllowed))
        return lists.keys.reduce(into: refused) { actions, id in
            actions += endWaiting(of: id, .skipped(.notAllowed))
            actions += closeIfFinished(id)
        }
    }

    // MARK: Steps

    private var runningRequests: Set<ImageRequest> {
        var requests: Set<ImageRequest> = []
        for list in lists.values {
            for index in list.running.keys {
                requests.insert(list.request(at: index).withoutPriority)
            }
        }
        return requests
    }

    private mutating func advance() -> [Action] {
        var actions: [Action] = []
        while !isPaused, runningCount < width, let id = nextList(&actions) {
            actions += startNext(of: id)
        }
        return actions
    }

    /// Returns the oldest list with a waiting request.
    ///
    /// If the byte budget of a list is used up, its waiting requests are skipped.
    private mutating func nextList(_ actions: inout [Action]) -> PrefetchListID? {
        for (id, list) in lists where list.waitingCount > 0 {
            guard list.isSpent else { return id }
            actions += endWaiting(of: id, .skipped(.budgetSpent))
            actions += closeIfFinished(id)
        }
        return nil
    }

    private mutating func startNext(of id: PrefetchListID) -> [Action] {
        guard let index = lists[id]?.startNext(), let list = lists[id] else { return [] }
        runningCount += 1
        let item = PrefetchItem(list: id, index: index)
        return [.start(item, list.request(at: index), list.options.destination)]
    }

    private mutating func end(_ item: PrefetchItem, _ outcome: PrefetchOutcome) -> [Action] {
        let load = lists[item.list]?.running[item.index]
        guard let event = lists[item.list]?.end(item.index, outcome) else { return [] }
        if let load {
            runningCount -= 1
            ended.bytesReceived &+= load.bytesReceived
        }
        ended.count(outcome)
        return [.tell(item.list, event)]
    }

    private mutating func endWaiting(
        of id: PrefetchListID,
        _ outcome: PrefetchOutcome
    ) -> [Action] {
        var actions: [Action] = []
        while let index = lists[id]?.takeNext() {
            actions += end(PrefetchItem(list: id, index: index), outcome)
        }
        return actions
    }

    private mutating func closeIfFinished(_ id: PrefetchListID) -> [Action] {
        guard let list = lists[id], list.isFinished else { return [] }
        lists[id] = nil
        return [.tell(id, .completed(list.summary))]
    }

    private mutating func close(_ id: PrefetchListID) -> [Action] {
        let running = (lists[id]?.running.keys.sorted() ?? [])
            .map { PrefetchItem(list: id, index: $0) }
        let ends = running.flatMap { end($0, .cancelled) } + endWaiting(of: id, .cancelled)
        return running.map { .cancel($0) } + ends + closeIfFinished(id)
    }
}
