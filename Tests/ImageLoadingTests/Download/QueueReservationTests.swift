import Testing

@testable import ImageLoading

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
    @Test func `what a reserved request goes before waits for it`() {
        var queue = DownloadQueueHarness { $0.order = .lastInFirstOut }
        queue.reserve(1, 2, 3)

        _ = queue.enqueue(request(1))
        _ = queue.enqueue(request(2))
        #expect(queue.startedURLs.isEmpty)
        _ = queue.enqueue(request(3))

        #expect(queue.startedURLs == ["3", "2", "1"])
    }

    @Test func `what goes before a reserved request does not wait for it`() {
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

    @Test func `a request that is forgotten holds nobody back`() {
        var queue = DownloadQueueHarness { $0.order = .lastInFirstOut }
        queue.reserve(2)
        _ = queue.enqueue(request(1))

        queue.release(2)

        #expect(queue.startedURLs == ["1"])
    }

    @Test func `a reserved request that joins a transfer has come`() {
        var queue = DownloadQueueHarness { $0.order = .lastInFirstOut }
        var joining = request(2)
        joining.url = "3"
        _ = queue.enqueue(request(3))
        queue.reserve(2)
        _ = queue.enqueue(request(1))

        _ = queue.enqueue(joining)

        #expect(queue.startedURLs == ["3", "1"])
    }

    @Test func `a reserved request whose host is not asked has come`() {
        var queue = DownloadQueueHarness {
            $0.order = .lastInFirstOut
            $0.maximumAttempts = 1
        }
        for number in 1...5 {
            _ = queue.enqueue("http://bad/\(number)")
            queue.send(
                .finished(.download(.transient, .transport(code: 7, text: ""))),
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

    @Test func `what is held back is not lost to a host without a free slot`() {
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
