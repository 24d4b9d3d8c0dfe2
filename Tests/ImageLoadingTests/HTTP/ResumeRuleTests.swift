@testable import ImageLoading
import Testing

@Suite struct ResumeRuleTests {
    private static let changed = "Sun, 06 Nov 1994 08:00:00 GMT"
    private static let partial = PartialBody(
        bytes: [UInt8](repeating: 1, count: 20_000),
        validator: "\"v1\"",
        totalByteCount: 50_000
    )

    // MARK: Storing

    private static let keepable: [([String: String], String?)] = [
        (["etag": "\"v1\""], "\"v1\""),
        (["etag": "\"v1\"", "accept-ranges": "bytes"], "\"v1\""),
        (["etag": "\"v1\"", "accept-ranges": "None"], nil),
        (["etag": "\"v1\"", "content-encoding": "identity"], "\"v1\""),
        (["etag": "\"v1\"", "content-encoding": "gzip"], nil),
        (["etag": "\"v1\"", "cache-control": "private, no-store"], nil),
        (["etag": "\"v1\"", "last-modified": changed], "\"v1\""),
        (["etag": "W/\"v1\""], nil), (["etag": "v1"], nil), ([:], nil),
        (["last-modified": changed, "date": "Sun, 06 Nov 1994 08:01:00 GMT"], changed),
        (["last-modified": changed, "date": "Sun, 06 Nov 1994 08:00:59 GMT"], nil),
        (["last-modified": changed, "date": "Sun, 06 Nov 1994 07:00:00 GMT"], nil),
        (["last-modified": changed], nil),
        (["last-modified": "yesterday", "date": "Sun, 06 Nov 1994 08:01:00 GMT"], nil),
        // A date may not replace a weak tag.
        (
            [
                "etag": "W/\"v1\"", "last-modified": changed,
                "date": "Mon, 07 Nov 1994 08:01:00 GMT",
            ], nil
        ),
    ]

    @Test(arguments: keepable)
    func `only a validator of the exact bytes permits resuming`(
        headers: [String: String],
        validator: String?
    ) {
        let head = TransferHead(status: 200, expectedByteCount: 50_000, headers: headers)

        #expect(ResumeRule.validator(of: head) == validator)
    }

    @Test(arguments: [201, 203, 206, 304, 404, 416, 503])
    func `only the body of a 200 may be resumed`(status: Int) {
        let head = TransferHead(
            status: status,
            expectedByteCount: 50_000,
            headers: ["etag": "\"v1\""]
        )

        #expect(ResumeRule.validator(of: head) == nil)
    }

    @Test(arguments: [
        (ResumeRule.minimumByteCount, nil, true), (ResumeRule.minimumByteCount - 1, nil, false),
        (20_000, 20_001, true), (20_000, 20_000, false), (20_000, 100, false), (0, nil, false),
    ])
    func `too short and complete bodies are not kept`(count: Int, total: Int?, isKept: Bool) {
        let bytes = [UInt8](repeating: 1, count: count)

        #expect((ResumeRule.partial(bytes, validator: "\"a\"", total: total) != nil) == isKept)
    }

    // MARK: Requesting

