import Decoders
import ImageLoading
import ImageLoadingTesting
import SystemSupport
import Testing

struct ProcessorTests {
    private let harness = ManagerHarness()
    private let url = "http://a.example/1.png"

    /// Returns a processor that makes an image wider by `count` pixels and logs that it did.
    private func widen(by count: Int, log: Protected<[Int]>? = nil) -> ImageProcessor {
        ImageProcessor(identifier: "widen(\(count))") { image, _ in
            log?.withLock { $0.append(count) }
            let size = PixelSize(
                width: image.pixels.size.width + count,
                height: image.pixels.size.height
            )
            let bytes = [UInt8](repeating: 9, count: size.pixelCount * 4)
            return DecodedImage(
                pixels: PixelBuffer(size: size, bytes: bytes, hasAlpha: false),
                properties: image.properties
            )
        }
    }

    private func width(_ processors: [ImageProcessor]) async throws -> Int {
        let request = ImageRequest(url: url, processors: processors)
        return try await harness.load(request).result().get().image.pixels.size.width
    }

    @Test func `M27: processors run one after the other, in their order`() async throws {
        harness.answerEverything()
        let log = Protected<[Int]>([])

        let width = try await width([widen(by: 3, log: log), widen(by: 5, log: log)])

        #expect(width == 2 + 3 + 5)
        #expect(log.withLock { $0 } == [3, 5])
    }

    @Test func `M28: results are stored under their processors, and the original under none`()
        async throws
    {
        harness.answerEverything()
        #expect(try await width([widen(by: 3)]) == 5)
        #expect(try await width([]) == 2)
        let log = Protected<[Int]>([])

        #expect(try await width([widen(by: 3, log: log)]) == 5)
        #expect(try await width([]) == 2)

        #expect(log.withLock { $0 } == [])
        #expect(harness.transport.starts.count == 2)
    }

    @Test func `M28: the disk keeps the original bytes`() async throws {
        let bench = try CacheBench()
        let harness = ManagerHarness(disk: DiskCacheConfiguration(directory: bench.directory))
        harness.answerEverything()
        let processed = ImageRequest(url: url, processors: [widen(by: 3)])
        _ = try await harness.load(processed).result().get()
        await harness.manager.flush()

        let plain = try await harness.load(url).result().get()

        #expect(plain.source == .disk)
        #expect(plain.image.pixels.size.width == 2)
    }

    @Test func `M29: a processor without a result is an error, which is not remembered`() async {
        harness.answerEverything()
        let broken = ImageProcessor(identifier: "broken") { _, _ in nil }

        let error = await harness.load(ImageRequest(url: url, processors: [broken])).result()
            .failure

        #expect(error?.stage == .process)
        #expect(error?.reason == .processing("broken"))
        #expect(harness.manager.statistics.rememberedFailures == 0)
        #expect(harness.manager.statistics.memoryCache.entryCount == 0)
    }

    // transformAnimatedImage
    @Test(arguments: [false, true])
    func `M27: an animated image is processed only if that is asked for`(
        isAsked: Bool
    )
        async throws
    {
        harness.transport.answerStarts { _ in .body(PatternDecoder.animation(width: 2)) }
        let request = ImageRequest(
            url: url,
            options: isAsked ? .transformAnimatedImage : [],
            processors: [widen(by: 3)]
        )

        let width = try await harness.load(request).result().get().image.pixels.size.width

        #expect(width == (isAsked ? 5 : 2))
    }

    @Test(.timeLimit(.minutes(5)))
    func `a load that is cancelled while a processor runs ends the chain`() async {
        harness.answerEverything()
        let (entered, second) = (AsyncGate(), Protected(false))
        let waiting = ImageProcessor(identifier: "waiting") { image, isCancelled in
            entered.open()
            while !isCancelled() { continue }
            return image
        }
        let next = ImageProcessor(identifier: "next") { image, _ in
            second.withLock { $0 = true }
            return image
        }
        let load = harness.load(ImageRequest(url: url, processors: [waiting, next]))
        await entered.pass()

        load.operation.cancel()

        await waitWhile(harness.manager.statistics.decodesSaved == 0)
        #expect(!second.withLock { $0 })
        #expect(harness.manager.statistics.memoryCache.entryCount == 0)
    }
}
