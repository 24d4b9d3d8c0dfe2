import ImageLoading
import Testing

/// The transport, tested with a real socket on loopback.
@Suite struct CurlTransportTests {
    let transport = CurlTransport(configuration: .patient)

    @Test func `a body of known length is delivered with its head`() async {
        let body = [UInt8](repeating: 7, count: 200_000)
        let server = LoopbackServer([
            "/a": LoopbackServer.Step.answer(body, fields: "ETag: \"x\"\r\n")
        ])

        let outcome = await transport.run(server.url("/a"))

        #expect(outcome.error == nil)
        #expect(outcome.body == body)
        #expect(outcome.heads.count == 1)
        #expect(outcome.head?.expectedByteCount == 200_000)
        #expect(outcome.head?.headers["etag"] == "\"x\"")
        #expect(outcome.head?.httpVersion == "1.1")
    }

    @Test func `the chunks that libcurl delivers together are passed on together, in order`() async
    {
        let body = [UInt8](repeating: 7, count: 3_000_000)
        let server = LoopbackServer(["/a": LoopbackServer.Step.answer(body)])
        var request = TransferRequest(id: .unique(), url: server.url("/a"))
        request.maximumByteCount = body.count
        let (stream, continuation) = AsyncStream.makeStream(of: [TransferEvent].self)
        transport.startBatching(request) { events in
            continuation.yield(events)
            if case .finished = events.last { continuation.finish() }
        }

        var (batchCount, received, names) = (0, [UInt8](), "")
        for await events in stream {
            batchCount += 1
            #expect(!events.isEmpty)
            for event in events {
                switch event {
                case .head: names += "h"
                case .chunk(let bytes):
                    received += bytes
                    if names.last != "c" { names += "c" }
                case .finished(let error):
                    #expect(error == nil)
                    names += "f"
                }
            }
        }

        #expect(received == body && names == "hcf")
        // Batches are limited: a body that arrives faster than it is read is delivered before its
        // end.
        #expect(batchCount > 5)
    }

    @Test func `a chunked body has no expected length, and its trailers are no second head`() async
    {
        let server = LoopbackServer([
            "/c": [
                .text("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"),
                .text("3\r\nabc\r\n2\r\nde\r\n0\r\nX-Trailer: 1\r\n\r\n"),
            ]
        ])

        let outcome = await transport.run(server.url("/c"))

        #expect(outcome.error == nil)
        #expect(outcome.body == Array("abcde".utf8))
        #expect(outcome.heads.count == 1)
        #expect(outcome.head?.expectedByteCount == nil)
    }

    @Test func `a body that drips in is reported piece by piece`() async {
        let gate = Turnstile()
        let server = LoopbackServer([
            "/drip": LoopbackServer.Step.beginning([1, 2], of: 4) + [.hold(gate), .send([3, 4])]
        ])
        let request = TransferRequest(id: .unique(), url: server.url("/drip"))

        var chunks: [[UInt8]] = []
        for await event in transport.events(of: request) {
            guard case .chunk(let bytes) = event else { continue }
            chunks.append(bytes)
            if chunks.count == 1 { gate.open() }
        }

        #expect(chunks == [[1, 2], [3, 4]])
    }

    @Test(arguments: [404, 410, 500, 503])
    func `a status is reported as it is, not as an error`(status: Int) async {
        let server = LoopbackServer([
            "/s": LoopbackServer.Step.answer([1], status: "\(status) Whatever")
        ])

        let outcome = await transport.run(server.url("/s"))

        #expect(outcome.error == nil)
        #expect(outcome.status == status)
    }

    @Test func `a response without a body still has a head`() async {
        let server = LoopbackServer([
            "/304": [.text("HTTP/1.1 304 Not Modified\r\nETag: \"x\"\r\n\r\n")],
            "/empty": LoopbackServer.Step.answer([]),
        ])

        let notModified = await transport.run(server.url("/304"))
        let empty = await transport.run(server.url("/empty"))

        #expect(notModified.status == 304 && notModified.error == nil)
        #expect(empty.status == 200 && empty.error == nil && empty.body.isEmpty)
    }

    // O4, F21
    @Test func `a body shorter than its Content-Length is an error, not an image`() async {
        let server = LoopbackServer([
            "/short": LoopbackServer.Step.beginning([1, 2, 3], of: 10) + [.close]
        ])

        let outcome = await transport.run(server.url("/short"))

        #expect(outcome.errorText == "connection closed too early")
        #expect(outcome.error?.kind == .transient)
    }

    @Test func `a connection closed without a response is transient`() async {
        let server = LoopbackServer(["/": [.close]])

        let outcome = await transport.run(server.url("/"))

        #expect(outcome.errorText == "empty response")
        #expect(outcome.error?.isRetryable == true)
    }

    @Test func `a gzip body is decompressed and its length is not expected`() async {
        let packed: [UInt8] = [
            0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 0x4B, 0x4C, 0x4A, 6, 0, 0xC2, 0x41, 0x24, 0x35, 3,
            0, 0, 0,
        ]
        let server = LoopbackServer([
            "/z": LoopbackServer.Step.answer(packed, fields: "Content-Encoding: gzip\r\n")
        ])

        let outcome = await transport.run(server.url("/z"))

        #expect(outcome.body == Array("abc".utf8))
        #expect(outcome.head?.expectedByteCount == nil)
    }

    @Test func `an early hint is not the head`() async {
        let server = LoopbackServer([
            "/h": [.text("HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n")]
                + LoopbackServer.Step.answer([1])
        ])

        let outcome = await transport.run(server.url("/h"))

        #expect(outcome.heads.map(\.status) == [200])
        #expect(outcome.head?.headers["link"] == nil)
    }

    @Test func `the request contains our headers, and none injected by text`() async {
        let server = LoopbackServer(["/": LoopbackServer.Step.answer([1])])

        _ = await transport.run(
            server.url("/"),
            headers: [
                HeaderField("Accept", "image/png"),
                HeaderField("X-Bad", "1\r\nX-Smuggled: 2"),
                HeaderField("X-Empty", ""),
            ]
        )

        let request = server.log.entries.requests.first ?? ""
        #expect(request.contains("Accept: image/png\r\n"))
        #expect(request.contains("User-Agent: ImageLoading\r\n"))
        #expect(request.contains("X-Empty:"))
        #expect(!request.contains("X-Smuggled") && !request.contains("X-Bad"))
        #expect(!request.contains("Cookie"))
    }

    @Test func `a request for a range does not offer content coding`() async {
        let server = LoopbackServer(["/": LoopbackServer.Step.answer([1])])

        _ = await transport.run(server.url("/"), headers: [HeaderField("Range", "bytes=0-9")])
        _ = await transport.run(server.url("/"))

        let requests = server.log.entries.requests
        #expect(!requests[0].contains("Accept-Encoding"))
        #expect(requests[1].contains("Accept-Encoding: "))
    }
}
