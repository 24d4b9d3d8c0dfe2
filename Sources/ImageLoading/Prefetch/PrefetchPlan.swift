internal import OrderedCollections

/// Decides what is prefetched and when: a pure state machine, owned by `ImagePrefetcher`.
///
/// Every request of every list gets exactly one outcome, and every list one end after the last of
/// them. At most `width` loads are under way, whatever the number of lists; the oldest list comes
/// first. This is no second limit on transfers: the loads wait in the downloader's one queue behind
/// everything more urgent. It keeps slots free for what is on the screen, and bounds by how much a
/// budget can be overrun.
struct PrefetchPlan {
    enum Action: Sendable {
        /// Start a load; `finish` or `refuse` is to follow.
        case start(PrefetchItem, ImageRequest, PrefetchOptions.Destination)
        /// Change the priority of a load that was started.
        case setPriority(PrefetchItem, LoadPriority)
        /// Cancel a load that was started; what it still tells is ignored.
        case cancel(PrefetchItem)
        /// Tell the list's listener; `completed` is the last of it.
        case tell(PrefetchListID, PrefetchEvent)
    }

    private let width: Int
    private var isPaused = false
    private var lists: OrderedDictionary<PrefetchListID, PrefetchList> = [:]
    private var runningCount = 0
    private var ended = PrefetchSummary()

    /// Makes a plan for at most so many loads at once; at least 1.
    init(width: Int) {
        self.width = max(1, width)
    }

    var statistics: PrefetchStatistics {
        var statistics = PrefetchStatistics()
        statistics.waiting = lists.values.reduce(0) { $0 + $1.waitingCount }
        statistics.running = runningCount
        statistics.ended = ended
        return statistics
    }

    // MARK: Lists

    /// Takes a list in, whose number is fresh.
    ///
    /// Of the lists it replaces, the loads under way that it wants too are started for it before
    /// they are cancelled for the old one, so that the transfer always has a listener.
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
        // Also while paused: they run already.
        let adopted = (0..<adoptedCount).flatMap { _ in startNext(of: id) }
        return adopted + ends + closeIfFinished(id) + advance()
    }

    /// Ends a list; what has no outcome yet is cancelled.
    ///
    /// An unknown one is ignored: the list has ended.
    mutating func cancel(_ id: PrefetchListID) -> [Action] {
        close(id) + advance()
    }

    /// Ends all lists.
    mutating func cancelAll() -> [Action] {
        lists.keys.flatMap { close($0) }
    }

    /// How urgent the loads of a list may be at most; nil after its end.
    func priority(of id: PrefetchListID) -> LoadPriority? {
        lists[id]?.highestPriority
    }

    /// Changes how urgent the loads of a list may be, those under way included.
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

    /// Holds back or releases what waits; what runs runs to its end.
    mutating func setPaused(_ newValue: Bool) -> [Action] {
        isPaused = newValue
        return advance()
    }

    // MARK: Loads

    /// Notes how many bytes of a load have come from the network.
    mutating func note(_ byteCount: Int, of item: PrefetchItem) {
        lists[item.list]?.note(byteCount, of: item.index)
    }

    /// Takes the end of a load; one that was cancelled in the meantime is ignored.
    mutating func finish(_ item: PrefetchItem, _ outcome: PrefetchOutcome) -> [Action] {
        guard lists[item.list]?.running[item.index] != nil else { return [] }
        return end(item, outcome) + closeIfFinished(item.list) + advance()
    }

    /// Takes the answer that a load must not start, now or soon: it and all that wait are skipped.
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

    /// The oldest list of which something can start; those whose budget is spent end on the way.
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
        let byteCount = lists[item.list]?.running[item.index]
        guard let event = lists[item.list]?.end(item.index, outcome) else { return [] }
        if let byteCount {
            runningCount -= 1
            ended.bytesReceived &+= byteCount
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