    @Test func `the rest is requested without content coding, if the version is the same`() {
        #expect(
            ResumeRule.fields(for: Self.partial) == [
                HeaderField("Range", "bytes=20000-"), HeaderField("If-Range", "\"v1\""),
                HeaderField("Accept-Encoding", "identity"),
            ]
        )
    }

    @Test func `the fields that request the rest replace the request's own fields`() {
        let own = [
            HeaderField("accept-encoding", "gzip"), HeaderField("X", "1"),
            HeaderField("RANGE", "bytes=0-1"),
        ]

        let headers = ResumeRule.headers(own, resuming: Self.partial)

        #expect(headers == [HeaderField("X", "1")] + ResumeRule.fields(for: Self.partial))
    }

    // MARK: Checking the response

    private static let parts: [(range: String, total: Int?, length: Int?, goesOn: Int?)] = [
        ("bytes 20000-49999/50000", 50_000, 30_000, 50_000),
        ("bytes 20000-49999/50000", 50_000, nil, 50_000),
        ("bytes 20000-49999/50000", nil, 30_000, 50_000),
        ("bytes 20000-49999/*", 50_000, 30_000, 50_000),
        // The total is unknown, so the rest may be incomplete.
        ("bytes 20000-49999/*", nil, 30_000, nil),
        ("bytes 20000-49998/*", 50_000, 29_999, nil),
        ("bytes 20000-49998/50000", 50_000, 29_999, nil),
        ("bytes 20000-49999/50000", 50_000, 29_999, nil),
        ("bytes 20001-49999/50000", 50_000, 29_999, nil),
        ("bytes 19999-49999/50000", 50_000, 30_001, nil),
        ("bytes 0-49999/50000", 50_000, 50_000, nil),
        ("bytes 20000-49999/50001", 50_000, 30_000, nil),
        ("bytes 20000-50000/50001", 50_000, 30_001, nil),
        ("bytes */50000", 50_000, nil, nil), ("20000-49999/50000", 50_000, 30_000, nil),
        ("bytes 20000-9223372036854775806/9223372036854775807", nil, nil, Int.max),
    ]

    @Test(arguments: parts)
    func `a 206 is the rest only if start, end, total and length fit`(
        row: (range: String, total: Int?, length: Int?, goesOn: Int?)
    ) {
        var partial = Self.partial
        partial.totalByteCount = row.total
        let head = TransferHead(
            status: 206,
            expectedByteCount: row.length,
            headers: ["etag": "\"v1\"", "content-range": row.range]
        )

        let mismatch = ImageLoadingError.download(.transient, .rangeMismatch)
        let expected = row.goesOn.map { ResumeRule.Decision.resume(totalByteCount: $0) }
        #expect(ResumeRule.decision(on: head, for: partial) == expected ?? .retryWhole(mismatch))
    }

    private static let validators: [(ours: String, theirs: [String: String], fits: Bool)] = [
        ("\"v1\"", ["etag": "\"v1\""], true), ("\"v1\"", ["etag": "\"v2\""], false),
        ("\"v1\"", ["etag": "W/\"v1\""], false), ("\"v1\"", [:], false),
        ("\"v1\"", ["etag": "v1"], false), ("\"v1\"", ["last-modified": changed], false),
        (changed, ["last-modified": changed], true), (changed, [:], true),
        (changed, ["last-modified": "Sun, 06 Nov 1994 08:00:01 GMT"], false),
    ]

    @Test(arguments: validators)
    func `a 206 is the rest only of the same version`(
        row: (ours: String, theirs: [String: String], fits: Bool)
    ) {
        var partial = Self.partial
        partial.validator = row.ours
        let head = TransferHead(status: 206, expectedByteCount: nil, headers: row.theirs)
            .with { $0["content-range"] = "bytes 20000-49999/50000" }

        let isRest = ResumeRule.decision(on: head, for: partial) == .resume(totalByteCount: 50_000)
        #expect(isRest == row.fits)
    }

    @Test(arguments: [200, 201, 203, 226])
    func `any 2xx with the whole body replaces the partial one`(status: Int) {
        let head = TransferHead(status: status, expectedByteCount: nil)

        #expect(ResumeRule.decision(on: head, for: Self.partial) == .restart)
    }

    @Test(arguments: [204, 205, 301, 304, 404, 412, 429, 500, 503])
    func `other statuses do not describe the partial body`(status: Int) {
        let head = TransferHead(status: status, expectedByteCount: nil)

        #expect(ResumeRule.decision(on: head, for: Self.partial) == .none)
    }

    // MARK: On disk

    // F26
    @Test(arguments: [nil, 50_000])
    func `a partial body is restored from bytes and metadata`(total: Int?) {
        var partial = Self.partial
        partial.totalByteCount = total

        #expect(PartialBody(bytes: partial.bytes, metadata: partial.metadata) == partial)
    }

    @Test func `bytes that do not match the metadata are refused`() {
        let metadata = Self.partial.metadata
        let bytes = Self.partial.bytes

        let pairs: [(bytes: [UInt8], metadata: [UInt8])] = [
            (Array(bytes.dropLast()), metadata), (bytes + [1], metadata), ([], metadata),
            (bytes, Array(metadata.dropLast())), (bytes, []),
        ]
        let accepted = pairs.filter { PartialBody(bytes: $0.bytes, metadata: $0.metadata) != nil }
        #expect(accepted.isEmpty)
    }

    @Test(arguments: ["W/\"v1\"", "", "x\r\nHost: elsewhere", "tomorrow"])
    func `a validator that must not be sent is refused`(validator: String) {
        var partial = Self.partial
        partial.validator = validator

        #expect(PartialBody(bytes: partial.bytes, metadata: partial.metadata) == nil)
    }

    @Test func `metadata of a response and of a partial body are not interchangeable`() {
        let response = CachedResponse(times: ExchangeTimes(request: 0, response: 0))

        #expect(PartialBody(bytes: [1], metadata: response.encoded()) == nil)
        #expect(CachedResponse(decoding: Self.partial.metadata) == nil)
    }
}

@Suite struct ContentRangeTests {
    @Test(arguments: [
        ("bytes 0-0/1", 0...0, 1), ("bytes 200-999/1000", 200...999, 1000),
        ("BYTES 200-999/1000", 200...999, 1000), ("bytes 200-999/*", 200...999, nil),
        ("bytes */1000", nil, 1000), ("bytes */*", nil, nil),
    ])
    func `a range of bytes is read`(text: String, bytes: ClosedRange<Int>?, total: Int?) {
        let range = ContentRange(text)

        #expect(range != nil)
        #expect(range?.bytes == bytes)
        #expect(range?.total == total)
    }

    @Test(arguments: [
        "", "bytes", "bytes 0-9", "bytes 0-9/", "bytes /10", "bytes -9/10", "bytes 0-/10",
        "bytes 9-0/10", "bytes 0-10/10", "bytes 0-9/10/10", "bytes 0-9-9/10", "bytes +0-9/10",
        "bytes=0-9/10", "lines 0-9/10", "bytes 0-9/x", "bytes a-b/10", "bytes 0-9/-10",
        "bytes 0-99999999999999999999/*", "bytes 0-9/99999999999999999999", "bytes 0 - 9/10",
        "bytes 0-9223372036854775807/*", "bytes 0-9/\u{0661}0",
    ])
    func `an invalid Content-Range is refused`(text: String) {
        #expect(ContentRange(text) == nil)
    }
}
