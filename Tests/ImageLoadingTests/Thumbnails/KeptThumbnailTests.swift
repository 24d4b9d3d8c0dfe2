import Decoders
import Glibc
import ImageLoadingTesting
import Testing

@testable import ImageLoading

/// Thumbnails of bodies: kept by one process, shown by the next.
struct KeptThumbnailTests {
    let bench: CacheBench
    let url = "http://a.example/1.png"
    /// A file of 40×20 pixels that is long enough for a stored thumbnail to save time.
    let pattern = PatternDecoder.bytes(width: 40, height: 20) + Array(repeating: 1, count: 5_000)
    let forever = ["cache-control": "max-age=100000"]

    init() throws {
        bench = try CacheBench()
    }

    func process(
        configure: (inout ImageManagerConfiguration) -> Void = { _ in }
    ) -> ManagerHarness {
        let disk = DiskCacheConfiguration(directory: bench.directory)
        return ManagerHarness(disk: disk, configure: configure)
    }

    func request(
        _ options: LoadingOptions = .keptThumbnails,
        side: Int = 10
    ) -> ImageRequest {
        ImageRequest(
            url: url,
            targetSize: PixelSize(width: side, height: side),
            options: options
        )
    }

    func answer(
        _ harness: ManagerHarness,
        _ fields: [String: String],
        _ bytes: [UInt8]? = nil
    ) {
        let bytes = bytes ?? pattern
        harness.transport.answerStarts { _ in
            let head = TransferHead(status: 200, expectedByteCount: bytes.count, headers: fields)
            return ScriptedAnswer(events: [.head(head), .chunk(bytes), .finished(nil)])
        }
    }

    /// Simulates a process that loads the image and waits until everything is stored.
    @discardableResult
    func see(
        _ request: ImageRequest? = nil,
        _ fields: [String: String]? = nil,
        bytes: [UInt8]? = nil,
        configure: (inout ImageManagerConfiguration) -> Void = { _ in }
    ) async throws -> ImageResponse {
        let harness = process(configure: configure)
        answer(harness, fields ?? forever, bytes)
        let response = try await harness.load(request ?? self.request()).result().get()
        await harness.manager.flush()
        return response
    }

    var thumbnails: [String] { bench.bodyNames().filter { $0.hasPrefix("thumb-") }.sorted() }

    private func isInMemory(_ harness: ManagerHarness) -> Bool {
        harness.manager.imageInMemory(for: request()) != nil
    }

    func decodeCount(_ harness: ManagerHarness) -> Int {
        harness.manager.statistics.decodeTimes.count
    }

    // MARK: Seen before

    @Test func `an image that was shown before is shown again unchanged, without decoding`()
        async throws
    {
        let first = try await see()
        let harness = process()

        let second = try await harness.load(request()).result().get()

        #expect(second.image == first.image)
        #expect(second.source == .disk && !second.isStale)
        #expect(second.byteCount == pattern.count)
        #expect(decodeCount(harness) == 0)
        #expect(harness.transport.starts.isEmpty)
        #expect(isInMemory(harness), "it is in memory too")
        #expect(harness.manager.statistics.diskCache.hits == 1)
    }

    @Test func `the body is not read for it`() async throws {
        try await see()
        // The length and its record are the same, so that only a reader of the content would
        // notice.
        let path = try #require(bench.bodyNames().first { !$0.hasPrefix("thumb-") })
        let file = open("\(bench.directory)/\(path)", O_WRONLY)
        pwrite(file, [0xAA, 0xAA], 2, 40)
        close(file)
        let harness = process()

        _ = try await harness.load(request()).result().get()

        #expect(decodeCount(harness) == 0)
        #expect(harness.manager.statistics.damagedFiles == 0)
    }

    @Test func `a body that its server confirms is not decoded again`() async throws {
        let first = try await see(nil, ["cache-control": "no-cache", "etag": "\"1\""])
        let harness = process()
        harness.transport.answerStarts { _ in .body([], status: 304) }

        let second = try await harness.load(request()).result().get()

        #expect(second.image == first.image && second.isNotModified)
        #expect(second.byteCount == pattern.count)
        #expect(decodeCount(harness) == 0)
        #expect(harness.transport.starts.count == 1)
        #expect(isInMemory(harness))
    }

    @Test func `a stored body used for an unreachable server is not decoded again`()
        async throws
    {
        let first = try await see(nil, ["cache-control": "max-age=0", "etag": "\"1\""])
        let harness = process()
        harness.transport.answerStarts { _ in .failure(.transfer(.noNetwork)) }

        let second = try await harness.load(request()).result().get()

        #expect(second.image == first.image && second.isStale)
        #expect(decodeCount(harness) == 0)
    }

    @Test func `a body that has changed is decoded`() async throws {
        try await see(nil, ["cache-control": "no-cache", "etag": "\"1\""])
        let harness = process()
        answer(harness, forever, PatternDecoder.bytes(width: 20, height: 40))

        let second = try await harness.load(request()).result().get()

        #expect(second.image.properties.size == PixelSize(width: 20, height: 40))
        #expect(decodeCount(harness) == 1)
    }

