@testable import ImageLoading
import ImageLoadingTesting
import Testing

/// Requests that are on their way to the queue.
@Suite struct QueueReservationTests {
    private func request(
        _ number: UInt64,
        _ priority: LoadPriority = .high
    ) -> DownloadRequest {
        var request = DownloadRequest(url: "\(number)", priority: priority)
        request.sequenceNumber = number
        return request
    }

    // F3
    @Test func `requests after a reserved one wait for it`() {
        var queue = DownloadQueueHarness { $0.order = .lastInFirstOut }
        queue.reserve(1, 2, 3)

        _ = queue.enqueue(request(1))
        _ = queue.enqueue(request(2))
        #expect(queue.startedURLs.isEmpty)
        _ = queue.enqueue(request(3))

        #expect(queue.startedURLs == ["3", "2", "1"])
    }

    @Test func `requests before a reserved one do not wait for it`() {
        var queue = DownloadQueueHarness { $0.order = .lastInFirstOut }
        queue.reserve(2, priority: .normal)

        _ = queue.enqueue(request(3, .normal))
        _ = queue.enqueue(request(1, .high))
        _ = queue.enqueue(request(4, .low))

        #expect(queue.startedURLs == ["3", "1"])
    }

    @Test func `first in, first out waits for the older request`() {
        var queue = DownloadQueueHarness()
        queue.reserve(1, 2)

        _ = queue.enqueue(request(2))
        #expect(queue.startedURLs.isEmpty)
        _ = queue.enqueue(request(1))

        #expect(queue.startedURLs == ["1", "2"])
    }

    @Test func `a forgotten request holds up no others`() {
        var queue = DownloadQueueHarness { $0.order = .lastInFirstOut }
        queue.reserve(2)
        _ = queue.enqueue(request(1))

        queue.release(2)

        #expect(queue.startedURLs == ["1"])
    }

    @Test func `a reserved request that joins a transfer is fulfilled`() {
        var queue = DownloadQueueHarness { $0.order = .lastInFirstOut }
        var joining = request(2)
        joining.url = "3"
        _ = queue.enqueue(request(3))
        queue.reserve(2)
        _ = queue.enqueue(request(1))

        _ = queue.enqueue(joining)

        #expect(queue.startedURLs == ["3", "1"])
    }

    @Test func `a reserved request whose host is paused is fulfilled`() {
        var queue = DownloadQueueHarness {
            $0.order = .lastInFirstOut
            $0.maximumAttempts = 1
        }
        for number in 1...5 {
            _ = queue.enqueue("http://bad/\(number)")
            queue.send(
                .finished(.transfer(.noConnection, "")),
                to: "http://bad/\(number)"
            )
        }
        var refused = request(20)
        refused.url = "http://bad/6"
        queue.reserve(20)
        _ = queue.enqueue(request(10))
        #expect(!queue.startedURLs.contains("10"))

        let listener = queue.enqueue(refused)

        #expect(queue.error(of: listener) != nil)
        #expect(queue.startedURLs.last == "10")
    }

    @Test func `held-up requests are not lost for a host without a free slot`() {
        var queue = DownloadQueueHarness {
            $0.order = .lastInFirstOut
            $0.maximumTransfersPerHost = 1
        }
        _ = queue.enqueue("http://a/running")
        queue.reserve(50)
        var parked = request(20)
        parked.url = "http://a/parked"
        _ = queue.enqueue(parked)
        _ = queue.enqueue(request(10))

        queue.respond(to: "http://a/running")
        #expect(queue.startedURLs == ["http://a/running"])
        queue.release(50)

        #expect(queue.startedURLs == ["http://a/running", "http://a/parked", "10"])
    }
}

/// The age of downloads whose requests reach the queue in a different order than they were made.
// F3
@Suite struct SequenceNumberTests {
    /// Enqueues requests in this order while the only slot is taken; returns the order in which
    /// they start.
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

    @Test func `the newest request starts first, whenever it was added to the queue`() {
        #expect(starts(of: [3, 1, 5, 2, 4], order: .lastInFirstOut) == [5, 4, 3, 2, 1])
        #expect(starts(of: [3, 1, 5, 2, 4], order: .firstInFirstOut) == [1, 2, 3, 4, 5])
    }

    @Test func `a request with the greatest possible number may be followed by another`() {
        var list = ReadyList(order: .firstInFirstOut)
        list.insert(.unique(), host: "h", priority: .high, sequenceNumber: .max)
        list.insert(.unique(), host: "h", priority: .high)

        #expect(list.count == 2)
    }

    @Test func `a request without a number is as old as its arrival`() {
        var list = ReadyList(order: .lastInFirstOut)
        let numbered = TransferID.unique()
        let plain = TransferID.unique()
        list.insert(numbered, host: "h", priority: .high, sequenceNumber: 7)
        list.insert(plain, host: "h", priority: .high)

        #expect(list.popFirst { _ in true } == plain)
    }

    // The cells of a screen are requested from last to first, so that the screen fills from the
    // top.
    @Test func `loads of a manager start in the order of their requests, the newest first`() async {
        let harness = ManagerHarness(order: .lastInFirstOut)
        harness.manager.engine.downloader.isSuspended = true
        let names = (0..<20).map { "http://a.example/\($0)" }
        let loads = names.reversed().map { harness.load($0) }
        await harness.untilQueued(20)

        harness.answerEverything()
        harness.manager.engine.downloader.isSuspended = false
        for load in loads { _ = await load.result() }

        #expect(harness.transport.starts.map(\.url) == names)
    }
}
