@testable import ImageLoading

/// Simulates the execution of a `PrefetchPlan`'s actions.
struct PrefetchPlanHarness {
    private(set) var plan: PrefetchPlan
    /// The loads that were started and have neither ended nor been cancelled.
    private(set) var running: [PrefetchItem] = []
    private(set) var startedURLs: [String] = []
    private(set) var startedPriorities: [LoadPriority] = []
    private(set) var cancelledURLs: [String] = []
    /// The priorities that running loads were given, by URL.
    private(set) var changedPriorities: [String: LoadPriority] = [:]
    private(set) var outcomes: [PrefetchListID: [(url: String, outcome: PrefetchOutcome)]] = [:]
    private(set) var progress: [PrefetchListID: [PrefetchProgress]] = [:]
    private(set) var summaries: [PrefetchListID: [PrefetchSummary]] = [:]
    /// The number of reports about a list after its end, and of cancelled loads that were not
    /// running.
    private(set) var strays = 0
    /// The largest number of different pictures that were loaded at once.
    private(set) var mostAtOnce = 0
    private var urls: [PrefetchItem: String] = [:]
    private var lastToken: UInt64 = 0

    init(width: Int = 3) {
        plan = PrefetchPlan(width: width)
    }

    var runningURLs: [String] { running.compactMap { urls[$0] } }

    mutating func add(
        _ names: [String],
        _ options: PrefetchOptions = PrefetchOptions()
    ) -> PrefetchListID {
        add(names.map { ImageRequest(url: $0) }, options)
    }

    mutating func add(
        _ requests: [ImageRequest],
        _ options: PrefetchOptions = PrefetchOptions()
    ) -> PrefetchListID {
        lastToken += 1
        let token = PrefetchListID(number: lastToken)
        perform(plan.add(token, requests, options))
        return token
    }

    mutating func cancel(_ token: PrefetchListID) { perform(plan.cancel(token)) }
    mutating func cancelAll() { perform(plan.cancelAll()) }
    mutating func setPriority(_ priority: LoadPriority, of token: PrefetchListID) {
        perform(plan.setPriority(priority, of: token))
    }
    mutating func setPaused(_ isPaused: Bool) { perform(plan.setPaused(isPaused)) }

    mutating func note(_ byteCount: Int, of item: PrefetchItem) {
        plan.note(LoadProgress(received: byteCount, expected: nil), of: item)
    }

    /// Ends the running load of a URL.
    mutating func finish(
        _ url: String,
        _ outcome: PrefetchOutcome = .loaded(.network),
        byteCount: Int = 0
    ) {
        guard let item = running.first(where: { urls[$0] == url }) else { return }
        finish(item, outcome, byteCount: byteCount)
    }

    mutating func finish(_ item: PrefetchItem, _ outcome: PrefetchOutcome, byteCount: Int = 0) {
        running.removeAll { $0 == item }
        note(byteCount, of: item)
        perform(plan.finish(item, outcome))
    }

    mutating func refuse(_ item: PrefetchItem) {
        running.removeAll { $0 == item }
        perform(plan.refuse(item))
    }

    private mutating func perform(_ actions: [PrefetchPlan.Action]) {
        for action in actions {
            switch action {
            case .start(let item, let request, _):
                running.append(item)
                urls[item] = request.url
                startedURLs.append(request.url)
                startedPriorities.append(request.priority)
            case .cancel(let item):
                guard let place = running.firstIndex(of: item) else {
                    strays += 1
                    continue
                }
                running.remove(at: place)
                cancelledURLs.append(urls[item] ?? "")
            case .setPriority(let item, let priority):
                if !running.contains(item) { strays += 1 }
                changedPriorities[urls[item] ?? ""] = priority
            case .tell(let token, let event): tell(token, event)
            }
        }
        mostAtOnce = max(mostAtOnce, running.count)
    }

    private mutating func tell(_ token: PrefetchListID, _ event: PrefetchEvent) {
        if summaries[token] != nil { strays += 1 }
        switch event {
        case .outcome(let outcome, of: let request, let progress):
            outcomes[token, default: []].append((request.url, outcome))
            self.progress[token, default: []].append(progress)
        case .completed(let summary): summaries[token, default: []].append(summary)
        }
    }
}
