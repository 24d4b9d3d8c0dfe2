import Testing

@testable import ImageLoading

@Suite struct RevalidationTests {
    private static let noon = ResponseScene.noon
    private let later = ExchangeTimes(request: noon + 100, response: noon + 101)

    /// Returns a response that was created and received at noon.
    private func stored(
        _ headers: [String: String],
        of request: [HeaderField] = []
    )
        -> CachedResponse
    {
        let head = TransferHead(status: 200, expectedByteCount: nil, headers: headers)
        let times = ExchangeTimes(request: Self.noon, response: Self.noon)
        return CachedResponse(head, of: request, times: times)
    }

    private func notModified(_ headers: [String: String] = [:]) -> TransferHead {
        TransferHead(status: 304, expectedByteCount: nil, headers: headers)
    }

    // MARK: Requesting

    @Test(arguments: ["\"a\"", "W/\"a\""])
    func `a tag is sent back unchanged, strong or weak`(tag: String) {
        let fields = stored(["etag": tag]).conditionalFields(for: [])

        #expect(fields == [HeaderField("If-None-Match", tag)])
    }

    @Test func `a last-modified date is sent in the required form`() {
        let fields = stored(["last-modified": "Sunday, 06-Nov-94 08:49:37 GMT"])
            .conditionalFields(for: [])

        #expect(fields == [HeaderField("If-Modified-Since", "Sun, 06 Nov 1994 08:49:37 GMT")])
    }

    // M16
    @Test func `tag and date are both sent`() {
        let response = stored([
            "etag": "\"a\"", "last-modified": "Sun, 06 Nov 1994 08:49:37 GMT",
        ])

        let names = response.conditionalFields(for: []).map(\.name)
        #expect(names == ["If-None-Match", "If-Modified-Since"])
    }

    @Test func `without a validator nothing can be revalidated`() {
        #expect(stored(["etag": "a", "last-modified": "today"]).conditionalFields(for: []).isEmpty)
    }

    @Test func `a response selected by other fields is revalidated by its tag only`() {
        let response = stored(
            ["etag": "\"a\"", "last-modified": "Sun, 06 Nov 1994 08:49:37 GMT", "vary": "Accept"],
            of: [HeaderField("Accept", "image/png")]
        )

        #expect(response.conditionalFields(for: []).map(\.name) == ["If-None-Match"])
    }

    // MARK: Merging

    // M17
    @Test func `a 304 renews the lifetime of the confirmed body`() {
        let response = stored(["etag": "\"a\"", "cache-control": "max-age=60", "age": "50"])
        let freshness = Freshness(silentLifetime: nil)
        let now = later.response + 10
        #expect(freshness.decision(for: response, request: [], at: now) != .fresh)

        let merged = response.revalidated(by: notModified(), of: [], times: later)

        #expect(merged.map { freshness.decision(for: $0, request: [], at: now) } == .fresh)
        #expect(merged.map { freshness.age(of: $0, at: now) } == 11)
    }

    @Test func `fields of a 304 replace ours, and missing fields stay`() {
        let response = stored([
            "etag": "\"a\"", "cache-control": "no-cache", "content-type": "image/png",
            "last-modified": "Sun, 06 Nov 1994 08:49:37 GMT", "expires": "0",
        ])
        let head = notModified([
            "cache-control": "max-age=5", "content-type": "text/plain", "age": "3",
            "date": "Sun, 06 Nov 1994 12:01:40 GMT",
        ])

        let merged = response.revalidated(by: head, of: [], times: later)

        #expect(merged?.status == 200)
        #expect(merged?.cacheControl == CacheControl("max-age=5"))
        #expect(merged?.contentType == "image/png")
        #expect(merged?.lastModified == response.lastModified)
        #expect(merged?.expires == 0)
        #expect(merged?.age == 3)
        #expect(merged?.date == Self.noon + 100)
        #expect(merged?.times == later)
    }

    @Test func `a 304 may forbid storing the confirmed body`() {
        let merged = stored(["etag": "\"a\""])
            .revalidated(by: notModified(["cache-control": "no-store"]), of: [], times: later)

        #expect(merged?.mayBeStored == false)
    }

    @Test(arguments: [
        ("\"a\"", "\"a\"", "\"a\""), ("\"a\"", "W/\"a\"", "\"a\""), ("W/\"a\"", "\"a\"", "W/\"a\""),
        ("\"a\"", nil, "\"a\""), (nil, "\"a\"", "\"a\""), (nil, nil, nil),
        // Not a valid tag, so it cannot contradict ours.
        ("\"a\"", "a", "\"a\""),
    ])
    func `a 304 with our tag, or without a tag, confirms our bytes`(
        ours: String?,
        theirs: String?,
        kept: String?
    ) {
        let merged = stored(ours.map { ["etag": $0] } ?? [:])
            .revalidated(
                by: notModified(theirs.map { ["etag": $0] } ?? [:]),
                of: [],
                times: later
            )

        #expect(merged != nil)
        #expect(merged?.entityTag?.fieldValue == kept)
    }

    // M18
    @Test(arguments: [("\"a\"", "\"b\""), ("\"a\"", "W/\"b\""), ("W/\"a\"", "\"b\"")])
    func `a 304 with another tag does not confirm our bytes`(ours: String, theirs: String) {
        let merged = stored(["etag": ours])
            .revalidated(by: notModified(["etag": theirs]), of: [], times: later)

        #expect(merged == nil)
    }

    @Test func `after a 304 the response belongs to the validating request`() {
        let png = [HeaderField("Accept", "image/png")]
        let response = stored(["etag": "\"a\"", "vary": "Accept"], of: png)

        let merged = response.revalidated(by: notModified(), of: [], times: later)

        #expect(merged?.vary.matches([]) == true)
        #expect(merged?.vary.matches(png) == false)
    }

    @Test func `a 304's Vary replaces ours`() {
        let merged = stored(["etag": "\"a\"", "vary": "Accept"])
            .revalidated(by: notModified(["vary": "X-Key"]), of: [], times: later)

        #expect(merged?.vary.names == ["x-key"])
    }
}
