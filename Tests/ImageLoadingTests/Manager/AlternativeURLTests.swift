import ImageLoadingTesting
import Testing

@testable import ImageLoading

/// A request whose image has several URLs.
struct AlternativeURLTests {
    private let harness = ManagerHarness()
    private let places = (0..<3).map { "http://\($0).example/1.png" }
    private var request: ImageRequest {
        ImageRequest(url: places[0], alternatives: Array(places[1...]))
    }

    /// Answers requests for the URLs in `good` with an image, and all others with 404.
    private func answer(well good: String...) {
        harness.transport.answerStarts { request in
            good.contains(request.url)
                ? .body(PatternDecoder.bytes(width: 2, height: 2)) : .body([], status: 404)
        }
    }

    @Test func `the first URL with the image is used`() async throws {
        answer(well: places[2])

        let load = harness.load(request)
        let response = try await load.result().get()

        #expect(response.source == .network)
        #expect(harness.transport.starts.map(\.url) == places)
        #expect(load.record.endCount == 1)
        #expect(harness.manager.statistics.started == 1)
        #expect(harness.manager.statistics.succeeded == 1)
    }

    @Test func `no other URL is requested if the first has the image`() async throws {
        answer(well: places[0], places[1])

        _ = try await harness.load(request).result().get()

        #expect(harness.transport.starts.map(\.url) == [places[0]])
    }

    @Test func `the last failure is reported for the load`() async {
        answer()

        let load = harness.load(request)

        guard case .failure(let error) = await load.result() else {
            Issue.record("an image that no place has")
            return
        }
        #expect(error.reason == .httpStatus(404))
        #expect(harness.transport.starts.map(\.url) == places)
        #expect(harness.manager.statistics.failed == 1)
    }

    @Test func `a bad URL has alternatives too`() async throws {
        answer(well: places[1])
        let request = ImageRequest(url: "not a URL", alternatives: ["nor this", places[1]])

        #expect(try await harness.load(request).result().get().source == .network)
    }

    @Test func `each alternative is cached under its own URL`() async throws {
        answer(well: places[1])
        _ = try await harness.load(request).result().get()

        #expect(try await harness.load(places[1]).result().get().source == .memory)
        #expect(try await harness.load(request).result().get().source == .memory)
        #expect(harness.transport.starts.count == 2, "the failure of the first is remembered")
    }

    @Test(.timeLimit(.minutes(5)))
    func `cancelling ends it at any stage`() async {
        harness.transport.answerStarts {
            $0.url == "http://0.example/1.png" ? .body([], status: 404) : nil
        }
        let load = harness.load(request)
        await harness.transport.waitForStarts(2)

        load.operation.cancel()

        #expect(await load.result() == .failure(.cancelled))
        #expect(load.record.endCount == 1)
        #expect(!harness.manager.isRunning)
        #expect(harness.transport.starts.map(\.url) == Array(places[..<2]))
    }
}
