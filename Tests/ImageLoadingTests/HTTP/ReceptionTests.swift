import Testing

@testable import ImageLoading

@Suite struct ReceptionTests {
    private let partial = PartialBody(
        bytes: [UInt8](repeating: 1, count: 20_000),
        validator: "\"v1\"",
        totalByteCount: 50_000
    )
    private let lost = ImageLoadingError.transfer(.connectionLost, "lost")

    private var request: TransferRequest {
        TransferRequest(
            id: .unique(),
            url: "http://a/b",
            headers: ResumeRule.fields(for: partial)
        )
    }

    private func head(
        _ status: Int,
        _ count: Int?,
        _ headers: [String: String] = [:]
    )
        -> TransferHead
    {
        TransferHead(status: status, expectedByteCount: count, headers: headers)
    }

    private var rest: TransferHead {
        head(206, 30_000, ["etag": "\"v1\"", "content-range": "bytes 20000-49999/50000"])
    }

    private func chunk(_ count: Int) -> [UInt8] { [UInt8](repeating: 2, count: count) }

    // MARK: Progress

    @Test func `progress includes the earlier part, once the server continues it`() {
        var reception = Reception(partial: partial)
        #expect(reception.progress == LoadProgress(received: 0, expected: nil))

        reception.receive(rest, of: request)
        #expect(
            reception.progress
                == LoadProgress(received: 20_000, expected: 50_000, resumedFrom: 20_000)
        )

