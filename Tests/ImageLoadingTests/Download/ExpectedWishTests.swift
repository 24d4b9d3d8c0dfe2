import Testing

@testable import ImageLoading

/// Wishes that are on their way to the queue.
@Suite struct ExpectedWishTests {
    private func request(
        _ wish: UInt64,
        _ priority: LoadPriority = .high
    ) -> DownloadRequest {
        var request = DownloadRequest(url: "\(wish)", priority: priority)
        request.wishNumber = wish
        return request
    }

    // F3
    @Test func `what an expected wish goes before waits for it`() {
        var queue = DownloadQueueHarness { $0.order = .lastInFirstOut }
        queue.expect(1, 2, 3)

        _ = queue.enqueue(request(1))
        _ = queue.enqueue(request(2))
        #expect(queue.startedURLs.isEmpty)
        _ = queue.enqueue(request(3))

        #expect(queue.startedURLs == ["3", "2", "1"])
    }

    @Test func `what goes before an expected wish does not wait for it`() {
        var queue = DownloadQueueHarness { $0.order = .lastInFirstOut }
        queue.expect(2, priority: .normal)

        _ = queue.enqueue(request(3, .normal))
        _ = queue.enqueue(request(1, .high))
        _ = queue.enqueue(request(4, .low))

        #expect(queue.startedURLs == ["3", "1"])
    }

    @Test func `first in, first out waits for the older wish`() {
        var queue = DownloadQueueHarness()
        queue.expect(1, 2)

        _ = queue.enqueue(request(2))
        #expect(queue.startedURLs.isEmpty)
        _ = queue.enqueue(request(1))

        #expect(queue.startedURLs == ["1", "2"])
    }

    @Test func `a wish that is forgotten holds nobody back`() {
        var queue = DownloadQueueHarness { $0.order = .lastInFirstOut }
        queue.expect(2)
        _ = queue.enqueue(request(1))

        queue.forget(2)

        #expect(queue.startedURLs == ["1"])
    }

    @Test func `an expected wish that joins a transfer has come`() {
        var queue = DownloadQueueHarness { $0.order = .lastInFirstOut }
        var joining = request(2)
        joining.url = "3"
        _ = queue.enqueue(request(3))
        queue.expect(2)
        _ = queue.enqueue(request(1))

        _ = queue.enqueue(joining)

        #expect(queue.startedURLs == ["3", "1"])
    }

    @Test func `an expected wish whose host is not asked has come`() {
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
        queue.expect(20)
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
        queue.expect(50)
        var parked = request(20)
        parked.url = "http://a/parked"
        _ = queue.enqueue(parked)
        _ = queue.enqueue(request(10))

        queue.respond(to: "http://a/running")
        #expect(queue.startedURLs == ["http://a/running"])
        queue.forget(50)

        #expect(queue.startedURLs == ["http://a/running", "http://a/parked", "10"])
    }
}
