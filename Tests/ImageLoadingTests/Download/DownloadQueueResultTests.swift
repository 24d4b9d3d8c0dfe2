import Testing

@testable import ImageLoading

/// The responses that count as a body.
@Suite struct DownloadQueueResultTests {
    let url = "http://a/1"
    /// Without retries, which have their own tests.
    var queue = DownloadQueueHarness { $0.maximumAttempts = 1 }

    // O3, F21, open point e
    @Test(arguments: [
        (204, ImageLoadingError.Class.permanent), (205, .permanent), (206, .transient),
        (300, .permanent), (304, .transient), (400, .permanent), (401, .permanent),
        (403, .permanent), (404, .permanent), (407, .permanent), (408, .transient),
        (410, .permanent), (425, .transient), (429, .transient), (451, .permanent),
        (500, .transient), (502, .transient), (503, .transient), (599, .transient),
    ])
    mutating func `any status without an image is an error of its class`(
        status: Int,
        kind: ImageLoadingError.Class
    ) {
        let listener = queue.enqueue(url)

        queue.respond(to: url, body: [1], status: status)

        let expected = ImageLoadingError(
            stage: .download,
            kind: kind,
            reason: .httpStatus(status)
        )
        #expect(queue.error(of: listener) == expected)
    }

    // O3, F21
    @Test(arguments: [200, 201, 202, 203, 207, 226, 299])
    mutating func `2xx with a body is a success`(status: Int) {
        let listener = queue.enqueue(url)

        queue.respond(to: url, body: [1], status: status)

        #expect(try! queue.result(of: listener)?.get().head.status == status)
    }

    // O3, F6
    @Test(arguments: [("Range", 206), ("If-None-Match", 304), ("if-modified-since", 304)])
    mutating func `a permitted status is a success`(header: String, status: Int) {
        let listener = queue.enqueue(url, headers: [HeaderField(header, "x")])

        queue.respond(to: url, body: status == 304 ? [] : [1], status: status)

        #expect(try! queue.result(of: listener)?.get().head.status == status)
    }

    // O7
    @Test mutating func `an empty body is an error`() {
        let listener = queue.enqueue(url)

        queue.respond(to: url, body: [])

        #expect(queue.error(of: listener)?.reason == .emptyBody)
        #expect(queue.error(of: listener)?.kind == .transient)
    }

    // O4, F21
    @Test(arguments: [[1, 2], [1, 2, 3, 4]] as [[UInt8]])
    mutating func `a body of another length than announced is an error`(body: [UInt8]) {
        let listener = queue.enqueue(url)

        queue.send(.head(TransferHead(status: 200, expectedByteCount: 3)), to: url)
        queue.send(.chunk(body), to: url)
        queue.send(.finished(nil), to: url)

        let reason = ImageLoadingError.Reason.lengthMismatch(received: body.count, expected: 3)
        #expect(queue.error(of: listener)?.reason == reason)
    }

    @Test mutating func `an end without a head is an error`() {
        let listener = queue.enqueue(url)

        queue.send(.finished(nil), to: url)

        #expect(queue.error(of: listener)?.isRetryable == true)
    }

    @Test mutating func `the transport's error is passed on`() {
        let listener = queue.enqueue(url)
        let error = ImageLoadingError.transfer(.noNetwork, "no network")

        queue.send(.finished(error), to: url)

        #expect(queue.error(of: listener) == error)
        #expect(queue.statistics.transfersFailed == 1)
    }

    @Test mutating func `a short error page is read to its end, to keep the connection`() {
        let listener = queue.enqueue(url)

        queue.send(.head(TransferHead(status: 404, expectedByteCount: 500)), to: url)
        queue.send(.chunk([UInt8](repeating: 0, count: 500)), to: url)
        #expect(queue.cancelledURLs.isEmpty)
        queue.send(.finished(nil), to: url)

        #expect(queue.error(of: listener)?.httpStatus == 404)
        #expect(queue.cancelledURLs.isEmpty)
    }

    @Test(arguments: [100_000, nil])
    mutating func `a long error page is not read`(length: Int?) {
        let listener = queue.enqueue(url)

        queue.send(.head(TransferHead(status: 404, expectedByteCount: length)), to: url)
        queue.send(.chunk([UInt8](repeating: 0, count: 70_000)), to: url)

        #expect(queue.error(of: listener)?.httpStatus == 404)
        #expect(queue.cancelledURLs == [url])
        #expect(queue.statistics.transfersFailed == 1)
        #expect(queue.statistics.transfersCancelled == 0)
    }

    @Test mutating func `a lying Content-Length reserves no more than a few megabytes`() {
        var reception = Reception()
        let request = TransferRequest(id: .unique(), url: url)

        reception.receive(TransferHead(status: 200, expectedByteCount: Int.max), of: request)

        #expect(reception.body.capacity <= 2 * Reception.reservationLimit)
        #expect(reception.missingByteCount == 0)
    }

    @Test mutating func `wrong Content-Lengths do not overflow the saved bytes`() {
        for number in 0..<3 {
            let url = "http://a/\(number)"
            let listener = queue.enqueue(url, headers: [HeaderField("If-None-Match", "x")])
            queue.send(.head(TransferHead(status: 304, expectedByteCount: Int.max)), to: url)
            queue.leave(listener)
        }

        #expect(queue.statistics.transfersCancelled == 3)
        #expect(queue.statistics.bytesSaved == 0)
    }

    // RFC 9111, 4.2.3
    @Test mutating func `the times of a transfer are measured at its request and its head`() throws
    {
        queue.setSuspended(true)
        let listener = queue.enqueue(url)
        queue.advance(by: .seconds(100))
        queue.setSuspended(false)

        queue.advance(by: .seconds(2))
        queue.send(.head(TransferHead(status: 200, expectedByteCount: 1)), to: url)
        queue.advance(by: .seconds(9))
        queue.send(.chunk([1]), to: url)
        queue.send(.finished(nil), to: url)

        let times = try #require(try queue.result(of: listener)?.get().times)
        #expect(times == ExchangeTimes(request: 100, response: 102))
    }

    // D8, D9
    @Test func `a request's header replaces the configured one of that name`() {
        var queue = DownloadQueueHarness { configuration in
            configuration.headers = [HeaderField("Accept", "image/*"), HeaderField("X", "1")]
        }

        _ = queue.enqueue(url, headers: [HeaderField("accept", "text/plain")])

        let headers = queue.running.values.first?.headers
        #expect(headers == [HeaderField("X", "1"), HeaderField("accept", "text/plain")])
    }

    @Test func `the default Accept header asks for images`() {
        let fields = DownloaderConfiguration().headers

        #expect(fields.contains { $0.isNamed("accept") && $0.value.hasPrefix("image/jpeg") })
    }
}
