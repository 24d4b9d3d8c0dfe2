import Decoders
import Glibc
import ImageLoadingTesting
import Testing

@testable import ImageLoading

/// When and how often a load looks up the partial body that an earlier load stored on disk.
@Suite(.timeLimit(.minutes(5))) struct PartialLookupTests {
    private let bench: CacheBench
    private let harnesses: [ManagerHarness]
    private let url = "http://a.example/1.jpg"
    private let body: [UInt8]
    private let enough: Int

    init() throws {
        let bench = try CacheBench()
        self.bench = bench
        harnesses = (0..<2).map { _ in
            ManagerHarness(disk: DiskCacheConfiguration(directory: bench.directory))
        }
        body = try ProgressiveFile.bytes()
        enough = try #require(ProgressiveFile.firstScanEnd(of: body)) + 2
    }

    private func request(_ side: Int) -> ImageRequest {
        ImageRequest(
            url: url,
            targetSize: PixelSize(width: side, height: side),
            options: .stopWhenSufficient
        )
    }

    /// If the partial body is replaced by a directory, each lookup counts as a failure.
    @Test func `a cold load looks for a partial body once`() async throws {
        let disk = try #require(harnesses[0].manager.engine.cache.disk)
        let name = disk.key(of: try ImageURL(parsing: url, origin: .local)).partial
        disk.directory.make()
        mkdir(disk.directory.path(of: .entry(name)), 0o700)
        harnesses[0].transport.answerStarts { [body] _ in
            ScriptedAnswer(events: [
                .head(TransferHead(status: 200, expectedByteCount: body.count)), .chunk(body),
                .finished(nil),
            ])
        }

        _ = try await harnesses[0].load(request(20)).result().get()

        #expect(disk.failures.readCount == 1)
    }

    // F26
    @Test func `another process's partial body is resumed after waiting for its lease`()
        async throws
    {
        let small = harnesses[0].load(request(20))
        await harnesses[0].transport.waitForStarts(1)
        let large = harnesses[1].load(request(400))
        // The load has looked up the partial body and now waits.
        await waitWhile(harnesses[1].clock.alarmCount == 0)

        let head = TransferHead(
            status: 200,
            expectedByteCount: body.count,
            headers: ["etag": "\"v\"", "accept-ranges": "bytes"]
        )
        harnesses[0].transport.send(.head(head), to: url)
        harnesses[0].transport.send(.chunk(Array(body.prefix(enough))), to: url)
        _ = try await small.result().get()
        await harnesses[1].transport.waitForStarts(1)

        let asked = try #require(harnesses[1].transport.starts.first)
        #expect(asked.headers.contains(HeaderField("Range", "bytes=\(enough)-")))
        large.operation.cancel()
    }
}
