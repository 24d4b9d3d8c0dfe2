import Testing

@testable import ImageLoading

/// Who shares a transfer, and what happens when some of them leave.
@Suite struct DownloadQueueSharingTests {
    var queue = DownloadQueueHarness()

    // D10, D11
    @Test mutating func `equal downloads share one transfer and one body`() {
        let first = queue.enqueue("http://a/1")
        let second = queue.enqueue("http://a/1")

        queue.respond(to: "http://a/1", body: [9])

        #expect(queue.startedURLs == ["http://a/1"])
        #expect(try! queue.result(of: first)?.get().bytes == [9])
        #expect(try! queue.result(of: second)?.get().bytes == [9])
        #expect(queue.statistics.coalesced == 1)
    }

    // D10: the key consists of everything that may change the bytes
    @Test mutating func `other headers need another transfer, but another spelling does not`() {
        _ = queue.enqueue("http://a/1", headers: [HeaderField("Authorization", "x")])
        _ = queue.enqueue("http://a/1", headers: [HeaderField("authorization", "x")])
        _ = queue.enqueue("http://a/1", headers: [HeaderField("Authorization", "y")])
        _ = queue.enqueue("http://a/1")

        #expect(queue.startedURLs.count == 3)
    }

    // F1, D14
    @Test(arguments: [0, 1])
    mutating func `if one of two listeners leaves, the other gets the body`(leaver: Int) {
        let listeners = [queue.enqueue("http://a/1"), queue.enqueue("http://a/1")]

        queue.leave(listeners[leaver])
        queue.respond(to: "http://a/1")

        #expect(queue.error(of: listeners[leaver]) == .cancelled)
        #expect(queue.error(of: listeners[1 - leaver]) == nil)
        #expect(queue.results[listeners[1 - leaver]]?.count == 1)
        #expect(queue.cancelledURLs.isEmpty)
    }

    // F1
    @Test mutating func `if both leave, the transfer stops once`() {
        let listeners = [queue.enqueue("http://a/1"), queue.enqueue("http://a/1")]

        for listener in listeners { queue.leave(listener) }

        #expect(queue.cancelledURLs == ["http://a/1"])
        #expect(queue.statistics.transfersCancelled == 1)
    }

    // F2
    @Test mutating func `a download after the last listener left gets a new transfer`() {
        let first = queue.enqueue("http://a/1")
        queue.send(.head(TransferHead(status: 200, expectedByteCount: 3)), to: "http://a/1")
        let dying = queue.running.keys.first

        queue.leave(first)
        let second = queue.enqueue("http://a/1")
        if let dying { queue.send(.finished(.cancelled), to: dying) }
        queue.respond(to: "http://a/1", body: [5])

        #expect(queue.startedURLs == ["http://a/1", "http://a/1"])
        #expect(try! queue.result(of: second)?.get().bytes == [5])
    }

    // F4, O14
    @Test mutating func `leaving ends with cancelled exactly once, even if repeated`() {
        let listener = queue.enqueue("http://a/1")

        queue.leave(listener)
        queue.leave(listener)
        queue.leave(ListenerID(rawValue: 999))

        #expect(queue.results[listener] == [.failure(.cancelled)])
        #expect(queue.strayCancelCount == 0)
    }

    @Test mutating func `leaving a waiting download sends no request and no cancel`() {
        queue.setWidth(1)
        _ = queue.enqueue("http://a/1")
        let waiting = queue.enqueue("http://a/2")

        queue.leave(waiting)
        queue.respond(to: "http://a/1")

        #expect(queue.startedURLs == ["http://a/1"])
        #expect(queue.cancelledURLs.isEmpty)
        #expect(queue.statistics.transfersCancelled == 0)
    }

    @Test mutating func `a stopped transfer saves the announced but missing bytes`() {
        let listener = queue.enqueue("http://a/1")
        queue.send(.head(TransferHead(status: 200, expectedByteCount: 1_000)), to: "http://a/1")
        queue.send(.chunk([1, 2, 3]), to: "http://a/1")

        queue.leave(listener)

        #expect(queue.statistics.bytesReceived == 3)
        #expect(queue.statistics.bytesSaved == 997)
    }

    // O2, D12
    @Test mutating func `progress is queued, then unknown, then the length, then each chunk`() {
        let listener = queue.enqueue("http://a/1")
        queue.send(.head(TransferHead(status: 200, expectedByteCount: 4)), to: "http://a/1")
        queue.send(.chunk([1, 2, 3]), to: "http://a/1")
        queue.send(.chunk([4]), to: "http://a/1")

        #expect(
            queue.events[listener] == [
                .queued,
                .progress(LoadProgress(received: 0, expected: nil)),
                .progress(LoadProgress(received: 0, expected: 4)),
                .progress(LoadProgress(received: 3, expected: 4)),
                .progress(LoadProgress(received: 4, expected: 4)),
            ]
        )
    }

    // D12
    @Test mutating func `a joining listener immediately gets the progress`() {
        _ = queue.enqueue("http://a/1")
        queue.send(.head(TransferHead(status: 200, expectedByteCount: 4)), to: "http://a/1")
        queue.send(.chunk([1, 2]), to: "http://a/1")

        let second = queue.enqueue("http://a/1")

        #expect(queue.events[second] == [.progress(LoadProgress(received: 2, expected: 4))])
    }

    // D22
    @Test mutating func `cancelAll ends running and waiting downloads, and the queue continues`() {
        queue.setWidth(1)
        let running = queue.enqueue("http://a/1")
        let waiting = queue.enqueue("http://a/2")

        queue.cancelAll()
        let next = queue.enqueue("http://a/2")
        queue.respond(to: "http://a/2")

        #expect(queue.error(of: running) == .cancelled)
        #expect(queue.error(of: waiting) == .cancelled)
        #expect(queue.error(of: next) == nil)
        #expect(queue.cancelledURLs == ["http://a/1"])
        #expect(queue.startedURLs == ["http://a/1", "http://a/2"])
    }
}
