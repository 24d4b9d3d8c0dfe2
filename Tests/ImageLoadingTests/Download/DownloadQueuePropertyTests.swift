@testable import ImageLoading
import ImageLoadingTesting
import PropertyRuns
import Testing

/// Random sequences of everything that can happen to a queue.
@Suite struct DownloadQueuePropertyTests {
    // F1, F2, F4, F24, F26, O2, O13
    @Test(arguments: 0..<10)
    func `random interleavings end every listener once and leave no state`(batch: Int) {
        for number in 0..<PropertyRuns.count(400) {
            let seed = UInt64(batch * 400 + number)
            var run = RandomDownloads(seed: seed)
            if let fault = run.fault() {
                Issue.record("seed \(seed): \(fault)")
                return
            }
        }
    }

    /// If one of these never occurred, the sequences above would not test it.
    @Test func `the random interleavings meet retries, resumption, early stops and open breakers`()
    {
        var met = DownloaderStatistics()
        for seed in 0..<500 {
            var run = RandomDownloads(seed: UInt64(seed))
            _ = run.fault()
            let statistics = run.queue.statistics
            met.retries += statistics.retries
            met.transfersResumed += statistics.transfersResumed
            met.transfersDetached += statistics.transfersDetached
            met.transfersCancelled += statistics.transfersCancelled
            met.transfersStoppedEarly += statistics.transfersStoppedEarly
            met.unavailableHosts += run.queue.traced.count { event in
                event.kind == .hostAvailability(isAvailable: false)
            }
        }

        #expect(met.retries > 100)
        #expect(met.transfersResumed > 100)
        #expect(met.transfersDetached > 50)
        #expect(met.transfersCancelled > 100)
        #expect(met.transfersStoppedEarly > 50)
        #expect(met.unavailableHosts > 100)
    }

    // F2: a listener comes while the last one leaves, or while the transfer starts
    @Test func `of 10,000 random starts and cancels every remaining listener completes`() {
        for seed in 0..<PropertyRuns.count(10_000) {
            var run = RandomStarts(seed: UInt64(seed))
            if let fault = run.fault() {
                Issue.record("seed \(seed): \(fault)")
                return
            }
        }
    }
}

/// Listeners of one URL that join and leave while a transfer starts, responds and is cancelled; the
/// server does not fail (row F2).
struct RandomStarts {
    private static let url = "http://a/1"

    private var random: SeededGenerator
    private var queue = DownloadQueueHarness { $0.maximumConcurrentTransfers = 1 }
    private var staying: Set<ListenerID> = []

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
    }

    mutating func fault() -> String? {
        for _ in 0..<12 { step() }
        while let id = queue.running.keys.first { answer(id) }
        for listener in staying where !queue.results[listener, default: []].isOneSuccess {
            return "\(listener) stayed and got \(queue.results[listener] ?? [])"
        }
        return queue.strayCancelCount == 0 ? nil : "a transfer was cancelled that did not run"
    }

    private mutating func step() {
        switch Int.random(in: 0..<8, using: &random) {
        case 0..<3:
            staying.insert(queue.enqueue(Self.url))
        case 3..<6:
            let listeners = staying.sorted { $0.rawValue < $1.rawValue }
            guard let listener = listeners.randomElement(using: &random),
                queue.results[listener] == nil
            else { return }
            staying.remove(listener)
            queue.leave(listener)
        case 6:
            guard let id = queue.running.keys.first else { return }
            queue.send(.head(TransferHead(status: 200, expectedByteCount: 3)), to: id)
        default:
            if let id = queue.running.keys.first { answer(id) }
        }
    }

    private mutating func answer(_ id: TransferID) {
        queue.send(.head(TransferHead(status: 200, expectedByteCount: 3)), to: id)
        queue.send(.chunk([1, 2, 3]), to: id)
        queue.send(.finished(nil), to: id)
    }
}

extension [Result<DownloadedBody, ImageLoadingError>] {
    fileprivate var isOneSuccess: Bool {
        guard count == 1, case .success(let body) = self[0] else { return false }
        return body.bytes == [1, 2, 3]
    }
}
