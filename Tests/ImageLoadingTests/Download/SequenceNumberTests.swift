import ImageLoadingTesting
import Testing

@testable import ImageLoading

/// The age of a download where wishes come to the queue in another order than they were made.
// F3, T12
@Suite struct SequenceNumberTests {
    /// Enqueues wishes in this order on a queue of one, whose slot is taken; the order of starting.
    private func starts(
        of numbers: [UInt64],
        order: DownloaderConfiguration.Order
    ) -> [UInt64] {
        var list = ReadyList(order: order)
        var numberOfID: [TransferID: UInt64] = [:]
        for number in numbers {
            let id = TransferID.unique()
            numberOfID[id] = number
            list.insert(id, host: "h", priority: .high, sequenceNumber: number)
        }
        return numbers.compactMap { _ in
            list.popFirst { _ in true }.flatMap { numberOfID[$0] }
        }
    }

    @Test func `the newest request starts first, whenever it came to the queue`() {
        #expect(starts(of: [3, 1, 5, 2, 4], order: .lastInFirstOut) == [5, 4, 3, 2, 1])
        #expect(starts(of: [3, 1, 5, 2, 4], order: .firstInFirstOut) == [1, 2, 3, 4, 5])
    }

    @Test func `a request with the greatest number there is may be followed by another`() {
        var list = ReadyList(order: .firstInFirstOut)
        list.insert(.unique(), host: "h", priority: .high, sequenceNumber: .max)
        list.insert(.unique(), host: "h", priority: .high)

        #expect(list.count == 2)
    }

    @Test func `a request without a number is as old as its coming`() {
        var list = ReadyList(order: .lastInFirstOut)
        let numbered = TransferID.unique()
        let plain = TransferID.unique()
        list.insert(numbered, host: "h", priority: .high, sequenceNumber: 7)
        list.insert(plain, host: "h", priority: .high)

        #expect(list.popFirst { _ in true } == plain)
    }

    // The cells of a screen are wished for from the last to the first: it fills from the top.
    @Test func `loads of a manager start in the order of wishing, the newest first`() async {
        let harness = ManagerHarness(order: .lastInFirstOut)
        harness.manager.downloader.isSuspended = true
        let names = (0..<20).map { "http://a.example/\($0)" }
        let loads = names.reversed().map { harness.load($0) }
        await harness.untilQueued(20)

        harness.answerEverything()
        harness.manager.downloader.isSuspended = false
        for load in loads { _ = await load.result() }

        #expect(harness.transport.starts.map(\.url) == names)
    }
}
