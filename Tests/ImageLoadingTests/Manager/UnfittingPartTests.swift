import ImageLoadingTesting
import Testing

@testable import ImageLoading

/// A partial body from an earlier run that does not form an image with the rest, because the server
/// uses the same strong tag for different bytes.
@Suite(.timeLimit(.minutes(5))) struct UnfittingPartTests {
    private let bench: CacheBench
    private let harness: ManagerHarness
    private let url = "http://a.example/1.png"
    private let image = PatternDecoder.bytes(width: 2, height: 2)
    private let headers = ["etag": "\"v\"", "accept-ranges": "bytes"]

    init() throws {
        let bench = try CacheBench()
        self.bench = bench
        harness = ManagerHarness(disk: DiskCacheConfiguration(directory: bench.directory))
    }

    /// Stores one byte that does not belong to the image.
    private func keepBadPart() async throws -> DiskCache {
        let disk = try #require(harness.manager.engine.cache.disk)
        let part = PartialBody(bytes: [0xEE], validator: "\"v\"", totalByteCount: image.count)
        disk.storePartial(
            part.bytes,
            metadata: part.metadata,
            for: try ImageURL(parsing: url, origin: .local)
        )
        await disk.flush()
        return disk
    }

    /// Answers requests for a range with the rest, and others with `whole`.
    private func answer(whole: [UInt8]) {
        harness.transport.answerStarts { [image, headers] request in
            let isRest = request.headers.contains { $0.isNamed("Range") }
            let bytes = isRest ? Array(image.dropFirst()) : whole
            var fields = headers
            if isRest { fields["content-range"] = "bytes 1-\(image.count - 1)/\(image.count)" }
            let head = TransferHead(
                status: isRest ? 206 : 200,
                expectedByteCount: bytes.count,
                headers: fields
            )
            return ScriptedAnswer(events: [.head(head), .chunk(bytes), .finished(nil)])
        }
    }

    private var askedForRest: [Bool] {
        harness.transport.starts.map { $0.headers.contains { $0.isNamed("Range") } }
    }

    @Test func `the whole is requested immediately, and the part is deleted`() async throws {
        let disk = try await keepBadPart()
        answer(whole: image)

        _ = try await harness.load(url).result().get()

        #expect(askedForRest == [true, false])
        await harness.manager.flush()
        #expect(await disk.partial(for: try ImageURL(parsing: url, origin: .local)) == nil)
        #expect(harness.manager.statistics.rememberedFailures == 0)
    }

    @Test func `a whole response that is not an image is requested once`() async throws {
        let disk = try await keepBadPart()
        answer(whole: [UInt8](repeating: 0xEE, count: image.count))

        let result = await harness.load(url).result()

        #expect(throws: ImageLoadingError.self) { try result.get() }
        #expect(askedForRest == [true, false])
        await harness.manager.flush()
        #expect(await disk.partial(for: try ImageURL(parsing: url, origin: .local)) == nil)
    }
}
