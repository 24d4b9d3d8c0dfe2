import ImageLoadingTesting

@testable import ImageLoading

/// A random sequence of requests, responses, failures and pauses, and the invariants of every such
/// sequence.
struct RandomDownloads {
    private var random: SeededGenerator
    private(set) var queue: DownloadQueueHarness
    private var width = 3
    private let hostLimit: Int?
    /// Whether most transfers fail, so that breakers open.
    private let isServerDown: Bool
    private var listeners: [ListenerID] = []
    private var left: Set<ListenerID> = []
    /// Transfers that the queue stopped because they brought a long error page.
    private var refusedCount = 0

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
        let isNewestFirst = Bool.random(using: &random)
        let limit = Bool.random(using: &random) ? Int.random(in: 1...2, using: &random) : nil
        hostLimit = limit
        isServerDown = Int.random(in: 0..<4, using: &random) == 0
        queue = DownloadQueueHarness(seed: seed) { configuration in
            configuration.order = isNewestFirst ? .lastInFirstOut : .firstInFirstOut
            configuration.maximumTransfersPerHost = limit
            configuration.maximumAttempts = 5
        }
        queue.setWidth(width)
    }

    /// Runs the sequence; returns what was wrong, or nil.
    mutating func fault() -> String? {
        for number in 0..<60 {
            let runningBefore = queue.running.count
            step()
            if queue.running.count > max(width + 2, runningBefore) { return "too many run" }
            // This check visits all downloads, and would take most of the time if done at each
            // step.
            if number.isMultiple(of: 10), let fault = standingFault { return fault }
        }
        return faultAfterSettling()
    }

    // MARK: Invariants

    private var standingFault: String? {
        let statistics = queue.statistics
        if statistics.live != queue.running.count { return "live is miscounted" }
        if queue.strayCancelCount > 0 { return "a transfer was cancelled that did not run" }
        if let limit = hostLimit, mostOnOneHost > limit + 2 { return "too many on one host" }
        let attempts = queue.queue.attempts
        let unwanted = attempts.contains { id, attempt in
            attempt.standing == .listened && queue.queue.jobs[id]?.listeners.isEmpty ?? true
        }
        if unwanted { return "a transfer without listeners runs" }
        let besides = attempts.values.count { $0.standing == .detachedWithoutSlot }
        if besides > 2 { return "too many detached" }
        if queue.queue.slots.takenCount != attempts.count - besides { return "slots miscounted" }
        let unheard = left.first { queue.results[$0] == nil }
        return unheard.map { "\($0) left and was not told" }
    }

    private var mostOnOneHost: Int {
        let hosts = queue.running.values.map { $0.url.split(separator: "/")[1] }
        return Set(hosts).map { host in hosts.filter { $0 == host }.count }.max() ?? 0
    }

    // MARK: Steps

    private mutating func step() {
        switch Int.random(in: 0..<24, using: &random) {
        case 0..<7: join()
        case 7...8: haveEnough()
        case 9..<11: leave()
        case 11..<18: report()
        case 18: queue.advance(by: .milliseconds(Int.random(in: 0...3_000, using: &random)))
        case 19: queue.advance(by: .milliseconds(Int.random(in: 1...20, using: &random)))
        case 20:
            guard let listener = listeners.randomElement(using: &random) else { return }
            queue.setPriority(anyPriority(), of: listener)
        case 21:
            width = Int.random(in: 1...5, using: &random)
            queue.setWidth(width)
        case 22:
            queue.setSuspended(Bool.random(using: &random))
        default: doSomethingRare()
        }
    }

    private mutating func doSomethingRare() {
        switch Int.random(in: 0..<4, using: &random) {
        case 0: queue.cancelAll()
        case 1: queue.clearUnavailableHosts()
        default: queue.advance(by: .seconds(Int.random(in: 5...25, using: &random)))
        }
    }

    private mutating func join() {
        let host = Int.random(in: 0..<2, using: &random)
        let path = Int.random(in: 0..<6, using: &random)
        var request = DownloadRequest(url: "http://h\(host)/\(path)", priority: anyPriority())
        request.continuesInBackground = Int.random(in: 0..<6, using: &random) == 0
        listeners.append(queue.enqueue(request))
    }

    private mutating func leave() {
        guard let listener = listeners.randomElement(using: &random) else { return }
        left.insert(listener)
        queue.leave(listener)
    }

    private mutating func haveEnough() {
        let waiting = listeners.filter { queue.results[$0] == nil }
        guard let listener = waiting.randomElement(using: &random) else { return }
        _ = queue.finishEarly(listener)
    }

    private mutating func report() {
        let ids = queue.running.keys.sorted { $0.rawValue < $1.rawValue }
        guard let id = ids.randomElement(using: &random) else { return }
        switch Int.random(in: isServerDown ? 5..<20 : 0..<8, using: &random) {
        case 0...1: queue.send(.head(anyHead(for: id)), to: id)
        case 2...3:
            // A second head is ignored; no chunk precedes the first head.
            queue.send(.head(anyHead(for: id)), to: id)
            queue.send(.chunk([UInt8](repeating: 1, count: 20_000)), to: id)
        case 4:
            let status = [404, 416, 429, 500, 503].randomElement(using: &random) ?? 500
            queue.send(.head(TransferHead(status: status, expectedByteCount: 1 << 20)), to: id)
            if queue.running[id] == nil { refusedCount += 1 }
        case 5: queue.send(.finished(nil), to: id)
        default:
            let kinds: [TransferFailure.Kind] = [
                .connectionLost, .connectionLost, .timedOut, .noConnection,
            ]
            let kind = kinds.randomElement(using: &random) ?? .connectionLost
            queue.send(.finished(.transfer(kind, "x")), to: id)
        }
    }

    /// Returns a valid head for a body of three chunks, or for the requested rest of it.
    private func anyHead(for id: TransferID) -> TransferHead {
        let range = queue.running[id]?.headers.first { $0.isNamed("Range") }
        let digits = range?.value.split { $0 == "=" || $0 == "-" }.dropFirst().first ?? "0"
        let start = Int(digits) ?? 0
        var headers = ["etag": "\"x\""]
        if start > 0 { headers["content-range"] = "bytes \(start)-59999/60000" }
        return TransferHead(
            status: start > 0 ? 206 : 200,
            expectedByteCount: 60_000 - start,
            headers: headers
        )
    }

    private mutating func anyPriority() -> LoadPriority {
        LoadPriority.allCases.randomElement(using: &random) ?? .normal
    }

    // MARK: The end

    /// Ends everything; returns what is wrong unless every listener has ended once and all counters
    /// agree.
    private mutating func faultAfterSettling() -> String? {
        queue.setSuspended(false)
        while queue.statistics.live + queue.statistics.queued > 0 {
            while let id = queue.running.keys.first { finish(id) }
            guard queue.statistics.queued > 0 else { continue }
            guard let wake = queue.nextWake else { return "they wait for nothing" }
            queue.advance(by: wake - queue.now.uptime)
        }
        if let fault = standingFault { return fault }
        if listeners.contains(where: { queue.results[$0]?.count != 1 }) { return "no end" }
        if listeners.contains(where: hasFallen) { return "received fell (O2)" }
        return counterFault
    }

    /// Ends the transfer after any received length: successfully, or because it is too long.
    private mutating func finish(_ id: TransferID) {
        queue.send(.head(anyHead(for: id)), to: id)
        queue.send(.chunk([UInt8](repeating: 1, count: 20_000)), to: id)
        queue.send(.finished(.download(.permanent, .tooLarge(limit: 0))), to: id)
    }

    private var counterFault: String? {
        let statistics = queue.statistics
        let ended =
            statistics.transfersFinished + statistics.transfersFailed
            + statistics.transfersCancelled + statistics.transfersStoppedEarly
        if statistics.transfersStarted != ended { return "started != ended" }
        let abortCount = queue.cancelledURLs.count - refusedCount
        let stopCount = statistics.transfersCancelled + statistics.transfersStoppedEarly
        return abortCount == stopCount ? nil : "aborts != cancelled + stopped"
    }

    private func hasFallen(_ listener: ListenerID) -> Bool {
        var last = 0
        for event in queue.events[listener] ?? [] {
            guard case .progress(let progress) = event else {
                last = 0
                continue
            }
            if progress.received < last { return true }
            last = progress.received
        }
        return false
    }
}
