import ImageLoadingTesting
import SystemSupport
import Testing

@testable import ImageLoading

/// Sources of the program whose images the engine reads itself.
struct DataSourceLocationTests {
    /// Bytes on this machine.
    private struct Local: LocalImageData {
        let content: [UInt8]
        let container: ImageContainer?
        var byteCount: Int { content.count }

        func bytes(maximumByteCount: Int) throws(ImageLoadingError) -> [UInt8] {
            guard content.count <= maximumByteCount else {
                throw ImageLoadingError(
                    stage: .cache,
                    kind: .permanent,
                    reason: .tooLarge(limit: maximumByteCount)
                )
            }
            return content
        }
    }

    /// An extractor that inverts each byte, and drops the rest of the range.
    private struct Inverter: ImageDataExtractor {
        var missing: Int
        let isDamaged: Bool

        mutating func extract(from bytes: [UInt8]) throws(ImageLoadingError) -> [UInt8] {
            let own = bytes.prefix(missing).map { ~$0 }
            missing -= own.count
            return own
        }

        func finish() throws(ImageLoadingError) {
            if isDamaged { throw .download(.dataSource("bad checksum")) }
        }
    }

    private struct Source: ImageDataSource {
        let location: ImageDataLocation
        var isAvailableToRemoteFeeds = false
        var current: String?

        func location(of url: ImageURL) throws(ImageLoadingError) -> ImageDataLocation {
            guard !url.absoluteString.hasSuffix("nothing") else {
                throw ImageLoadingError(
                    stage: .request,
                    kind: .permanent,
                    reason: .invalidURL("names nothing")
                )
            }
            return location
        }

        func currentURL(
            of url: ImageURL,
            reading network: NetworkReader
        ) async throws(ImageLoadingError) -> String? { current }
    }

    private let bench: CacheBench
    private let picture = PatternDecoder.bytes(width: 2, height: 2)

    init() throws {
        bench = try CacheBench()
    }

    private func harness(_ source: Source, scheme: String) -> ManagerHarness {
        ManagerHarness(disk: DiskCacheConfiguration(directory: bench.directory)) {
            $0.sources[scheme] = source
        }
    }

    private func part(isDamaged: Bool = false) -> NetworkPart {
        let count = picture.count
        return NetworkPart(
            of: "http://h.example/all.bin",
            range: 10..<10 + count + 5,
            byteCount: count,
            validator: "\"v1\"",
            resourceByteCount: 900,
            resourceName: "the box",
            makeExtractor: { Inverter(missing: count, isDamaged: isDamaged) }
        )
    }

    /// Returns the response of a server that has this version of the resource.
    private func answer(version: String, total: Int = 900) -> ScriptedAnswer {
        let bytes = picture.map { ~$0 } + [1, 2, 3, 4, 5]
        let headers = [
            "content-range": "bytes 10-\(9 + bytes.count)/\(total)", "etag": "\"\(version)\"",
        ]
        let head = TransferHead(status: 206, expectedByteCount: bytes.count, headers: headers)
        return ScriptedAnswer(events: [.head(head), .chunk(bytes), .finished(nil)])
    }

    @Test func `an image on this machine is read by the engine and not stored on disk`()
        async throws
    {
        let local = Local(content: picture, container: nil)
        let harness = harness(Source(location: .local(local)), scheme: "box")

        let response = try await harness.load("box:1").result().get()
        await harness.manager.flush()

        #expect(response.image.pixels.size.width == 2)
        #expect(response.source == .disk)
        #expect(harness.transport.starts.isEmpty)
        #expect(await harness.manager.isOnDisk(ImageRequest(url: "box:1")) == false)
    }

    @Test func `a URL that names no image fails before anything is read`() async throws {
        let local = Local(content: picture, container: nil)
        let harness = harness(Source(location: .local(local)), scheme: "box")

        let result = await harness.load("box:nothing").result()

        #expect(throws: ImageLoadingError.self) { try result.get() }
    }

    @Test func `a part is requested as a range and extracted`() async throws {
        let harness = harness(Source(location: .part(part())), scheme: "box+http")
        harness.transport.answerStarts { _ in answer(version: "v1") }

        let response = try await harness.load("box+http://h.example/all.bin!1").result().get()

        let request = try #require(harness.transport.starts.first)
        func field(_ name: String) -> String? {
            request.headers.first { $0.isNamed(name) }?.value
        }
        #expect(response.image.pixels.size.width == 2)
        #expect(request.url == "http://h.example/all.bin")
        #expect(field("Range") == "bytes=10-\(9 + picture.count + 5)")
        #expect(field("If-Range") == "\"v1\"")
    }

    @Test func `a check that fails at the end of a part fails the load`() async throws {
        let source = Source(location: .part(part(isDamaged: true)))
        let harness = harness(source, scheme: "box+http")
        harness.transport.answerStarts { _ in answer(version: "v1") }

        let result = await harness.load("box+http://h.example/all.bin!1").result()

        #expect(throws: ImageLoadingError.download(.dataSource("bad checksum"))) {
            try result.get()
        }
    }

    // A different version, according to its validator or its length.
    @Test(arguments: [("v2", 900), ("v1", 901)])
    func `a part of another version is refused, and the source is asked for the present URL`(
        version: String,
        total: Int
    ) async throws {
        let url = "box+http://h.example/all.bin!1"
        let answered = answer(version: version, total: total)
        let refusing = harness(Source(location: .part(part())), scheme: "box+http")
        refusing.transport.answerStarts { _ in answered }

        let result = await refusing.load(url).result()

        let text = "the box has changed on its server; open it again"
        #expect(throws: ImageLoadingError.download(.changedResource(text))) { try result.get() }

        let source = Source(location: .part(part()), current: "http://h.example/new.png")
        let finding = harness(source, scheme: "box+http")
        finding.transport.answerStarts { request in
            request.url.hasSuffix("new.png") ? .body(picture) : answered
        }
        let found = try await finding.load(url).result().get()
        #expect(found.image.pixels.size.width == 2)
    }

    @Test(arguments: [false, true])
    func `a feed from the network names only schemes that permit it`(isAvailable: Bool) throws {
        let source = Source(location: .written, isAvailableToRemoteFeeds: isAvailable)
        let url = try? ImageURL(parsing: "box:1", origin: .remoteFeed, sources: ["box": source])

        #expect((url != nil) == isAvailable)
    }
}
