import Testing

@testable import ImageLoading

/// Transfers that continue without a listener.
@Suite struct DownloadQueueDetachTests {
    let url = "http://a/1"
    var queue = DownloadQueueHarness()

    @Test
    mutating func `a rest cheaper than a connection is received for detachedDownloads`() {
        let listener = queue.enqueue(url)
        receive(90_000, of: url)

        queue.leave(listener)
        #expect(queue.results[listener] == [.failure(.cancelled)])
        finish(url)

        #expect(queue.cancelledURLs.isEmpty)
        #expect(queue.bodies.map(\.body.bytes.count) == [100_000])
        #expect(queue.bodies.first?.request.url == url)
        #expect(queue.statistics.transfersDetached == 1)
        #expect(queue.statistics.transfersFinished == 1)
        #expect(queue.statistics.bytesSaved == 0)
        #expect(queue.trace(of: url).contains(.detached))
    }

    @Test mutating func `if the rest costs more than a connection, the transfer is cancelled`() {
        let listener = queue.enqueue(url)
        receive(20_000, of: url)

        queue.leave(listener)

        #expect(queue.cancelledURLs == [url])
        #expect(queue.statistics.bytesSaved == 80_000)
        #expect(queue.trace(of: url).last == .cancelled(savedByteCount: 80_000))
    }

    @Test mutating func `over HTTP/2 a stream is always reset`() {
        let listener = queue.enqueue(url)
        receive(90_000, of: url, httpVersion: "2")

        queue.leave(listener)

        #expect(queue.cancelledURLs == [url])
    }

    // O13
    @Test mutating func `continueInBackground continues whatever the number of remaining bytes`() {
        var request = DownloadRequest(url: url)
        request.continuesInBackground = true
        let listener = queue.enqueue(request)

        queue.leave(listener)
        queue.respond(to: url)

        #expect(queue.cancelledURLs.isEmpty)
        #expect(queue.bodies.map(\.body.bytes) == [[1, 2, 3]])
    }

    // O13: one of the listeners that share a transfer is enough
    @Test mutating func `continueInBackground of one listener outlives the other`() {
        var request = DownloadRequest(url: url)
        let plain = queue.enqueue(request)
        request.continuesInBackground = true
        let lasting = queue.enqueue(request)

        queue.leave(lasting)
        queue.leave(plain)

        #expect(queue.cancelledURLs.isEmpty)
        #expect(queue.runningURLs == [url])
    }

    @Test mutating func `a waiting transfer is not started without listeners`() {
        queue.setWidth(1)
        _ = queue.enqueue("http://a/first")
        var request = DownloadRequest(url: url)
        request.continuesInBackground = true
        let listener = queue.enqueue(request)

        queue.leave(listener)
        queue.respond(to: "http://a/first")

        #expect(queue.running.isEmpty)
    }

    // F1, F2
    @Test mutating func `a detached transfer can be joined again`() {
        let first = queue.enqueue(url)
        receive(90_000, of: url)
        queue.leave(first)

        let second = queue.enqueue(url)
        finish(url)

        #expect(queue.startedURLs.count == 1)
        #expect(
            queue.events[second]?.first
                == .progress(LoadProgress(received: 90_000, expected: 100_000))
        )
        #expect(try! queue.result(of: second)?.get().bytes.count == 100_000)
        #expect(queue.bodies.isEmpty)
    }

    @Test mutating func `a detached transfer's slot is given immediately to a waiting one`() {
        queue.setWidth(1)
        let listener = queue.enqueue(url)
        _ = queue.enqueue("http://a/2")
        receive(90_000, of: url)

        queue.leave(listener)

        #expect(queue.runningURLs == [url, "http://a/2"])
    }

    @Test mutating func `a detached transfer that is joined again uses a slot again`() {
        queue.setWidth(1)
        let listener = queue.enqueue(url)
        receive(90_000, of: url)
        queue.leave(listener)

        _ = queue.enqueue(url)
        _ = queue.enqueue("http://a/2")
        #expect(queue.runningURLs == [url])
        finish(url)

        #expect(queue.runningURLs == ["http://a/2"])
    }

    @Test mutating func `no more than two are detached at a time`() {
        let urls = (1...4).map { "http://a/\($0)" }
        let listeners = urls.map { queue.enqueue($0) }
        for url in urls { receive(90_000, of: url) }

        for listener in listeners { queue.leave(listener) }

        #expect(queue.runningURLs == ["http://a/1", "http://a/2"])
        #expect(queue.cancelledURLs == ["http://a/3", "http://a/4"])
    }

    @Test mutating func `a transfer continued beyond the detached limit keeps its slot`() {
        queue.setWidth(3)
        for number in 1...3 {
            var request = DownloadRequest(url: "http://a/\(number)")
            request.continuesInBackground = true
            queue.leave(queue.enqueue(request))
        }
        let waiting = (4...6).map { queue.enqueue("http://a/\($0)") }

        #expect(queue.running.count == 5)
        #expect(queue.events[waiting[2]] == [.queued])
        queue.respond(to: "http://a/3")

        #expect(queue.runningURLs.contains("http://a/6"))
    }

    @Test mutating func `a detached transfer that fails is not retried`() {
        let listener = queue.enqueue(url)
        receive(90_000, of: url)
        queue.leave(listener)

        queue.send(
            .finished(.transfer(.connectionLost, "lost")),
            to: url
        )
        queue.advance(by: .seconds(10))

        #expect(queue.startedURLs.count == 1)
        #expect(queue.partials.map(\.partial.bytes.count) == [90_000])
    }

    // D22
    @Test mutating func `cancelAll cancels detached transfers too`() {
        let listener = queue.enqueue(url)
        receive(90_000, of: url)
        queue.leave(listener)

        queue.cancelAll()

        #expect(queue.cancelledURLs == [url])
        #expect(queue.statistics.live == 0)
        #expect(queue.results[listener]?.count == 1)
    }

    /// Receives part of 100,000 bytes, 100 ms after the request and 100 ms after the header: a rest
    /// that is not longer than this part is worth waiting for.
    private mutating func receive(_ count: Int, of url: String, httpVersion: String = "1.1") {
        queue.advance(by: .milliseconds(100))
        let head = TransferHead(
            status: 200,
            expectedByteCount: 100_000,
            headers: ["etag": "\"x\""],
            httpVersion: httpVersion
        )
        queue.send(.head(head), to: url)
        queue.advance(by: .milliseconds(100))
        queue.send(.chunk([UInt8](repeating: 1, count: count)), to: url)
    }

    private mutating func finish(_ url: String) {
        queue.send(.chunk([UInt8](repeating: 2, count: 10_000)), to: url)
        queue.send(.finished(nil), to: url)
    }
}
