import Testing

@testable import ImageLoading

/// F26: downloads that resume after the bytes already received.
@Suite struct DownloadQueueResumeTests {
    let url = "http://a/1"
    var queue = DownloadQueueHarness()
    let lost = ImageLoadingError.transfer(.connectionLost, "cut short")
    let half = [UInt8](repeating: 1, count: 30_000)

    @Test mutating func `the next attempt requests the rest and joins it to the received bytes`() {
        let listener = queue.enqueue(url)
        receiveHalf()
        queue.send(.finished(lost), to: url)
        queue.advance(by: .seconds(1))

        #expect(header("Range") == "bytes=30000-")
        #expect(header("If-Range") == "\"v1\"")
        answerRest()

        #expect(try! queue.result(of: listener)?.get().bytes.count == 60_000)
        #expect(queue.statistics.transfersResumed == 1)
        #expect(queue.statistics.bytesResumed == 30_000)
        #expect(queue.partials.isEmpty)
    }

    @Test mutating func `a partial body given with the request is resumed`() {
        let partial = PartialBody(bytes: half, validator: "\"v1\"", totalByteCount: 60_000)
        let listener = queue.enqueue(DownloadRequest(url: url, partial: partial))

        #expect(header("Range") == "bytes=30000-")
        answerRest()

        #expect(try! queue.result(of: listener)?.get().bytes.count == 60_000)
        #expect(queue.trace(of: url).contains(.started(resumedFrom: 30_000)))
    }

    @Test mutating func `conditions on an older body are left out of a range request`() {
        let partial = PartialBody(bytes: half, validator: "\"v2\"", totalByteCount: 60_000)
        let fields = [HeaderField("if-none-match", "\"v1\""), HeaderField("X-Y", "z")]

        _ = queue.enqueue(DownloadRequest(url: url, headers: fields, partial: partial))

        #expect(header("If-None-Match") == nil)
        #expect(header("X-Y") == "z")
        #expect(header("If-Range") == "\"v2\"")
    }

    @Test
    mutating func `a partial body that does not fit is discarded and the whole requested, once`() {
        let partial = PartialBody(bytes: half, validator: "\"v1\"", totalByteCount: 60_000)
        let listener = queue.enqueue(DownloadRequest(url: url, partial: partial))

        queue.send(.head(TransferHead(status: 416, expectedByteCount: 0)), to: url)
        queue.send(.finished(nil), to: url)

        #expect(header("Range") == nil)
        queue.respond(to: url, body: [5])
        #expect(try! queue.result(of: listener)?.get().bytes == [5])
        #expect(queue.startedURLs.count == 2)
        #expect(queue.statistics.retries == 1)
    }

    @Test mutating func `the bytes received by a cancelled transfer are kept`() {
        let listener = queue.enqueue(url)
        receiveHalf()

        queue.leave(listener)

        #expect(queue.cancelledURLs == [url])
        #expect(queue.partials.map(\.request.url) == [url])
        #expect(queue.partials.first?.partial.bytes.count == 30_000)
        #expect(queue.statistics.bytesSaved == 30_000)
    }

    @Test mutating func `the bytes received by a failed download are kept with its last failure`() {
        _ = queue.enqueue(url)
        receiveHalf()
        queue.send(.finished(lost), to: url)
        for _ in 0..<2 {
            queue.advance(by: .seconds(5))
            queue.send(.finished(lost), to: url)
        }

        #expect(queue.partials.map(\.partial.bytes.count) == [30_000])
        #expect(queue.statistics.queued == 0)
    }

    @Test
    mutating func
        `the bytes of a download that waits to retry are kept when the last listener leaves`()
    {
        let listener = queue.enqueue(url)
        receiveHalf()
        queue.send(.finished(lost), to: url)

        queue.leave(listener)

        #expect(queue.partials.map(\.partial.bytes.count) == [30_000])
    }

    @Test mutating func `a given partial body without new bytes is not stored again`() {
        let partial = PartialBody(bytes: half, validator: "\"v1\"", totalByteCount: 60_000)
        let listener = queue.enqueue(DownloadRequest(url: url, partial: partial))

        queue.leave(listener)

        #expect(queue.partials.isEmpty)
    }

    private mutating func receiveHalf() {
        let head = TransferHead(
            status: 200,
            expectedByteCount: 60_000,
            headers: ["etag": "\"v1\""]
        )
        queue.send(.head(head), to: url)
        queue.send(.chunk(half), to: url)
    }

    private mutating func answerRest() {
        let headers = ["etag": "\"v1\"", "content-range": "bytes 30000-59999/60000"]
        queue.send(
            .head(TransferHead(status: 206, expectedByteCount: 30_000, headers: headers)),
            to: url
        )
        queue.send(.chunk(half), to: url)
        queue.send(.finished(nil), to: url)
    }

    private func header(_ name: String) -> String? {
        queue.running.values.first?.headers.first { $0.isNamed(name) }?.value
    }
}
