import Decoders
import ImageLoadingTesting
import Testing

@testable import ImageLoading

/// `refreshCached` (rows M15-M19) and what HTTP says about cached pictures.
struct RefreshTests {
    private let bench: CacheBench
    private let harness: ManagerHarness
    private let url = "http://a.example/1.png"
    private let old = PatternDecoder.bytes(width: 2, height: 2)
    private let new = PatternDecoder.bytes(width: 5, height: 5)

    init() throws {
        bench = try CacheBench()
        harness = ManagerHarness(disk: DiskCacheConfiguration(directory: bench.directory))
    }

    private func answer(_ bytes: [UInt8], status: Int = 200, _ headers: [String: String] = [:]) {
        harness.transport.answerStarts { _ in
            let head = TransferHead(
                status: status,
                expectedByteCount: bytes.count,
                headers: headers
            )
            return ScriptedAnswer(events: [.head(head), .chunk(bytes), .finished(nil)])
        }
    }

    private func fill(_ headers: [String: String]) async throws {
        answer(old, headers)
        _ = try await harness.load(url).result().get()
        await harness.manager.flush()
    }

    private var lastFields: [HeaderField] { harness.transport.starts.last?.headers ?? [] }

    // M15, M16, M17, F6
    @Test(arguments: [true, false])
    func `an unchanged picture is shown at once, then confirmed, and not decoded again`(
        isInMemory: Bool
    ) async throws {
        try await fill(["etag": "\"a\"", "cache-control": "max-age=9"])
        if !isInMemory { harness.manager.clearMemory() }
        answer([], status: 304)

        let load = harness.load(url, options: .refreshCached)
        let response = try await load.result().get()

        #expect(load.record.images.map(\.source) == [isInMemory ? .memory : .disk])
        #expect(response.isNotModified)
        #expect(response.httpStatus == 304)
        #expect(response.image == load.record.images.first?.image)
        #expect(lastFields.contains(HeaderField("If-None-Match", "\"a\"")))
        #expect(harness.manager.statistics.notModified == 1)
    }

    // M18
    @Test func `a changed picture replaces the old one in both caches`() async throws {
        try await fill(["etag": "\"a\""])
        let small = ImageRequest(url: url, targetSize: PixelSize(width: 1, height: 1))
        _ = try await harness.load(small).result().get()
        answer(new, ["etag": "\"b\""])

        let load = harness.load(url, options: .refreshCached)
        let response = try await load.result().get()
        await harness.manager.flush()

        #expect(load.record.images.map(\.image.pixels.size.width) == [2])
        #expect(response.image.pixels.size.width == 5)
        #expect(!response.isNotModified)
        #expect(response.source == .network)
        #expect(try await harness.load(url).result().get().image.pixels.size.width == 5)
        #expect(try await harness.load(small).result().get().source == .disk)
        harness.manager.clearMemory()
        #expect(try await harness.load(url).result().get().image.pixels.size.width == 5)
    }

    // M17
    @Test func `the same bytes from a server without validators are not decoded again`()
        async throws
    {
        try await fill([:])

        let response = try await harness.load(url, options: .refreshCached).result().get()

        #expect(response.isNotModified)
        #expect(response.source == .memory)
    }

    // M19
    @Test func `a refresh that fails keeps the picture, and is not remembered`() async throws {
        try await fill(["etag": "\"a\""])
        harness.transport.answerStarts { _ in .failure(.offline) }

        let load = harness.load(url, options: .refreshCached)
        let response = try await load.result().get()

        #expect(response.isStale)
        #expect(response.image.pixels.size.width == 2)
        #expect(load.record.images.count == 1)
        #expect(harness.manager.statistics.rememberedFailures == 0)
        #expect(harness.manager.statistics.staleAnswers == 1)
    }

    @Test func `a picture that is gone from its server is an error, also of a refresh`()
        async throws
    {
        try await fill(["etag": "\"a\""])
        answer([1], status: 404)

        let error = await harness.load(url, options: .refreshCached).result().failure

        #expect(error?.httpStatus == 404)
    }

    // M13
    @Test func `a refresh that is forbidden answers with what is cached`() async throws {
        let isAllowed = Protected(true)
        let harness = ManagerHarness(disk: DiskCacheConfiguration(directory: bench.directory)) {
            $0.shouldDownload = { _ in isAllowed.withLock { $0 } }
        }
        harness.answerEverything()
        _ = try await harness.load(url).result().get()
        isAllowed.withLock { $0 = false }

        let response = try await harness.load(url, options: .refreshCached).result().get()

        #expect(response.source == .memory)
        #expect(!response.isStale)
        #expect(harness.transport.starts.count == 1)
    }

    // open point b, M38
    @Test(.timeLimit(.minutes(1)))
    func `cancelling inside the first delivery starts no transfer`() async throws {
        try await fill(["etag": "\"a\""])
        harness.manager.clearMemory()
        let (record, manager) = (EventRecord(), harness.manager)
        manager.load(ImageRequest(url: url, options: .refreshCached)) { event in
            if case .image = event { manager.cancelAll() }
            record.add(event)
        }

        #expect(await record.result() == .failure(.cancelled))

        _ = await harness.load("data:,x").result()
        #expect(harness.transport.starts.count == 1)
        #expect(!manager.isRunning)
    }

