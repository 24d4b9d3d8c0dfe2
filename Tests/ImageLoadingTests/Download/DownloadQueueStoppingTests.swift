import Testing

@testable import ImageLoading

/// Transfers whose received part is sufficient.
@Suite struct DownloadQueueStoppingTests {
    private let url = "http://a/1"
    private var queue = DownloadQueueHarness()

    private func request(isKept: Bool = true) throws -> DownloadRequest {
        var request = DownloadRequest(url: url)
        if isKept {
            request.place = BodyPlace(
                url: try ImageURL(parsing: url, origin: .local),
                begun: nil
            )
        }
        return request
    }

    /// Receives part of 100,000 bytes, within a round trip of 20 ms and 80 ms.
    private mutating func receive(_ byteCount: Int, headers: [String: String] = ["etag": "\"v\""]) {
        queue.advance(by: .milliseconds(20))
        let head = TransferHead(status: 200, expectedByteCount: 100_000, headers: headers)
        queue.send(.head(head), to: url)
        queue.advance(by: .milliseconds(80))
        queue.send(.chunk(Array(repeating: 1, count: byteCount)), to: url)
    }

    @Test
    mutating func `the last listener with enough bytes stops it, and the received bytes are kept`()
        throws
    {
        let listener = queue.enqueue(try request())
        receive(9_000)

        let hasEnded = queue.finishEarly(listener)

        let body = try #require(try queue.result(of: listener)?.get())
        #expect(hasEnded && body.isPartial && body.bytes.count == 9_000)
        #expect(queue.cancelledURLs == [url])
        #expect(queue.partials.map(\.partial.bytes.count) == [9_000])
        #expect(queue.partials.first?.partial.response?.entityTag == EntityTag("\"v\""))
        #expect(queue.statistics.transfersStoppedEarly == 1)
        #expect(queue.statistics.bytesNotNeeded == 91_000)
        #expect(queue.statistics.transfersCancelled == 0 && queue.statistics.bytesSaved == 0)
        #expect(queue.trace(of: url).last == .stoppedEarly(savedByteCount: 91_000))
    }

    // F24
    @Test mutating func `it continues while another listener needs the whole body`() throws {
        let one = queue.enqueue(try request())
        let other = queue.enqueue(try request())
        receive(9_000)

        _ = queue.finishEarly(one)
        #expect(queue.cancelledURLs.isEmpty)
        queue.send(.chunk(Array(repeating: 1, count: 91_000)), to: url)
        queue.send(.finished(nil), to: url)

        #expect(try queue.result(of: one)?.get().bytes.count == 9_000)
        let whole = try #require(try queue.result(of: other)?.get())
        #expect(!whole.isPartial && whole.bytes.count == 100_000)
        #expect(queue.statistics.transfersFinished == 1)
        #expect(queue.statistics.transfersStoppedEarly == 0)
    }

    @Test mutating func `of two listeners with enough bytes the second stops it`() throws {
        let listeners = [queue.enqueue(try request()), queue.enqueue(try request())]
        receive(9_000)

        for listener in listeners { _ = queue.finishEarly(listener) }

        #expect(queue.cancelledURLs == [url])
        #expect(queue.statistics.transfersStoppedEarly == 1)
    }

    @Test mutating func `a rest cheaper than a connection is received for the disk`() throws {
        let listener = queue.enqueue(try request())
        receive(90_000)

        let hasEnded = queue.finishEarly(listener)
        #expect(hasEnded && queue.cancelledURLs.isEmpty)
        queue.send(.chunk(Array(repeating: 1, count: 10_000)), to: url)
        queue.send(.finished(nil), to: url)

        #expect(queue.bodies.map(\.body.bytes.count) == [100_000])
        #expect(queue.partials.isEmpty)
        #expect(queue.statistics.transfersStoppedEarly == 0)
    }

    @Test(arguments: [
        [:], ["etag": "W/\"v\""], ["etag": "\"v\"", "accept-ranges": "none"],
    ])
    mutating func `a transfer that could not be resumed later is not stopped`(
        headers: [String: String]
    ) throws {
        let listener = queue.enqueue(try request())
        receive(9_000, headers: headers)

        let hasEnded = queue.finishEarly(listener)

        #expect(!hasEnded && queue.result(of: listener) == nil)
        #expect(queue.runningURLs == [url])
    }

    @Test mutating func `a transfer that is never stored is stopped anyway`() throws {
        for (isKept, control) in [(false, "max-age=60"), (true, "no-store")] {
            queue = DownloadQueueHarness()
            let listener = queue.enqueue(try request(isKept: isKept))
            receive(9_000, headers: ["cache-control": control])

            let hasEnded = queue.finishEarly(listener)
            #expect(hasEnded)

            #expect(queue.cancelledURLs == [url])
            #expect(queue.partials.isEmpty)
        }
    }

    // O13
    @Test mutating func `continueInBackground receives the rest for the disk`() throws {
        var request = try request()
        request.continuesInBackground = true
        let listener = queue.enqueue(request)
        receive(9_000)

        let hasEnded = queue.finishEarly(listener)
        #expect(hasEnded)

        #expect(queue.runningURLs == [url])
    }

    @Test mutating func `before the body starts nothing is enough`() throws {
        let listener = queue.enqueue(try request())
        var answers = [queue.finishEarly(listener)]
        queue.send(.head(TransferHead(status: 404, expectedByteCount: 9)), to: url)
        queue.send(.chunk([1]), to: url)

        answers.append(queue.finishEarly(listener))
        #expect(answers == [false, false])
    }

    // F26
    @Test mutating func `the partial body that a transfer resumed is stored again`() throws {
        var request = try request()
        request.partial = PartialBody(
            bytes: Array(repeating: 1, count: 9_000),
            validator: "\"v\"",
            totalByteCount: 100_000
        )
        let listener = queue.enqueue(request)
        let head = TransferHead(
            status: 206,
            expectedByteCount: 91_000,
            headers: [
                "etag": "\"v\"", "content-range": "bytes 9000-99999/100000",
                "cache-control": "max-age=60",
            ]
        )
        queue.send(.head(head), to: url)

        let hasEnded = queue.finishEarly(listener)
        #expect(hasEnded)

        let partial = try #require(queue.partials.first?.partial)
        #expect(partial.bytes.count == 9_000)
        #expect(partial.response?.cacheControl.maximumAge == 60)
        #expect(partial.response?.status == 200)
    }
}
