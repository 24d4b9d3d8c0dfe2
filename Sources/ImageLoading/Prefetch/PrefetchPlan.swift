internal import OrderedCollections

/// Decides what is prefetched and when: a pure state machine, owned by `ImagePrefetcher`.
///
/// Every request of every list gets exactly one outcome, and every list one end after the last of
/// them. At most `width` loads are under way, whatever the number of lists; the oldest list comes
/// first. This is no second limit on transfers (row F16): the loads wait in the downloader's one
/// queue behind everything more urgent. It keeps slots free for what is on the screen, and bounds
/// by how much a budget can be overrun.
struct PrefetchPlan {
    enum Action: Sendable {
        /// Begin a load; `finish` or `refuse` is to follow.
        case start(PrefetchItem, ImageRequest, PrefetchOptions.Destination)
        /// Cancel a load that was begun; what it still tells is ignored.
        case cancel(PrefetchItem)
        /// Tell the list's listener; `completed` is the last of it.
        case tell(PrefetchToken, PrefetchEvent)
    }

    private let width: Int
    private var isPaused = false
    private var lists: OrderedDictionary<PrefetchToken, PrefetchList> = [:]
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

    /// Takes a list in, whose token is fresh.
    ///
    /// Of the lists it replaces, the loads under way that it wants too are begun for it before they
    /// are cancelled for the old one, so that the transfer always has a listener and goes on.
    mutating func add(
        _ token: PrefetchToken,
        _ requests: [ImageRequest],
        _ options: PrefetchOptions
    ) -> [Action] {
        precondition(lists[token] == nil, "a token names one list")
        var list = PrefetchList(token: token, requests: requests, options: options)
        guard options.replacesEarlierLists else {
            lists[token] = list
            return closeIfFinished(token) + advance()
        }
        let adoptedCount = list.putFirst(runningRequests)
        let ends = lists.keys.flatMap { close($0) }
        lists[token] = list
        // Also while paused: they run already.
        let adopted = (0..<adoptedCount).flatMap { _ in startNext(of: token) }
        return adopted + ends + closeIfFinished(token) + advance()
    }

    /// Ends a list; what has no outcome yet is cancelled (row PF6).
    ///
    /// Unknown tokens are ignored: the list has ended.
    mutating func cancel(_ token: PrefetchToken) -> [Action] {
        close(token) + advance()
    }

    /// Ends all lists.
    mutating func cancelAll() -> [Action] {
        lists.keys.flatMap { close($0) }
    }

    /// Holds back or lets go what waits; what runs goes on.
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

    /// Takes the answer that a load must not begin, now or soon: it and all that wait are skipped.
    mutating func refuse(_ item: PrefetchItem) -> [Action] {
        guard lists[item.list]?.running[item.index] != nil else { return [] }
        let refused = end(item, .skipped(.notAllowed))
        return lists.keys.reduce(into: refused) { actions, token in
            actions += endWaiting(of: token, .skipped(.notAllowed))
            actions += closeIfFinished(token)
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
        while !isPaused, runningCount < width, let token = nextList(&actions) {
            actions += startNext(of: token)
        }
        return actions
    }

    /// The oldest list of which something can start; those whose budget is spent end on the way.
    private mutating func nextList(_ actions: inout [Action]) -> PrefetchToken? {
        for (token, list) in lists where list.waitingCount > 0 {
            guard list.isSpent else { return token }
            actions += endWaiting(of: token, .skipped(.budgetSpent))
            actions += closeIfFinished(token)
        }
        return nil
    }

    private mutating func startNext(of token: PrefetchToken) -> [Action] {
        guard let index = lists[token]?.startNext(), let list = lists[token] else { return [] }
        runningCount += 1
        let item = PrefetchItem(list: token, index: index)
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
        of token: PrefetchToken,
        _ outcome: PrefetchOutcome
    ) -> [Action] {
        var actions: [Action] = []
        while let index = lists[token]?.takeNext() {
            actions += end(PrefetchItem(list: token, index: index), outcome)
        }
        return actions
    }

    private mutating func closeIfFinished(_ token: PrefetchToken) -> [Action] {
        guard let list = lists[token], list.isFinished else { return [] }
        lists[token] = nil
        return [.tell(token, .completed(list.summary))]
    }

    private mutating func close(_ token: PrefetchToken) -> [Action] {
        let running = (lists[token]?.running.keys.sorted() ?? [])
            .map { PrefetchItem(list: token, index: $0) }
        let ends = running.flatMap { end($0, .cancelled) } + endWaiting(of: token, .cancelled)
        return running.map { .cancel($0) } + ends + closeIfFinished(token)
    }
}
