import ImageLoadingTesting
import SystemSupport
import Testing

@testable import ImageLoading

/// Images from one of the program's own sources.
struct DataSourceTests {
    /// A source that reads from a dictionary, waits at a gate, and records each read.
    private final class Shelf: ImageDataSource {
        struct Missing: Error, CustomStringConvertible {
            let description = "no such member"
        }

        let members: [String: [UInt8]]
        let reads = Protected<[String]>([])
        let gate: AsyncGate?

        init(_ members: [String: [UInt8]], gate: AsyncGate? = nil) {
            self.members = members
            self.gate = gate
        }

        func read(_ url: ImageURL, into body: ImageDataWriter) async throws {
            reads.withLock { $0.append(url.absoluteString) }
            await gate?.pass()
            try Task.checkCancellation()
            guard let member = members[url.absoluteString] else { throw Missing() }
            body.announce(byteCount: member.count)
            for byte in member { body.write([byte]) }
        }
    }

    private let bench: CacheBench
    private let url = "shelf:photos/1.png"

    init() throws {
        bench = try CacheBench()
    }

    private func harness(_ shelf: Shelf) -> ManagerHarness {
        ManagerHarness(disk: DiskCacheConfiguration(directory: bench.directory)) {
            $0.sources["shelf"] = shelf
        }
    }

    private func filled(_ gate: AsyncGate? = nil) -> Shelf {
        Shelf([url: PatternDecoder.bytes(width: 2, height: 2)], gate: gate)
    }

    @Test func `an image is loaded from its scheme's source, and then from the caches`()
        async throws
    {
        let shelf = filled()
        let first = harness(shelf)

        let response = try await first.load(url).result().get()
        let again = try await first.load(url).result().get()
        await first.manager.flush()
        let second = harness(shelf)
        let restarted = try await second.load(url).result().get()

        #expect(response.image.pixels.size.width == 2)
        #expect(response.source == .network)
        #expect(again.source == .memory)
        #expect(restarted.source == .disk)
        #expect(shelf.reads.withLock { $0 } == [url])
        #expect(first.transport.starts.isEmpty)
    }

    @Test(.timeLimit(.minutes(5)))
    func `loads of two sizes share one read`() async throws {
        let gate = AsyncGate()
        let shelf = filled(gate)
        let harness = harness(shelf)
        let small = harness.load(
            ImageRequest(url: url, targetSize: PixelSize(width: 1, height: 1))
        )
        let full = harness.load(url)
        await harness.waitForSharedTransfer()

        gate.open()

        _ = try await small.result().get()
        _ = try await full.result().get()
        #expect(shelf.reads.withLock { $0.count } == 1)
    }

    @Test(.timeLimit(.minutes(5)))
    func `cancelling the load cancels the read`() async {
        let gate = AsyncGate()
        let shelf = filled(gate)
        let harness = harness(shelf)
        let load = harness.load(url)
        await waitWhile(shelf.reads.withLock({ $0.isEmpty }))

        load.operation.cancel()
        gate.open()

        #expect(await load.result() == .failure(.cancelled))
        #expect(!harness.manager.isRunning)
    }

    @Test func `a source's own error is reported for the load, with its text`() async {
        let harness = harness(Shelf([:]))

        guard case .failure(let error) = await harness.load(url).result() else {
            Issue.record("an image that is not there")
            return
        }

        #expect(error.reason == .dataSource("no such member"))
        #expect(error.kind == .permanent)
    }

    @Test func `a body over the limit is an error`() async {
        let large = Shelf([url: Array(repeating: 1, count: 11)])
        let harness = ManagerHarness {
            $0.sources["shelf"] = large
            $0.downloader.maximumByteCount = 10
        }

        guard case .failure(let error) = await harness.load(url).result() else {
            Issue.record("a body that is too large")
            return
        }

        #expect(error.reason == .tooLarge(limit: 10))
    }

    @Test func `a feed from the network cannot use a source's scheme`() async {
        let harness = harness(filled())

        let load = harness.load(ImageRequest(url: url, origin: .remoteFeed))

        #expect(await load.result().failure?.reason == .forbiddenScheme("shelf"))
    }

    @Test func `a scheme without a source is refused`() async {
        let harness = ManagerHarness()

        let load = harness.load(url)

        #expect(await load.result().failure?.reason == .forbiddenScheme("shelf"))
    }
}
