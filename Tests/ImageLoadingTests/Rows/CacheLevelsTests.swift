import Decoders
import Foundation
import ImageLoadingTesting
import Testing

@testable import ImageLoading

/// Which level answers, and which entries a load leaves in each.
struct CacheLevelsTests {
    private let bench: CacheBench
    private let harness: ManagerHarness
    private let url = "http://a.example/1.png"

    init() throws {
        bench = try CacheBench()
        harness = ManagerHarness(
            disk: DiskCacheConfiguration(directory: bench.directory),
            decoders: [ThreadNotingDecoder()]
        )
        harness.answerEverything()
    }

    // C1, C14, C34, M13, M32
    @Test func `network, memory, disk and memory again are used in this order`() async throws {
        var sources: [ImageSource] = []
        for isMemoryCleared in [false, false, true, false] {
            if isMemoryCleared { harness.manager.clearMemory() }
            sources.append(try await harness.load(url).result().get().source)
        }

        #expect(sources == [.network, .memory, .disk, .memory])
        #expect(harness.transport.starts.count == 1)
        #expect(!harness.manager.isRunning)
    }

    // M26
    @Test func `with cacheMemoryOnly nothing is written to disk`() async throws {
        _ = try await harness.load(url, options: .cacheMemoryOnly).result().get()
        await harness.manager.flush()

        #expect(bench.fileNames().isEmpty)
        #expect(try await harness.load(url).result().get().source == .memory)
    }

    // M31
    @Test func `when the end is delivered, the image is in memory already`() async {
        let (manager, url) = (harness.manager, url)
        let second = EventRecord()

        manager.load(ImageRequest(url: url)) { event in
            guard case .finished = event else { return }
            manager.load(ImageRequest(url: url)) { second.add($0) }
        }

        #expect(await second.result().success?.source == .memory)
    }

    // C5
    @Test func `with a budget that is too small, images from disk stay out of memory`()
        async throws
    {
        let harness = ManagerHarness(
            disk: DiskCacheConfiguration(directory: bench.directory),
            memoryByteLimit: 1
        )
        harness.answerEverything()

        // The memory cache finds an image that another thread still holds.
        let isHeld = { [url] in harness.manager.imageInMemory(for: ImageRequest(url: url)) != nil }
        var sources: [ImageSource] = []
        for _ in 0..<3 {
            sources.append(try await harness.load(url).result().get().source)
            await waitWhile(isHeld())
        }

        #expect(sources == [.network, .disk, .disk])
    }

    // C33, D20
    @Test func `images are decoded on the decode threads, never on the caller's`() async {
        harness.transport.answerStarts { _ in .body(ThreadNotingDecoder.magic) }

        let error = await harness.load(url).result().failure

        guard case .decoding(.corrupt(_, let thread)) = error?.reason else {
            Issue.record("not decoded: \(String(describing: error))")
            return
        }
        #expect(thread.hasPrefix("decode-"))
    }
}

/// A decoder for an invented format, which records the name of the thread that it runs on.
private struct ThreadNotingDecoder: ImageDecoder {
    static let magic = Array("THREAD".utf8)

    var format: ImageFormat { .png }

    func canDecode(_ prefix: [UInt8]) -> Bool { prefix.starts(with: Self.magic) }

    func probe(_ bytes: [UInt8]) throws(ImageDecodingError) -> ImageProperties { throw .empty }

    func decode(
        _ bytes: [UInt8],
        options: DecodingOptions
    ) throws(ImageDecodingError) -> DecodedImage {
        let name = try? String(contentsOfFile: "/proc/thread-self/comm", encoding: .utf8)
        throw .corrupt(.png, name ?? "unknown")
    }
}
