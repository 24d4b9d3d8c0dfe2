import Decoders
import ImageLoadingTesting
import Testing

@testable import ImageLoading

/// Loads of files that were received completely, but are damaged or truncated.
@Suite(.timeLimit(.minutes(5))) struct DamagedLoadTests {
    private let bench: CacheBench
    private let harness: ManagerHarness
    private let url = "http://a.example/1.png"
    /// The file without its last rows.
    private let cut: [UInt8]
    /// The complete file.
    private let whole: [UInt8]

    init() throws {
        let bench = try CacheBench()
        self.bench = bench
        harness = ManagerHarness(disk: DiskCacheConfiguration(directory: bench.directory))
        let size = PixelSize(width: 40, height: 40)
        let bytes = (0..<size.pixelCount).flatMap { index -> [UInt8] in
            [UInt8(truncatingIfNeeded: index &* 37), UInt8(truncatingIfNeeded: index), 90, 255]
        }
        whole = try PNGEncoder.encode(PixelBuffer(size: size, bytes: bytes, hasAlpha: false))
        cut = Array(whole.prefix(whole.count * 6 / 10))
    }

    private func answer(_ head: TransferHead, _ body: [UInt8]) {
        harness.transport.answerStarts { _ in
            ScriptedAnswer(events: [.head(head), .chunk(body), .finished(nil)])
        }
    }

    private func answer(_ body: [UInt8]) {
        answer(TransferHead(status: 200, expectedByteCount: body.count), body)
    }

    @Test func `the available part of an image is shown, with its damage`() async throws {
        answer(cut)

        let response = try await harness.load(url).result().get()
        let again = try await harness.load(url).result().get()

        #expect(response.image.damage == .truncated(.png))
        #expect(response.image.pixels.bytes.first == 0 && response.image.pixels.hasAlpha)
        #expect(again.source == .memory && again.image.damage == .truncated(.png))
        #expect(harness.manager.statistics.rememberedFailures == 0)
    }

    @Test func `from disk it is equally damaged`() async throws {
        answer(cut)
        _ = try await harness.load(url).result().get()
        await harness.manager.flush()
        harness.manager.clearMemory()

        let response = try await harness.load(url).result().get()

        #expect(response.source == .disk)
        #expect(response.image.damage == .truncated(.png))
        #expect(harness.transport.starts.count == 1)
    }

    @Test func `a request may refuse damage, without effect on others`() async throws {
        answer(cut)
        let strict = ImageRequest(url: url, options: .refuseDamaged)
        _ = try await harness.load(url).result().get()

        let refused = await harness.load(strict).result()
        let shown = await harness.load(url).result()

        #expect(refused.failure?.reason == .decoding(.truncated(.png)))
        #expect(try shown.get().image.damage == .truncated(.png))
        #expect(harness.manager.statistics.rememberedFailures == 0)
    }

    @Test func `a processed image is as damaged as the file, and is not kept on disk`()
        async throws
    {
        answer(cut)
        var request = ImageRequest(url: url, options: .keepProcessedOnDisk)
        request.processors = [.flip(.horizontal)]

        let response = try await harness.load(request).result().get()
        await harness.manager.flush()

        #expect(response.image.damage == .truncated(.png))
        let disk = try #require(harness.manager.engine.cache.disk)
        let key = try harness.manager.engine.resolver.key(for: request)
        #expect(await disk.image(for: key.image, of: key.url, priority: .high) == nil)
    }

    /// In HTTP/1.1, a body without a length ends only with its connection, which may have ended too
    /// early.
    @Test(arguments: [
        ("1.1", [:], false), ("1.1", ["transfer-encoding": "chunked"], true), ("2", [:], true),
    ])
    func `a possible transfer fault is shown and not stored`(
        version: String,
        headers: [String: String],
        isKept: Bool
    ) async throws {
        let head = TransferHead(
            status: 200,
            expectedByteCount: nil,
            headers: headers,
            httpVersion: version
        )
        answer(head, cut)

        let response = try await harness.load(url).result().get()
        await harness.manager.flush()

        #expect(response.image.damage == .truncated(.png))
        let levels = await harness.manager.cacheLevels(of: ImageRequest(url: url))
        #expect(levels == (isKept ? [.memory, .disk] : []))
    }

    @Test func `two parts that make a damaged image are discarded, and the whole is loaded`()
        async throws
    {
        let disk = try #require(harness.manager.engine.cache.disk)
        let half = whole.count / 2
        let part = PartialBody(
            bytes: [UInt8](whole[..<(half - 40)]) + [UInt8](repeating: 0xEE, count: 40),
            validator: "\"v\"",
            totalByteCount: whole.count
        )
        disk.storePartial(
            part.bytes,
            metadata: part.metadata,
            for: try ImageURL(parsing: url, origin: .local)
        )
        await disk.flush()
        harness.transport.answerStarts { [whole] request in
            let isRest = request.headers.contains { $0.isNamed("Range") }
            let bytes = isRest ? Array(whole[half...]) : whole
            var fields = ["etag": "\"v\"", "accept-ranges": "bytes"]
            if isRest {
                fields["content-range"] = "bytes \(half)-\(whole.count - 1)/\(whole.count)"
            }
            let head = TransferHead(
                status: isRest ? 206 : 200,
                expectedByteCount: bytes.count,
                headers: fields
            )
            return ScriptedAnswer(events: [.head(head), .chunk(bytes), .finished(nil)])
        }

        let response = try await harness.load(url).result().get()

        #expect(response.image.damage == nil)
        #expect(harness.transport.starts.count == 2)
    }
}
