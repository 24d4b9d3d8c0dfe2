import ImageLoadingTesting
import Testing

@testable import ImageLoading

/// Random sequences of everything that can happen to a queue.
@Suite struct DownloadQueuePropertyTests {
    // F1, F2, F4, F24
    @Test(arguments: 0..<10)
    func `random interleavings end every listener once and leave nothing behind`(batch: Int) {
        for number in 0..<1_000 {
            let seed = UInt64(batch * 1_000 + number)
            var run = RandomRun(seed: seed)
            if let fault = run.fault() {
                Issue.record("seed \(seed): \(fault)")
                return
            }
        }
    }
}

/// One random sequence.
private struct RandomRun {
    private var random: SeededGenerator
    private var queue: DownloadQueueHarness
    private var width = 3
    private let hostLimit: Int?
    private var listeners: [ListenerID] = []
    private var left: Set<ListenerID> = []
    private var urls: [ListenerID: String] = [:]
    /// Transfers that the queue stopped because they brought a long error page.
    private var refusedCount = 0

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
        let isNewestFirst = Bool.random(using: &random)
        let limit = Bool.random(using: &random) ? Int.random(in: 1...2, using: &random) : nil
        hostLimit = limit
        queue = DownloadQueueHarness { configuration in
            configuration.order = isNewestFirst ? .lastInFirstOut : .firstInFirstOut
            configuration.maximumTransfersPerHost = limit
        }
        queue.setWidth(width)
    }

    /// Runs it; what was wrong, or nil.
    mutating func fault() -> String? {
        for number in 0..<40 {
            let runningBefore = queue.running.count
            step()
            if queue.running.count > max(width, runningBefore) { return "too many run" }
            if let limit = hostLimit, mostOnOneHost > limit { return "too many on one host" }
            // Looks at everybody, and would take most of the time if done at each step.
            if number.isMultiple(of: 10), let fault = standingFault { return fault }
        }
        return faultAfterSettling()
    }

    private var standingFault: String? {
        let statistics = queue.statistics
        if statistics.live != queue.running.count { return "live is miscounted" }
        if queue.strayCancelCount > 0 { return "a transfer was cancelled that did not run" }
        let wanted = Set(urls.filter { queue.results[$0.key] == nil }.map(\.value))
        if !queue.runningURLs.isSubset(of: wanted) { return "one runs that nobody wants" }
        let unheard = left.first { queue.results[$0] == nil }
        return unheard.map { "\($0) left and was not told" }
    }

    private var mostOnOneHost: Int {
        let hosts = queue.runningURLs.map { $0.split(separator: "/")[1] }
        return Set(hosts).map { host in hosts.filter { $0 == host }.count }.max() ?? 0
    }

    private mutating func step() {
        switch Int.random(in: 0..<20, using: &random) {
        case 0..<7: join()
        case 7..<11: leave()
        case 11..<16: report()
        case 16..<18:
            guard let listener = listeners.randomElement(using: &random) else { return }
            queue.setPriority(anyPriority(), of: listener)
        case 18:
            width = Int.random(in: 1...5, using: &random)
            queue.setWidth(width)
        default:
            if Int.random(in: 0..<10, using: &random) == 0 {
                queue.cancelAll()
            } else {
                queue.setSuspended(Bool.random(using: &random))
            }
        }
    }

    private mutating func join() {
        let host = Int.random(in: 0..<2, using: &random)
        let path = Int.random(in: 0..<6, using: &random)
        let url = "http://h\(host)/\(path)"
        let listener = queue.enqueue(url, priority: anyPriority())
        listeners.append(listener)
        urls[listener] = url
    }

    private mutating func leave() {
        guard let listener = listeners.randomElement(using: &random) else { return }
        left.insert(listener)
        queue.leave(listener)
    }

    private mutating func report() {
        let ids = queue.running.keys.sorted { $0.rawValue < $1.rawValue }
        guard let id = ids.randomElement(using: &random) else { return }
        switch Int.random(in: 0..<5, using: &random) {
        case 0: queue.send(.head(TransferHead(status: 200, expectedByteCount: nil)), to: id)
        case 1: queue.send(.chunk([1]), to: id)
        case 2:
            queue.send(.head(TransferHead(status: 404, expectedByteCount: 1 << 20)), to: id)
            if queue.running[id] == nil { refusedCount += 1 }
        case 3: queue.send(.finished(nil), to: id)
        default:
            queue.send(.finished(.download(.transient, .transport(code: 56, text: "x"))), to: id)
        }
    }

    private mutating func anyPriority() -> LoadPriority {
        LoadPriority.allCases.randomElement(using: &random) ?? .normal
    }

    /// Lets everything run to its end; then every listener has one end and every counter agrees.
    private mutating func faultAfterSettling() -> String? {
        queue.setSuspended(false)
        while let id = queue.running.keys.first {
            queue.send(.head(TransferHead(status: 200, expectedByteCount: nil)), to: id)
            queue.send(.chunk([1]), to: id)
            queue.send(.finished(nil), to: id)
        }
        let statistics = queue.statistics
        if listeners.contains(where: { queue.results[$0]?.count != 1 }) { return "no end" }
        if statistics.live != 0 || statistics.queued != 0 { return "something is left" }
        let ended =
            statistics.transfersFinished + statistics.transfersFailed
            + statistics.transfersCancelled
        if statistics.transfersStarted != ended { return "started != ended" }
        let abortCount = queue.cancelledURLs.count - refusedCount
        return abortCount == statistics.transfersCancelled ? nil : "aborts != cancelled"
    }
}