        reception.receive(chunk(10_000))
        #expect(
            reception.progress
                == LoadProgress(received: 30_000, expected: 50_000, resumedFrom: 20_000)
        )
        #expect(reception.receivedByteCount == 10_000)
        #expect(reception.missingByteCount == 20_000)
    }

    @Test func `progress starts at 0 if the server starts over`() {
        var reception = Reception(partial: partial)

        reception.receive(head(200, 40_000), of: request)

        #expect(reception.progress == LoadProgress(received: 0, expected: 40_000))
    }

    // MARK: Remaining bytes

    // F26; Nuke loses everything here.
    @Test func `a second interruption after the middle keeps all bytes`() {
        var reception = Reception(partial: partial)

        reception.receive(rest, of: request)
        reception.receive(chunk(29_999))

        #expect(reception.outcome(lost) == .failure(lost))
        let isAllThere = reception.partial?.bytes == partial.bytes + chunk(29_999)
        #expect(isAllThere)
        #expect(reception.partial?.validator == "\"v1\"")
        #expect(reception.partial?.totalByteCount == 50_000)
    }

    // F26
    @Test func `a connection without a response keeps the existing part`() {
        let reception = Reception(partial: partial)

        #expect(reception.outcome(lost) == .failure(lost))
        #expect(reception.partial == partial)
    }

    @Test(arguments: [(503, true), (429, true), (404, false), (410, false), (403, false)])
    func `a status keeps the existing part if a retry makes sense`(status: Int, isLeft: Bool) {
        var reception = Reception(partial: partial)

        reception.receive(head(status, 3), of: request)
        reception.receive(chunk(3))

        #expect(reception.partial == (isLeft ? partial : nil))
        #expect(reception.refusal?.httpStatus == status)
    }

    @Test func `a server that starts over discards the earlier part`() {
        var reception = Reception(partial: partial)

        reception.receive(head(200, 40_000, ["etag": "\"v2\""]), of: request)
        reception.receive(chunk(10_000))
        #expect(reception.partial == nil)
        reception.receive(chunk(10_000))

        #expect(reception.partial?.validator == "\"v2\"")
        #expect(reception.partial?.bytes == chunk(20_000))
        #expect(reception.partial?.totalByteCount == 40_000)
    }

    @Test(arguments: [
        ["etag": "W/\"v1\""], ["etag": "\"v1\"", "accept-ranges": "none"],
        ["etag": "\"v1\"", "content-encoding": "br"],
        ["etag": "\"v1\"", "cache-control": "no-store"],
        [:],
    ])
    func `a response that cannot be resumed leaves no part`(headers: [String: String]) {
        var reception = Reception()

        reception.receive(head(200, 50_000, headers), of: request)
        reception.receive(chunk(40_000))

        #expect(reception.partial == nil)
    }

    @Test func `a body of unknown length can be resumed`() {
        var reception = Reception()

        reception.receive(head(200, nil, ["etag": "\"v1\""]), of: request)
        reception.receive(chunk(40_000))

        #expect(reception.partial?.totalByteCount == .some(nil))
        #expect(reception.partial?.bytes.count == 40_000)
    }

    @Test func `a range requested by the caller leaves no part`() {
        let asking = TransferRequest(
            id: .unique(),
            url: "http://a/b",
            headers: [HeaderField("Range", "bytes=100-")]
        )
        var reception = Reception()

        reception.receive(rest, of: asking)
        reception.receive(chunk(20_000))

        #expect(reception.refusal == nil)
        #expect(reception.partial == nil)
    }

    // MARK: The end

    @Test func `an early end is a failure that keeps the received bytes`() {
        var reception = Reception(partial: partial)

        reception.receive(rest, of: request)
        reception.receive(chunk(10_000))

        let short = ImageLoadingError.Reason.lengthMismatch(received: 30_000, expected: 50_000)
        #expect(reception.outcome(nil) == .failure(.download(.transient, short)))
        #expect(reception.partial?.bytes.count == 30_000)
    }

    @Test func `more bytes than announced are a failure that keeps nothing`() {
        var reception = Reception(partial: partial)

        reception.receive(rest, of: request)
        reception.receive(chunk(30_001))

        let long = ImageLoadingError.Reason.lengthMismatch(received: 50_001, expected: 50_000)
        #expect(reception.outcome(nil) == .failure(.download(.transient, long)))
        #expect(reception.partial == nil)
    }

    @Test func `a response that does not fit is not kept, whatever error ends the transfer`() {
        var reception = Reception(partial: partial)

        reception.receive(head(206, 30_000, ["content-range": "bytes 0-29999/50000"]), of: request)
        reception.receive(chunk(30_000))

        let reason = ImageLoadingError.download(.transient, .rangeMismatch)
        #expect(reception.outcome(nil) == .restart(reason))
        #expect(reception.outcome(lost) == .restart(reason))
        #expect(reception.partial == nil)
        #expect(reception.body.isEmpty)
    }

    @Test(arguments: [(60_000, false), (70_000, true)])
    func `a response that does not fit is read to its end only if it is short`(
        length: Int,
        isWorthStopping: Bool
    ) {
        var reception = Reception(partial: partial)

        reception.receive(head(206, length, ["etag": "\"v1\""]), of: request)

        #expect(reception.isWorthStopping == isWorthStopping)
    }

    @Test func `a 416 that reports a complete body starts over`() {
        var reception = Reception(partial: partial)

        reception.receive(head(416, 0, ["content-range": "bytes */20000"]), of: request)

        let reason = ImageLoadingError.download(.transient, .httpStatus(416))
        #expect(reception.outcome(nil) == .restart(reason))
    }

    @Test func `a whole body above the limit is refused before its rest is read`() {
        var reception = Reception(partial: partial)
        var request = request
        request.maximumByteCount = 49_999

        reception.receive(rest, of: request)

        #expect(reception.refusal?.reason == .tooLarge(limit: 49_999))
        #expect(reception.partial == nil)
    }

    @Test func `without a partial body nothing starts over`() {
        for status in [206, 416] {
            var reception = Reception()
            reception.receive(
                head(status, 0),
                of: TransferRequest(id: .unique(), url: "http://a/b")
            )
            #expect(reception.outcome(nil) == .failure(reception.refusal ?? lost))
        }
    }

    @Test func `a date used as validator is returned as Last-Modified of the whole body`() {
        var dated = partial
        dated.validator = "Sun, 06 Nov 1994 08:00:00 GMT"
        var reception = Reception(partial: dated)

        reception.receive(rest.with { $0["etag"] = nil }, of: request)
        reception.receive(chunk(30_000))

        guard case .success(let body) = reception.outcome(nil) else {
            Issue.record("the rest was refused")
            return
        }
        #expect(body.head.headers["last-modified"] == dated.validator)
        #expect(body.bytes == partial.bytes + chunk(30_000))
    }

    // F6, O8
    @Test func `a 304 may contain the length of the body that it does not send`() {
        let asking = TransferRequest(
            id: .unique(),
            url: "http://a/b",
            headers: [HeaderField("If-None-Match", "\"v1\"")]
        )
        var reception = Reception()

        reception.receive(head(304, 50_000, ["etag": "\"v1\""]), of: asking)

        guard case .success(let body) = reception.outcome(nil) else {
            Issue.record("a 304 that was asked for is a success")
            return
        }
        #expect(body.head.status == 304 && body.bytes.isEmpty)
        #expect(reception.partial == nil)
    }
}
