import ImageLoadingTesting
import PropertyRuns
import Testing

@testable import ImageLoading

/// Random sequences of everything that can happen to a prefetcher.
@Suite struct PrefetchPropertyTests {
    // PF1-PF6
    @Test(arguments: 0..<8)
    func `in any order, each request has one outcome and each list one end`(batch: Int) {
        for number in 0..<PropertyRuns.count(500) {
            let seed = UInt64(batch * 500 + number)
            var run = RandomRun(seed: seed)
            if let fault = run.fault() {
                Issue.record("seed \(seed): \(fault)")
                return
            }
        }
    }
}

private struct RandomRun {
    /// The maximum number of bytes of a load.
    private static let largest = 100

    private var random: SeededGenerator
    private var plan: PrefetchPlanHarness
    private let width: Int
    private var lists: [(token: PrefetchListID, urls: [String], budget: Int?)] = []

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
        width = Int.random(in: 1...4, using: &random)
        plan = PrefetchPlanHarness(width: width)
    }

    mutating func fault() -> String? {
        for _ in 0..<60 {
            step()
            if plan.plan.statistics.running != plan.running.count { return "running miscounted" }
            if plan.mostAtOnce > width { return "\(plan.mostAtOnce) at once" }
            if plan.strays > 0 { return "told after the end, or cancelled what didn't run" }
        }
        return faultAfterSettling()
    }

    private mutating func step() {
        switch Int.random(in: 0..<13, using: &random) {
        case 0..<2: add()
        case 12:
            guard let list = lists.randomElement(using: &random) else { return }
            let priority = LoadPriority.allCases.randomElement(using: &random) ?? .low
            plan.setPriority(priority, of: list.token)
        case 2: if let list = lists.randomElement(using: &random) { plan.cancel(list.token) }
        case 3: plan.setPaused(Bool.random(using: &random))
        case 4..<6:
            guard let item = plan.running.randomElement(using: &random) else { return }
            plan.note(Int.random(in: 0...Self.largest, using: &random), of: item)
        case 6:
            guard let item = plan.running.last, Int.random(in: 0..<4, using: &random) == 0
            else { return }
            plan.refuse(item)
        case 7: if Int.random(in: 0..<20, using: &random) == 0 { plan.cancelAll() }
        default: finish()
        }
    }

    private mutating func add() {
        let count = Int.random(in: 0..<8, using: &random)
        let urls = (0..<count).map { _ in "\(Int.random(in: 0..<12, using: &random))" }
        var options = PrefetchOptions()
        options.replacesEarlierLists = Int.random(in: 0..<3, using: &random) == 0
        if Bool.random(using: &random) {
            options.byteBudget = Int.random(in: 0..<300, using: &random)
        }
        lists.append((plan.add(urls, options), urls, options.byteBudget))
    }

    private mutating func finish() {
        guard let item = plan.running.randomElement(using: &random) else { return }
        let all: [PrefetchOutcome] = [
            .loaded(.network), .loaded(.memory), .failed(.cancelled), .cancelled,
        ]
        plan.finish(
            item,
            all.randomElement(using: &random) ?? .cancelled,
            byteCount: Int.random(in: 0...Self.largest, using: &random)
        )
    }

    private mutating func faultAfterSettling() -> String? {
        plan.setPaused(false)
        while let item = plan.running.first {
            plan.finish(item, .loaded(.disk), byteCount: Self.largest)
        }
        var total = PrefetchSummary()
        for list in lists {
            let outcomes = plan.outcomes[list.token] ?? []
            guard let summary = plan.summaries[list.token]?.first else { return "no end" }
            if outcomes.map(\.url).sorted() != list.urls.sorted() { return "outcomes of others" }
            if summary.finished != list.urls.count { return "counts don't add up" }
            if let budget = list.budget, summary.bytesReceived >= budget + width * Self.largest {
                return "spent \(summary.bytesReceived) of \(budget)"
            }
            total.loaded += summary.loaded
            total.cancelled += summary.cancelled
        }
        let ended = plan.plan.statistics.ended
        if ended.loaded != total.loaded || ended.cancelled != total.cancelled { return "totals" }
        return plan.plan.statistics.waiting == 0 ? nil : "something waits for ever"
    }
}
