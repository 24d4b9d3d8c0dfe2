import ImageLoadingTesting
import Testing

@testable import ImageLoading

/// The priority of a load, changed by its own handle while it waits.
struct OperationPriorityTests {
    private let harness = ManagerHarness()

    private func low(_ name: String) -> RecordedLoad {
        harness.load(ImageRequest(url: "http://a.example/\(name)", priority: .low))
    }

    /// Six loads that take all transfers, and behind them two at low priority.
    private func queue() async -> (busy: [RecordedLoad], first: RecordedLoad, second: RecordedLoad)
    {
        let busy = (0..<6).map { harness.load("http://a.example/busy\($0)") }
        await harness.transport.waitForStarts(6)
        let first = low("first")
        await harness.untilQueued(1)
        let second = low("second")
        await harness.untilQueued(2)
        return (busy, first, second)
    }

    @Test(.timeLimit(.minutes(5)))
    func `a load that becomes more urgent precedes one that waited longer`() async {
        let (busy, first, second) = await queue()

        second.operation.priority = .high
        busy[0].operation.cancel()
        await harness.transport.waitForStarts(7)

        #expect(harness.transport.starts[6].url == "http://a.example/second")
        for load in busy + [first, second] { load.operation.cancel() }
    }

    @Test(.timeLimit(.minutes(5)))
    func `shared work keeps the priority of its most urgent listener`() async {
        let (busy, first, second) = await queue()
        let other = harness.load("http://a.example/first")

        other.operation.priority = .normal
        second.operation.priority = .high
        busy[0].operation.cancel()
        await harness.transport.waitForStarts(7)
        busy[1].operation.cancel()
        await harness.transport.waitForStarts(8)

        #expect(harness.transport.starts[6].url == "http://a.example/second")
        #expect(harness.transport.starts[7].url == "http://a.example/first")
        #expect(first.operation.priority == .low)
        for load in busy + [first, second, other] { load.operation.cancel() }
    }

    @Test func `after the end cancelling and changing the priority have no effect`() async {
        harness.answerEverything()
        let load = harness.load("http://a.example/1")
        _ = await load.result()

        load.operation.priority = .low

        #expect(load.operation.priority == .low)
        #expect(!harness.manager.isRunning)
    }

    @Test(.timeLimit(.minutes(5)))
    func `a load can be cancelled before its first event`() async {
        harness.manager.isSuspended = true
        let load = harness.load("http://a.example/1")

        load.operation.cancel()

        #expect(await load.result() == .failure(.cancelled))
        #expect(load.record.endCount == 1)
        #expect(harness.transport.starts.isEmpty)
    }
}
