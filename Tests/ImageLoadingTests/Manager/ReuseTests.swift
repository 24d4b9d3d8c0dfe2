import Decoders
import ImageLoadingTesting
import Testing

@testable import ImageLoading

/// When a body on disk is used without its server, and when it is revalidated.
struct ReuseTests {
    private let origin: CachedOrigin
    private var harness: ManagerHarness { origin.harness }
    private var url: String { origin.url }
    private let new = PatternDecoder.bytes(width: 5, height: 5)

    init() throws {
        origin = try CachedOrigin()
    }

    // C1
    @Test func `a fresh body on disk is used without a request`() async throws {
        try await origin.fill(["cache-control": "max-age=60"])
        harness.manager.clearMemory()
        harness.clock.advance(by: .seconds(59))

        let response = try await harness.load(url).result().get()

        #expect(response.source == .disk)
        #expect(!response.isStale)
        #expect(harness.transport.starts.count == 1)
    }

    @Test func `a stale body is revalidated, and fresh again after a 304`() async throws {
        try await origin.fill(["cache-control": "max-age=60", "etag": "\"a\""])
        harness.manager.clearMemory()
        harness.clock.advance(by: .seconds(60))
        origin.answer([], status: 304, ["cache-control": "max-age=60"])

        let confirmed = try await harness.load(url).result().get()
        await harness.manager.flush()
        harness.manager.clearMemory()
        harness.clock.advance(by: .seconds(59))
        let fresh = try await harness.load(url).result().get()

        #expect(confirmed.isNotModified)
        #expect(confirmed.source == .disk)
        #expect(fresh.source == .disk)
        #expect(harness.transport.starts.count == 2)
    }

    @Test(.timeLimit(.minutes(5)))
    func `stale-while-revalidate answers immediately and asks in the background`() async throws {
        try await origin.fill([
            "cache-control": "max-age=60, stale-while-revalidate=60", "etag": "\"a\"",
        ])
        harness.manager.clearMemory()
        harness.clock.advance(by: .seconds(61))
        origin.answer(new, ["cache-control": "max-age=60"])

        let stale = try await harness.load(url).result().get()
        await waitWhile(harness.manager.isRunning)
        let next = try await harness.load(url).result().get()

        #expect(stale.isStale)
        #expect(stale.image.pixels.size.width == 2)
        #expect(next.image.pixels.size.width == 5)
        #expect(harness.transport.starts.count == 2)
        #expect(harness.manager.statistics.staleAnswers == 1)
    }

    @Test(arguments: [
        ("max-age=60", 503, false), ("max-age=60, stale-if-error=60", 503, true),
        ("max-age=60", 0, true), ("max-age=60, must-revalidate", 0, false),
        ("max-age=60, stale-if-error=60", 404, false),
    ])
    func `a stale body replaces an error if its server permits it`(
        rule: String,
        status: Int,
        isUsed: Bool
    ) async throws {
        try await origin.fill(["cache-control": rule])
        harness.manager.clearMemory()
        harness.clock.advance(by: .seconds(61))
        if status == 0 {
            harness.transport.answerStarts { _ in .failure(.offline) }
        } else {
            origin.answer([1], status: status)
        }

        let result = await harness.load(url, options: .retryFailed).result()

        #expect((result.success?.isStale ?? false) == isUsed)
    }

    @Test func `fromCacheOnly uses stale bodies without a request`() async throws {
        try await origin.fill(["cache-control": "max-age=0, must-revalidate"])
        harness.manager.clearMemory()

        let response = try await harness.load(url, options: .fromCacheOnly).result().get()

        #expect(response.isStale)
        #expect(harness.transport.starts.count == 1)
    }

    @Test func `no-store keeps an image off the disk`() async throws {
        try await origin.fill(["cache-control": "no-store"])

        #expect(origin.bench.bodyNames().isEmpty)
        #expect(try await harness.load(url).result().get().source == .memory)
    }

    // RFC 9111, 4.2.3: the age counts from the time when the request is sent, not from the start of
    // the load.
    @Test func `waiting for a slot does not make a body older`() async throws {
        harness.manager.engine.downloader.isSuspended = true
        origin.answer(origin.old, ["cache-control": "max-age=10"])
        let load = harness.load(url)
        await harness.untilQueued(1)

        harness.clock.advance(by: .seconds(100))
        harness.manager.engine.downloader.isSuspended = false
        _ = try await load.result().get()
        harness.manager.clearMemory()
        harness.clock.advance(by: .seconds(9))

        #expect(try await harness.load(url).result().get().source == .disk)
        #expect(harness.transport.starts.count == 1)
    }

    @Test func `a 304 to the caller's own condition is an error, and not requested again`()
        async
    {
        origin.answer([], status: 304)
        let field = HeaderField("If-None-Match", "\"mine\"")

        let error = await harness.load(ImageRequest(url: url, headers: [field])).result().failure

        #expect(error?.httpStatus == 304)
        #expect(harness.transport.starts.count == 1)
    }

    // RFC 9111, 4.3.4: the fields of a 304 replace the stored fields.
    @Test func `a 304 with no-store takes the image off the disk`() async throws {
        try await origin.fill(["etag": "\"a\"", "cache-control": "max-age=0"])
        harness.manager.clearMemory()
        origin.answer([], status: 304, ["cache-control": "no-store"])

        let response = try await harness.load(url).result().get()
        await harness.manager.flush()

        #expect(response.isNotModified)
        #expect(origin.bench.bodyNames().isEmpty)
    }

    @Test func `a policy that ignores HTTP keeps and uses every image`() async throws {
        let harness = ManagerHarness(
            disk: DiskCacheConfiguration(directory: origin.bench.directory),
            configure: { $0.cachePolicy = .ignoreHTTP }
        )
        let load = harness.load(url)
        await harness.transport.waitForStarts(1)
        harness.transport.respond(
            to: url,
            headers: ["cache-control": "no-store"],
            chunks: [origin.old]
        )
        _ = try await load.result().get()
        harness.manager.clearMemory()

        #expect(try await harness.load(url).result().get().source == .disk)
    }

    @Test func `a body without metadata is used as it is`() async throws {
        let address = try ImageURL(parsing: url, origin: .local)
        try #require(harness.manager.engine.cache.disk).store(origin.old, for: address)

        #expect(try await harness.load(url).result().get().source == .disk)
    }

    // MARK: Partials

    // F26, D10
    @Test func `a partial body on disk is resumed`() async throws {
        let address = try ImageURL(parsing: url, origin: .local)
        let disk = try #require(harness.manager.engine.cache.disk)
        let partial = PartialBody(bytes: [80, 65], validator: "\"a\"", totalByteCount: 9)
        disk.storePartial(partial.bytes, metadata: partial.metadata, for: address)

        let start = LoadTask.Start(
            key: try harness.manager.engine.resolver.key(for: ImageRequest(url: url)),
            generations: harness.manager.engine.cache.generations
        )
        let engine = harness.manager.engine
        let task = LoadTask(start, number: 1, priority: .high, engine: engine)
        let request = try await task.downloadRequest(.nothing)

        #expect(request.partial == partial)
    }
}
