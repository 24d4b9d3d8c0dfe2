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

    // MARK: Groups

    private func requests(_ count: Int, in group: AlternativeGroup) -> [ImageRequest] {
        (0..<count).map { image in
            let urls = (0..<3).map { "http://\($0).example/\(image).png" }
            var request = ImageRequest(url: urls[0], alternatives: Array(urls[1...]))
            request.alternativeGroup = group
            return request
        }
    }

    @Test func `after the first image, a group requests only URLs at the position that worked`()
        async throws
    {
        answer(well: "http://1.example/0.png", "http://1.example/1.png")
        let requests = requests(3, in: AlternativeGroup())

        for request in requests { _ = await harness.load(request).result() }

        #expect(
            harness.transport.starts.map(\.url) == [
                "http://0.example/0.png", "http://1.example/0.png",
                "http://0.example/1.png", "http://1.example/1.png",
                "http://0.example/2.png", "http://1.example/2.png",
            ]
        )
        #expect(requests[0].alternativeGroup?.mayWork(0) == false)
        #expect(requests[0].alternativeGroup?.mayWork(1) == true)
    }

    @Test(arguments: [(404, 3), (410, 3), (403, 1), (500, 1)])
    func `a group tries its next URL only if there is no image at the last one`(
        status: Int,
        count: Int
    ) async {
        harness.transport.answerStarts { _ in .body([], status: status) }

        _ = await harness.load(requests(1, in: AlternativeGroup())[0]).result()

        #expect(Set(harness.transport.starts.map(\.url)).count == count)
    }

    @Test func `a response that is no image has an alternative`() async throws {
        harness.transport.answerStarts { [places] request in
            request.url == places[0]
                ? .body(Array("<html>not found</html>".utf8))
                : .body(PatternDecoder.bytes(width: 2, height: 2))
        }
        var request = request
        request.alternativeGroup = AlternativeGroup()

        let response = try await harness.load(request).result().get()

        #expect(response.source == .network)
        #expect(harness.transport.starts.map(\.url) == Array(places[..<2]))
    }

    @Test(arguments: [(404, 410, 404), (404, 500, 500)])
    func `a group without an image fails like its original URL, or can be retried`(
        first: Int,
        second: Int,
        reported: Int
    ) async {
        harness.transport.answerStarts { [places] request in
            .body([], status: request.url == places[0] ? first : second)
        }
        var request = request
        request.alternativeGroup = AlternativeGroup()

        let result = await harness.load(request).result()

        #expect(result.failure?.httpStatus == reported)
    }

    @Test func `equal URLs are requested once, and all their positions work`() async throws {
        answer(well: places[1])
        let group = AlternativeGroup()
        var request = ImageRequest(
            url: places[0],
            alternatives: [places[0], places[1], places[1], places[0]]
        )
        request.alternativeGroup = group

        _ = try await harness.load(request).result().get()

        #expect(harness.transport.starts.map(\.url) == Array(places[..<2]))
        #expect((0..<5).map(group.mayWork) == [false, false, true, true, false])
    }

    @Test func `the rules for addresses hold for alternatives too`() async {
        answer()
        var request = ImageRequest(
            url: places[0],
            alternatives: ["http://127.0.0.1/1.png", places[1]],
            origin: .remoteFeed
        )
        request.alternativeGroup = AlternativeGroup()

        _ = await harness.load(request).result()

        let areChecked = harness.transport.starts.map(\.policy.refusesPrivateAddresses)
        #expect(!areChecked.contains(false))
    }
}
