import Decoders
import ImageLoadingTesting
import Testing

@testable import ImageLoading

/// Loads of real images with the option `progressive`; the bodies arrive in parts.
@Suite struct ProgressiveLoadTests {
    private let harness = ManagerHarness()
    private let url = "http://a.example/1.jpg"

    /// An image whose file is larger than the first part that is decoded.
    private static let picture = PixelBuffer(
        size: PixelSize(width: 160, height: 120),
        bytes: (0..<160 * 120).flatMap { index -> [UInt8] in
            let (x, y) = (index % 160, index / 160)
            return [UInt8(x), UInt8(y * 2), UInt8((x &* y &* 7) & 0xFF), 255]
        },
        hasAlpha: false
    )

    private static func jpeg(orientation: Int = 1) throws -> [UInt8] {
        try JPEGEncoder.encode(
            picture,
            quality: 90,
            progressive: true,
            orientation: orientation
        )
    }

    private func request(
        options: LoadingOptions = .progressive,
        processors: [ImageProcessor] = []
    ) -> ImageRequest {
        ImageRequest(
            url: url,
            targetSize: PixelSize(width: 40, height: 40),
            options: options,
            processors: processors
        )
    }

    /// Starts a load and sends the first three fifths of a body; returns the events of the load.
    private func begin(_ request: ImageRequest, _ body: [UInt8]) async -> AsyncStream<LoadEvent> {
        let (events, teller) = AsyncStream<LoadEvent>.makeStream()
        harness.manager.load(request) { event in
            teller.yield(event)
            if case .finished = event { teller.finish() }
        }
        await harness.transport.waitForStarts(1)
        harness.transport.send(
            .head(TransferHead(status: 200, expectedByteCount: body.count)),
            to: url
        )
        harness.transport.send(.chunk(Array(body.prefix(body.count * 3 / 5))), to: url)
        return events
    }

    private func sendRest(of body: [UInt8]) {
        harness.transport.send(.chunk(Array(body.dropFirst(body.count * 3 / 5))), to: url)
        harness.transport.finish(url)
    }

    private func firstImage(
        in events: inout AsyncStream<LoadEvent>.Iterator
    ) async
        -> ImageResponse?
    {
        while let event = await events.next(isolation: nil) {
            switch event {
            case .preview(let response): return response
            case .finished: return nil
            case .queued, .waiting, .progress: continue
            }
        }
        return nil
    }

    // M41, V12, flag progressive
    @Test func `the received part is shown before the end, and then the image`() async throws {
        let body = try Self.jpeg()
        var events = await begin(request(), body).makeAsyncIterator()

        let preview = try #require(await firstImage(in: &events))
        sendRest(of: body)
        var end: ImageResponse?
        while let event = await events.next(isolation: nil) {
            if case .finished(let result) = event { end = try result.get() }
        }

        #expect(preview.isPreview && preview.byteCount < body.count)
        #expect(preview.image.pixels.size == PixelSize(width: 40, height: 30))
        #expect(end?.isPreview == false)
        #expect(end?.image.pixels.hasAlpha == false)
    }

    // F24, flag progressive
    @Test func `a load that joins one without previews gets them, and the other does not`()
        async throws
    {
        let body = try Self.jpeg()
        let plain = harness.load(request(options: []))
        var events = await begin(request(), body).makeAsyncIterator()

        let preview = try #require(await firstImage(in: &events))

        #expect(preview.isPreview)
        #expect(plain.record.images.isEmpty)
        #expect(harness.transport.starts.count == 1)
        harness.manager.cancelAll()
    }

    // M30
    @Test func `a preview is stored in no cache`() async throws {
        let body = try Self.jpeg()
        var events = await begin(request(), body).makeAsyncIterator()

        _ = try #require(await firstImage(in: &events))

        #expect(harness.manager.statistics.memoryCache.entryCount == 0)
        #expect(!harness.manager.isInMemory(request()))
        harness.manager.cancelAll()
    }

    // M30
    @Test func `a preview is processed by the request's processors`() async throws {
        let body = try Self.jpeg()
        let halved = ImageProcessor(identifier: "one pixel") { image, _ in
            DecodedImage(
                pixels: PixelBuffer(
                    size: PixelSize(width: 1, height: 1),
                    bytes: [1, 2, 3, 255],
                    hasAlpha: false
                ),
                properties: image.properties
            )
        }
        var events = await begin(request(processors: [halved]), body).makeAsyncIterator()

        let preview = try #require(await firstImage(in: &events))

        #expect(preview.image.pixels.bytes == [1, 2, 3, 255])
        harness.manager.cancelAll()
    }

    // O6
    @Test(arguments: [1, 6, 8])
    func `a preview is turned as the image will be`(orientation: Int) async throws {
        let body = try Self.jpeg(orientation: orientation)
        var events = await begin(request(), body).makeAsyncIterator()

        let preview = try #require(await firstImage(in: &events))

        let upright = PixelSize(width: 40, height: 30)
        let turned = PixelSize(width: 30, height: 40)
        #expect(preview.image.pixels.size == (orientation == 1 ? upright : turned))
        harness.manager.cancelAll()
    }

    // M16
    @Test(arguments: [[], LoadingOptions.refreshCached])
    func `without the option, or while an image is refreshed, there are no previews`(
        options: LoadingOptions
    ) async throws {
        let body = try Self.jpeg()
        if options.contains(.refreshCached) {
            harness.answerEverything()
            _ = await harness.load(request(options: [])).result()
            harness.transport.answerStarts { _ in nil }
        }
        let progressive =
            options.isEmpty ? request(options: []) : request(options: [options, .progressive])
        let starts = harness.transport.starts.count
        let record = harness.load(progressive)
        await harness.transport.waitForStarts(starts + 1)
        let id = try #require(harness.transport.starts.last)

        harness.transport.respond(to: id.url, chunks: [Array(body.prefix(body.count / 2))])
        _ = await record.result()

        #expect(record.record.images.allSatisfy { !$0.isPreview })
    }
}
