import Testing

@testable import ImageLoading

/// The rule for resuming, tested with real transfers.
@Suite struct ResumeOverCurlTests {
    private let transport = CurlTransport(configuration: .patient)
    private let body = (0..<50_000).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 9) }

    private func receive(
        _ url: String,
        from partial: PartialBody? = nil
    ) async
        -> (reception: Reception, outcome: ReceptionOutcome)
    {
        let request = TransferRequest(
            id: .unique(),
            url: url,
            headers: partial.map { ResumeRule.headers([], resuming: $0) } ?? []
        )
        var reception = Reception(partial: partial)
        var failure: ImageLoadingError?
        for await event in transport.events(of: request) {
            switch event {
            case .head(let head): reception.receive(head, of: request)
            case .chunk(let bytes): reception.receive(bytes)
            case .finished(let error): failure = error
            }
        }
        return (reception, reception.outcome(failure))
    }

    private var partial: PartialBody {
        PartialBody(bytes: Array(body.prefix(30_000)), validator: "\"v1\"", totalByteCount: 50_000)
    }

    // F26
    @Test func `a transfer that breaks off leaves its first bytes`() async {
        let head = "HTTP/1.1 200 OK\r\nETag: \"v1\"\r\nContent-Length: 50000\r\n\r\n"
        let server = LoopbackServer([
            "/a": [.text(head), .send(Array(body.prefix(30_000))), .close]
        ])

        let (reception, outcome) = await receive(server.url("/a"))

        guard case .failure(let error) = outcome else {
            Issue.record("half a body is no success")
            return
        }
        #expect(error.isRetryable)
        let isLeft = reception.partial == partial
        #expect(isLeft)
    }

    // F26
    @Test func `the rest is requested once, without content coding, and joined`() async throws {
        let server = LoopbackServer([
            "/a": LoopbackServer.Step.answer(
                Array(body.dropFirst(30_000)),
                status: "206 Partial Content",
                fields: "ETag: \"v1\"\r\nContent-Range: bytes 30000-49999/50000\r\n"
            )
        ])

        let outcome = await receive(server.url("/a"), from: partial).outcome

        guard case .success(let whole) = outcome else {
            Issue.record("the rest was refused")
            return
        }
        let isWhole = whole.bytes == body
        #expect(isWhole)
        let request = try #require(server.log.entries.requests.first)
        let lines = request.lowercased().split(whereSeparator: \.isNewline)
        #expect(lines.filter { $0.hasPrefix("range:") } == ["range: bytes=30000-"])
        #expect(lines.filter { $0.hasPrefix("if-range:") } == ["if-range: \"v1\""])
        #expect(lines.filter { $0.hasPrefix("accept-encoding:") } == ["accept-encoding: identity"])
    }

    @Test(arguments: ["200 OK", "206 Partial Content"])
    func `a rest that is encoded anyway is not decoded, and not kept`(
        status: String
    ) async {
        let fields = "Content-Encoding: gzip\r\nContent-Range: bytes 30000-49999/50000\r\n"
        let server = LoopbackServer([
            "/a": LoopbackServer.Step.answer(
                [0x1F, 0x8B, 8, 0, 0, 0, 0, 0],
                status: status,
                fields: fields
            )
        ])

        let outcome = await receive(server.url("/a"), from: partial).outcome

        #expect(outcome == .restart(.download(.transient, .rangeMismatch)))
    }

    @Test func `a 416 starts over`() async {
        let server = LoopbackServer([
            "/a": LoopbackServer.Step.answer(
                Array("no".utf8),
                status: "416 Range Not Satisfiable",
                fields: "Content-Range: bytes */20000\r\n"
            )
        ])

        let (reception, outcome) = await receive(server.url("/a"), from: partial)

        #expect(outcome == .restart(.download(.transient, .httpStatus(416))))
        #expect(reception.partial == nil)
    }
}