    // M15, F24
    @Test func `a load that joins a refresh late hears its picture and its progress too`()
        async throws
    {
        try await fill(["etag": "\"a\""])
        harness.manager.clearMemory()
        harness.transport.answerStarts { _ in nil }
        let first = harness.load(url, options: .refreshCached)
        await harness.transport.waitForStarts(2)
        let head = TransferHead(status: 200, expectedByteCount: new.count)
        harness.transport.send(.head(head), to: url)
        harness.transport.send(.chunk([new[0]]), to: url)

        let second = harness.load(url, options: .refreshCached)

        #expect(second.record.images.count == 1)
        #expect(second.record.progress.last == LoadProgress(received: 1, expected: new.count))
        harness.transport.send(.chunk(Array(new[1...])), to: url)
        harness.transport.finish(url)
        for load in [first, second] {
            #expect(try await load.result().get().image.pixels.size.width == 5)
        }
    }

    // MARK: Freshness

    // C1
    @Test func `a fresh body on disk answers without a question`() async throws {
        try await fill(["cache-control": "max-age=60"])
        harness.manager.clearMemory()
        harness.clock.advance(by: .seconds(59))

        let response = try await harness.load(url).result().get()

        #expect(response.source == .disk)
        #expect(!response.isStale)
        #expect(harness.transport.starts.count == 1)
    }

    @Test func `a stale body is asked about, and fresh again after a 304`() async throws {
        try await fill(["cache-control": "max-age=60", "etag": "\"a\""])
        harness.manager.clearMemory()
        harness.clock.advance(by: .seconds(60))
        answer([], status: 304, ["cache-control": "max-age=60"])

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

    @Test(.timeLimit(.minutes(1)))
    func `stale-while-revalidate answers at once and asks in the background`() async throws {
        try await fill(["cache-control": "max-age=60, stale-while-revalidate=60", "etag": "\"a\""])
        harness.manager.clearMemory()
        harness.clock.advance(by: .seconds(61))
        answer(new, ["cache-control": "max-age=60"])

        let stale = try await harness.load(url).result().get()
        while harness.manager.isRunning { await Task.yield() }
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
    func `a stale body stands in for an error if its server allows it`(
        rule: String,
        status: Int,
        isUsed: Bool
    ) async throws {
        try await fill(["cache-control": rule])
        harness.manager.clearMemory()
        harness.clock.advance(by: .seconds(61))
        if status == 0 {
            harness.transport.answerStarts { _ in .failure(.offline) }
        } else {
            answer([1], status: status)
        }

        let result = await harness.load(url, options: .retryFailed).result()

        #expect((result.success?.isStale ?? false) == isUsed)
    }

    @Test func `fromCacheOnly takes stale bodies and asks nobody`() async throws {
        try await fill(["cache-control": "max-age=0, must-revalidate"])
        harness.manager.clearMemory()

        let response = try await harness.load(url, options: .fromCacheOnly).result().get()

        #expect(response.isStale)
        #expect(harness.transport.starts.count == 1)
    }

    @Test func `no-store keeps a picture off the disk`() async throws {
        try await fill(["cache-control": "no-store"])

        #expect(bench.bodyNames().isEmpty)
        #expect(try await harness.load(url).result().get().source == .memory)
    }

    @Test func `a policy that ignores HTTP keeps and uses every picture`() async throws {
        let harness = ManagerHarness(
            disk: DiskCacheConfiguration(directory: bench.directory),
            configure: { $0.cachePolicy = .ignoreHTTP }
        )
        let load = harness.load(url)
        await harness.transport.waitForStarts(1)
        harness.transport.respond(
            to: url,
            headers: ["cache-control": "no-store"],
            chunks: [old]
        )
        _ = try await load.result().get()
        harness.manager.clearMemory()

        #expect(try await harness.load(url).result().get().source == .disk)
    }

    @Test func `a body that nothing is known about is used as it is`() async throws {
        let address = try ImageURL(parsing: url, origin: .local)
        try #require(harness.manager.cache.disk).store(old, for: address)

        #expect(try await harness.load(url).result().get().source == .disk)
    }

    // MARK: Partials

    // F26, D10
    @Test func `the beginning of a body on disk is gone on with`() async throws {
        let address = try ImageURL(parsing: url, origin: .local)
        let disk = try #require(harness.manager.cache.disk)
        let partial = PartialBody(bytes: [80, 65], validator: "\"a\"", totalByteCount: 9)
        disk.storePartial(partial.bytes, metadata: partial.metadata, for: address)

        let run = LoadRun.Start(
            key: try harness.manager.resolver.key(for: ImageRequest(url: url)),
            begun: harness.manager.cache.generations
        )
        let request = try await harness.manager.downloadRequest(
            for: LoadRun(run, number: 1, priority: .high),
            .nothing
        )

        #expect(request.partial == partial)
    }
}

extension ImageLoadingError {
    fileprivate static let offline = download(.offline, .transport(code: 7, text: "offline"))
}