    @Test func `reading and storing are enabled separately`() async throws {
        try await see(request([]))
        try await see(request(.readKeptThumbnail))
        #expect(thumbnails.isEmpty)

        try await see(request(.writeKeptThumbnail))
        #expect(thumbnails.count == 1)

        for options in [.writeKeptThumbnail, []] as [LoadingOptions] {
            let harness = process()
            _ = try await harness.load(request(options)).result().get()
            #expect(decodeCount(harness) == 1)
        }
    }

    @Test func `a body stored earlier is decoded once, and its thumbnail stored`() async throws {
        try await see(request([]))

        try await see()

        let harness = process()
        _ = try await harness.load(request()).result().get()
        #expect(decodeCount(harness) == 0)
    }

    @Test func `another size is another thumbnail, and the last four are kept`() async throws {
        for side in 5..<12 {
            let harness = process()
            answer(harness, forever)
            _ = try await harness.load(request(side: side)).result().get()
            #expect(decodeCount(harness) == 1)
            await harness.manager.engine.cache.disk?.waitForScan()
            await harness.manager.flush()
            bench.clock.advance(by: 1)
        }

        #expect(thumbnails.count == 4)
    }

    @Test func `thumbnails that two processes stored for one image are reduced to four`()
        async throws
    {
        let processes = [process(), process()]
        for harness in processes {
            answer(harness, forever)
            await harness.manager.engine.cache.disk?.waitForScan()
        }
        for side in 5..<12 {
            let harness = processes[side % 2]
            _ = try await harness.load(request(side: side)).result().get()
            await harness.manager.flush()
        }
        try #require(thumbnails.count > 4)

        let next = await bench.cache()
        await next.flush()

        #expect(thumbnails.count == 4)
    }

    @Test func `the thumbnail of an animation is its first frame, with the number of frames`()
        async throws
    {
        let bytes = PatternDecoder.animation(width: 40) + Array(repeating: 0, count: 5_000)
        let first = try await see(bytes: bytes)
        let harness = process()

        let second = try await harness.load(request()).result().get()

        #expect(second.image == first.image)
        #expect(second.image.properties.frameCount == 3)
        #expect(decodeCount(harness) == 0)
    }

    // MARK: Images without a stored thumbnail

    @Test(arguments: [
        ["cache-control": "no-store"], ["cache-control": "no-store, max-age=100"],
        ["cache-control": "private, no-store"],
    ])
    func `an image with no-store has no thumbnail either`(fields: [String: String]) async throws {
        try await see(request(), fields)

        #expect(bench.bodyNames().isEmpty)
    }

    @Test func `a thumbnail is deleted with the body that its server revokes`() async throws {
        try await see(request(), ["cache-control": "no-cache", "etag": "\"1\""])
        #expect(thumbnails.count == 1)

        try await see(request(), ["cache-control": "no-store"])

        #expect(bench.bodyNames().isEmpty)
    }

    @Test func `an image for memory only leaves nothing on disk`() async throws {
        try await see(request([.keptThumbnails, .cacheMemoryOnly]))

        #expect(bench.bodyNames().isEmpty)
    }

    @Test func `if a hook changes the stored bodies, no thumbnail is stored in clear`() async throws
    {
        try await see { $0.hooks.bodyToStore = { _, bytes in bytes.map { $0 ^ 0x55 } } }

        #expect(thumbnails.isEmpty)
    }

    @Test
    func `no thumbnail is stored of a damaged file, of a tiny one, at full size or processed`()
        async throws
    {
        let truncated = try PNGEncoder.encode(
            PixelBuffer(
                size: PixelSize(width: 90, height: 90),
                bytes: (0..<32_400).map { UInt8(truncatingIfNeeded: $0 &* $0 / 7) | 1 },
                hasAlpha: true
            )
        )
        let damaged = try await see(bytes: Array(truncated.prefix(truncated.count * 2 / 3)))
        #expect(damaged.image.damage != nil)
        try await see(bytes: PatternDecoder.bytes(width: 40, height: 20))
        try await see(ImageRequest(url: url, options: .keptThumbnails))
        var processed = request()
        processed.processors = [.blur(sigma: 2)]
        try await see(processed)

        #expect(thumbnails.isEmpty)
    }

    @Test func `nothing is stored while memory is short, nor when the program ends`() async throws {
        let harness = process()
        answer(harness, forever)
        harness.manager.engine.thumbnails?.isPaused = true
        _ = try await harness.load(request()).result().get()
        await harness.manager.flush()
        #expect(thumbnails.isEmpty)

        harness.manager.engine.thumbnails?.isPaused = false
        harness.manager.stop()
        _ = try await harness.load(request(side: 9)).result().get()
        await harness.manager.flush()
        #expect(thumbnails.isEmpty)
    }
}
