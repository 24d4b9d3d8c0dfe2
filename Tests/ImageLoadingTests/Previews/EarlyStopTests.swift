import Decoders
import ImageLoadingTesting
import Testing

@testable import ImageLoading

/// Loads that end early, because the rest of the body would change nothing.
@Suite(.timeLimit(.minutes(5))) struct EarlyStopTests {
    private let bench: CacheBench
    private let harness: ManagerHarness
    private let url = "http://a.example/1.jpg"
    private let body: [UInt8]
    /// The number of bytes up to and including the marker after the DC scan.
    private let enough: Int

    init() throws {
        bench = try CacheBench()
        harness = ManagerHarness(disk: DiskCacheConfiguration(directory: bench.directory))
        body = try ProgressiveFile.bytes()
        enough = try #require(ProgressiveFile.firstScanEnd(of: body)) + 2
    }

    private func request(
        _ side: Int? = 20,
        options: LoadingOptions = .stopWhenSufficient
    ) -> ImageRequest {
        ImageRequest(
            url: url,
            targetSize: side.map { PixelSize(width: $0, height: $0) },
            options: options
        )
    }

    private func picture(_ side: Int?) throws -> DecodedImage {
        try DecoderRegistry.standard.decode(
            body,
            options: DecodingOptions(targetSize: request(side).targetSize)
        )
    }

    /// Answers the transfer with the first bytes, without ending it.
    private func sendBeginning(fresh: Bool = true) {
        var headers = ["etag": "\"v\"", "accept-ranges": "bytes"]
        if fresh { headers["cache-control"] = "max-age=3600" }
        harness.transport.send(
            .head(TransferHead(status: 200, expectedByteCount: body.count, headers: headers)),
            to: url
        )
        harness.transport.send(.chunk(Array(body.prefix(enough))), to: url)
    }

    private func sendRest() {
        harness.transport.send(.chunk(Array(body.dropFirst(enough))), to: url)
        harness.transport.finish(url)
    }

    /// Loads a thumbnail up to its early end.
    private func loadBeginning(fresh: Bool = true) async throws -> ImageResponse {
        let load = harness.load(request())
        await harness.transport.waitForStarts(1)
        sendBeginning(fresh: fresh)
        return try await load.result().get()
    }

    @Test func `a thumbnail ends with the DC scan, and is the whole file's`() async throws {
        let response = try await loadBeginning()
        await harness.transport.waitForCancels(1)

        #expect(try response.image == picture(20))
        #expect(response.byteCount == enough && response.source == .network)
        #expect(response.httpStatus == 200 && !response.isPreview)
        #expect(harness.manager.isInMemory(request()))
        let statistics = harness.manager.statistics
        #expect(statistics.transfersStoppedEarly == 1)
        #expect(statistics.bytesNotNeeded == body.count - enough)
        #expect(statistics.bytesReceived == enough && statistics.bytesSaved == 0)
        #expect(statistics.started == 1 && statistics.succeeded == 1)
        #expect(statistics.liveTransfers == 0)
    }

    @Test func `the same thumbnail is decoded from the first bytes on disk, without network`()
        async throws
    {
        _ = try await loadBeginning()
        harness.manager.clearMemory()

        let again = try await harness.load(request()).result().get()

        #expect(again.source == .disk && !again.isStale)
        #expect(try again.image == picture(20))
        #expect(harness.transport.starts.count == 1)
        #expect(await !harness.manager.isOnDisk(request()))
    }

    // F26
    @Test(arguments: [nil, 400])
    func `a larger thumbnail requests the rest, and completes the file`(side: Int?) async throws {
        _ = try await loadBeginning()

        let load = harness.load(request(side))
        await harness.transport.waitForStarts(2)
        let asked = try #require(harness.transport.starts.last)
        #expect(asked.headers.contains(HeaderField("Range", "bytes=\(enough)-")))
        harness.transport.send(
            .head(
                TransferHead(
                    status: 206,
                    expectedByteCount: body.count - enough,
                    headers: [
                        "etag": "\"v\"",
                        "content-range": "bytes \(enough)-\(body.count - 1)/\(body.count)",
                    ]
                )
            ),
            to: url
        )
        sendRest()

        #expect(try await load.result().get().image == picture(side))
        #expect(harness.manager.statistics.bytesReceived == body.count)
        await harness.manager.flush()
        #expect(await harness.manager.isOnDisk(request()))
    }

    @Test func `a stored beginning that is stale is not used without revalidation`() async throws {
        _ = try await loadBeginning()
        harness.manager.clearMemory()
        harness.clock.advance(by: .seconds(4000))

        let load = harness.load(request())
        await harness.transport.waitForStarts(2)
        harness.transport.send(
            .head(
                TransferHead(
                    status: 206,
                    expectedByteCount: body.count - enough,
                    headers: [
                        "etag": "\"v\"", "cache-control": "max-age=3600",
                        "content-range": "bytes \(enough)-\(body.count - 1)/\(body.count)",
                    ]
                )
            ),
            to: url
        )

        // The response confirms the body, and no further bytes are needed.
        #expect(try await load.result().get().image == picture(20))
        harness.manager.clearMemory()
        #expect(try await harness.load(request()).result().get().source == .disk)
        #expect(harness.manager.statistics.bytesReceived == enough)
    }

    // M13, M19
    @Test func `offline, and when the server fails, stale first bytes are used`() async throws {
        _ = try await loadBeginning()
        harness.manager.clearMemory()
        harness.clock.advance(by: .seconds(4000))

        let offline = request(options: [.stopWhenSufficient, .fromCacheOnly])
        #expect(try await harness.load(offline).result().get().isStale)

        harness.manager.clearMemory()
        let load = harness.load(request())
        await harness.transport.waitForStarts(2)
        let lost = ImageLoadingError.transfer(.noConnection, "x")
        harness.transport.fail(url, with: lost)
        #expect(try await load.result().get().isStale)
    }

    // F24
    @Test func `a second size that needs more keeps the transfer, and both succeed`() async throws {
        let small = harness.load(request(20))
        let large = harness.load(request(400))
        await harness.transport.waitForStarts(1)
        await harness.waitForSharedTransfer()
        sendBeginning()
        #expect(try await small.result().get().image == picture(20))
        #expect(harness.transport.record.cancelledURLs.isEmpty)

        sendRest()

        #expect(try await large.result().get().image == picture(400))
        #expect(harness.transport.starts.count == 1)
        #expect(harness.manager.statistics.transfersStoppedEarly == 0)
    }

    @Test(arguments: [20, nil, 400] as [Int?])
    func `without the option, at full size or for a large view the whole is received`(
        side: Int?
    ) async throws {
        let options: LoadingOptions =
            side == 20 ? .progressive : [.stopWhenSufficient, .progressive]
        let load = harness.load(request(side, options: options))
        await harness.transport.waitForStarts(1)
        sendBeginning()
        #expect(!load.operation.isFinished)

        sendRest()

        #expect(try await load.result().get().byteCount == body.count)
        #expect(harness.manager.statistics.transfersStoppedEarly == 0)
    }

    @Test func `warming the disk loads the whole body`() async throws {
        let record = EventRecord()
        harness.manager.warmDisk(request()) { record.add($0) }
        await harness.transport.waitForStarts(1)
        sendBeginning()
        sendRest()

        _ = try await record.result().get()
        await harness.manager.flush()
        #expect(await harness.manager.isOnDisk(request()))
    }

    @Test func `a load without the option does not use a beginning as the body`() async throws {
        _ = try await loadBeginning()
        harness.manager.clearMemory()

        let load = harness.load(request(options: []))
        await harness.transport.waitForStarts(2)
        load.operation.cancel()

        #expect(await load.result() == .failure(.cancelled))
    }

    // M15
    @Test func `a refresh ends with a whole body`() async throws {
        _ = try await loadBeginning()
        harness.manager.clearMemory()

        let load = harness.load(request(options: [.stopWhenSufficient, .refreshCached]))
        await harness.transport.waitForStarts(2)
        let head = TransferHead(
            status: 200,
            expectedByteCount: body.count,
            headers: ["etag": "\"w\""]
        )
        harness.transport.send(.head(head), to: url)
        sendRest(of: body)

        #expect(try await load.result().get().byteCount == body.count)
    }

    private func sendRest(of body: [UInt8]) {
        harness.transport.send(.chunk(body), to: url)
        harness.transport.finish(url)
    }

    // M28
    @Test func `a thumbnail with a processor ends early too`() async throws {
        let inverted = ImageProcessor(identifier: "inverted") { image, _ in
            DecodedImage(
                pixels: PixelBuffer(
                    size: image.pixels.size,
                    bytes: image.pixels.bytes.map { ~$0 },
                    hasAlpha: true
                ),
                properties: image.properties
            )
        }
        var request = request()
        request.processors = [inverted]
        let load = harness.load(request)
        await harness.transport.waitForStarts(1)
        sendBeginning()

        let response = try await load.result().get()

        #expect(try response.image.pixels.bytes == picture(20).pixels.bytes.map { ~$0 })
        #expect(harness.manager.statistics.transfersStoppedEarly == 1)
    }
}
