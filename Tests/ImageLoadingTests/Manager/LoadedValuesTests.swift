import Decoders
import ImageLoadingTesting
import Testing

@testable import ImageLoading

/// `manager.previews(for:)` and `manager.progress(for:)`.
struct LoadedValuesTests {
    private let harness = ManagerHarness()
    private let url = "http://a.example/1.jpg"
    private var request: ImageRequest { ImageRequest(url: url) }

    private static func progressiveJPEG() throws -> [UInt8] {
        let size = PixelSize(width: 160, height: 120)
        let bytes = (0..<size.pixelCount).flatMap { index -> [UInt8] in
            let (x, y) = (index % size.width, index / size.width)
            return [UInt8(x), UInt8(y * 2), UInt8((x &* y &* 7) & 0xFF), 255]
        }
        let pixels = PixelBuffer(size: size, bytes: bytes, hasAlpha: false)
        return try JPEGEncoder.encode(pixels, quality: 90, progressive: true)
    }

    @Test(.timeLimit(.minutes(5)))
    func `a loop over the previews gets the received part, and finally the image`() async throws {
        let body = try Self.progressiveJPEG()
        let split = body.count * 3 / 5
        let (transport, url) = (harness.transport, url)
        let server = Task {
            await transport.waitForStarts(1)
            let head = TransferHead(status: 200, expectedByteCount: body.count)
            transport.send(.head(head), to: url)
            transport.send(.chunk(Array(body.prefix(split))), to: url)
        }

        var responses: [ImageResponse] = []
        for try await response in harness.manager.previews(for: request) {
            responses.append(response)
            guard responses.count == 1 else { continue }
            transport.send(.chunk(Array(body.dropFirst(split))), to: url)
            transport.finish(url)
        }
        await server.value

        #expect(responses.first?.isPreview == true)
        #expect(responses.last?.isPreview == false)
        #expect(responses.last?.byteCount == body.count)
    }

    @Test func `a loop over the previews of a cached image gets the image once`() async throws {
        harness.answerEverything()
        _ = try await harness.load(url).result().get()

        var sources: [ImageSource] = []
        for try await response in harness.manager.previews(for: request) {
            sources.append(response.source)
        }

        #expect(sources == [.memory])
    }

    @Test func `a loop over the progress ends when the image is in the caches`() async throws {
        harness.answerEverything()

        var last = LoadProgress(received: 0, expected: nil)
        for try await progress in harness.manager.progress(for: request) {
            #expect(progress.received >= last.received)
            last = progress
        }

        #expect(try await harness.manager.response(for: request).source == .memory)
    }

    @Test func `both loops throw the error of a failed load`() async {
        harness.transport.answerStarts { _ in .body([1], status: 404) }
        let manager = harness.manager

        await #expect(throws: ImageLoadingError.self) {
            for try await _ in manager.previews(for: "http://a.example/1.png") {}
        }
        await #expect(throws: ImageLoadingError.self) {
            for try await _ in manager.progress(for: "http://a.example/2.png") {}
        }
    }

    @Test(.timeLimit(.minutes(5)))
    func `cancelling the task of a loop throws cancelled and cancels the load`() async {
        let (manager, request) = (harness.manager, request)
        let loop = Task {
            for try await _ in manager.progress(for: request) {}
        }
        await harness.transport.waitForStarts(1)

        loop.cancel()

        await #expect(throws: ImageLoadingError.cancelled) { try await loop.value }
        await waitWhile(manager.isRunning)
    }

    @available(*, deprecated)
    @Test func `the old name of a preview creates a preview`() throws {
        let response = ImageResponse(
            image: .blank(width: 1),
            source: .network,
            byteCount: 0,
            httpStatus: nil
        )

        guard case .preview(response) = LoadEvent.image(response) else {
            Issue.record("not a preview")
            return
        }
    }
}
