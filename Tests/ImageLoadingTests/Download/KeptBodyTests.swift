import ImageLoadingTesting
import Testing

@testable import ImageLoading

/// Bodies of feeds on disk, which are used if the server does not answer.
struct KeptBodyTests {
    private let bench: CacheBench
    private let url = "http://a.example/feed"
    private let noAnswer = ImageLoadingError.transfer(.noConnection)

    init() throws {
        bench = try CacheBench()
    }

    private func process(isOffline: Bool = false) -> ManagerHarness {
        ManagerHarness(disk: DiskCacheConfiguration(directory: bench.directory)) {
            $0.isOffline = isOffline
        }
    }

    /// Loads the feed in a separate process, and stores the received body.
    private func keep(
        _ fields: [String: String],
        bytes: [UInt8] = Array("a.png\n".utf8)
    ) async throws {
        let harness = process()
        harness.transport.answerStarts { _ in
            let head = TransferHead(status: 200, expectedByteCount: bytes.count, headers: fields)
            return ScriptedAnswer(events: [.head(head), .chunk(bytes), .finished(nil)])
        }
        harness.manager.keep(try await harness.manager.body(of: url), of: url)
        await harness.manager.flush()
    }

    private func kept(
        after error: ImageLoadingError? = nil,
        origin: RequestOrigin = .local,
        seconds: Int = 100_000
    ) async -> ImageManager.FetchedBody? {
        let harness = process()
        harness.clock.advance(by: .seconds(seconds))
        return await harness.manager.keptBody(of: url, origin: origin, after: error ?? noAnswer)
    }

    @Test func `a later session requests a feed only if it has changed`() async throws {
        try await keep(["etag": "\"1\"", "content-type": "text/xml; charset=koi8-r"])

        for tags in [("\"1\"", "\"2\""), ("\"2\"", "\"2\"")] {
            let harness = process()
            harness.transport.answerStarts { request in
                let fields = request.headers.filter { $0.name == "If-None-Match" }.map(\.value)
                let head = TransferHead(
                    status: fields == [tags.0] ? 304 : 500,
                    expectedByteCount: nil,
                    headers: ["etag": tags.1]
                )
                return ScriptedAnswer(events: [.head(head), .finished(nil)])
            }
            let body = try await harness.manager.feedBody(
                of: url,
                origin: .local,
                within: .seconds(10),
                unless: []
            )
            harness.manager.keep(body, of: url)
            await harness.manager.flush()

            #expect(body.bytes == Array("a.png\n".utf8) && !body.isUnchanged)
            #expect(body.headers["content-type"] == "text/xml; charset=koi8-r")
        }
    }

    @Test(arguments: [
        [:], ["cache-control": "no-cache"], ["cache-control": "max-age=0, must-revalidate"],
        ["cache-control": "private, max-age=60"],
    ])
    func `if the server is unreachable the last body is used, however old`(
        fields: [String: String]
    ) async throws {
        try await keep(fields.merging(["link": "<b>; rel=next"]) { $1 })

        let body = try #require(await kept())

        #expect(body.bytes == Array("a.png\n".utf8))
        #expect(body.url == url)
        #expect(body.headers == ["link": "<b>; rel=next"])
    }

    @Test(arguments: [
        TransferFailure.Kind.noNetwork, .hostNotFound, .noConnection, .timedOut, .connectionLost,
    ])
    func `an unreachable network, name or server counts as no response`(
        failure: TransferFailure.Kind
    ) async throws {
        try await keep(["cache-control": "no-cache"])

        #expect(await kept(after: .transfer(failure)) != nil)
    }

    @Test func `offline the last body is used too, without a request`() async throws {
        try await keep(["cache-control": "no-cache"])
        let harness = process(isOffline: true)

        let error = await #expect(throws: ImageLoadingError.self) {
            _ = try await harness.manager.body(of: url)
        }

        let reason = try #require(error)
        #expect(await harness.manager.keptBody(of: url, origin: .local, after: reason) != nil)
        #expect(harness.transport.starts.isEmpty)
    }

    @Test func `a new response takes precedence over the stored one`() async throws {
        try await keep(["cache-control": "no-cache"])
        for status in [404, 410, 500, 503] {
            let error = ImageLoadingError.download(
                status < 500 ? .permanent : .transient,
                .httpStatus(status)
            )
            #expect(await kept(after: error) == nil)
        }
        #expect(await kept(after: .cancelled) == nil)

        try await keep(["cache-control": "max-age=10, stale-if-error=1000000"])
        let error = ImageLoadingError.download(.transient, .httpStatus(503))
        #expect(await kept(after: error) != nil)
    }

    @Test func `a body with no-store is not kept, and removes the stored one`() async throws {
        try await keep(["cache-control": "no-store"])
        #expect(bench.bodyNames().isEmpty)
        try await keep([:])
        #expect(bench.bodyNames().count == 1)

        try await keep(["cache-control": "no-store"])

        #expect(bench.bodyNames().isEmpty)
        #expect(await kept() == nil)
    }

    @Test func `a body that is too large for a feed, or empty, is not kept`()
        async throws
    {
        try await keep([:], bytes: body((8 << 20) + 1))

        #expect(bench.bodyNames().isEmpty)
    }

    @Test func `the last body is not an image, and images are not feeds`() async throws {
        try await keep(["cache-control": "max-age=100"])
        let harness = process(isOffline: true)

        let result = await harness.load(ImageRequest(url: url)).result()

        #expect(throws: ImageLoadingError.self) { try result.get() }
        harness.manager.engine.cache.disk?.store(
            [1, 2, 3],
            for: try ImageURL(parsing: "http://a.example/picture", origin: .local)
        )
        let picture = await harness.manager.keptBody(
            of: "http://a.example/picture",
            origin: .local,
            after: noAnswer
        )
        #expect(picture == nil)
    }

    @Test func `a remote list does not get the stored body of an address in this network`()
        async throws
    {
        let response = CachedResponse(
            times: ExchangeTimes(request: 1_000_000_000, response: 1_000_000_000)
        )
        let note = KeptBody(url: url, isFromPrivateAddress: true, link: nil, response: response)
        let harness = process()
        var address = try ImageURL(parsing: url, origin: .local)
        address.cacheName = url + "#feed"
        harness.manager.engine.cache.disk?.store([65], metadata: note.encoded(), for: address)
        await harness.manager.flush()

        #expect(await kept(origin: .local)?.isFromPrivateAddress == true)
        #expect(await kept(origin: .privateFeed) != nil)
        #expect(await kept(origin: .remoteFeed) == nil)
    }

    @Test func `the notes of a body are read back, but not if they are damaged`() {
        var response = CachedResponse(times: ExchangeTimes(request: 5, response: 6))
        response.entityTag = EntityTag("\"1\"")
        let note = KeptBody(url: url, isFromPrivateAddress: false, link: "<a>", response: response)
        let bytes = note.encoded()

        #expect(KeptBody(decoding: bytes) == note)
        for count in bytes.indices {
            #expect(KeptBody(decoding: Array(bytes.prefix(count))) != note)
        }
        #expect(KeptBody(decoding: [0] + bytes.dropFirst()) == nil)
    }
}
