import ImageLoadingTesting
import Testing

@testable import ImageLoading

struct OptionTests {
    private let harness = ManagerHarness()
    private let url = "http://a.example/1.png"

    private static let priorities: [(LoadingOptions, LoadPriority, LoadPriority)] = [
        ([], .normal, .normal),
        (.lowPriority, .high, .low),
        (.highPriority, .low, .high),
        ([.lowPriority, .highPriority], .normal, .high),
    ]

    // lowPriority, highPriority
    @Test(arguments: priorities)
    func `D17, M20: priority flags replace the priority, and high wins`(
        options: LoadingOptions,
        asked: LoadPriority,
        expected: LoadPriority
    ) {
        let request = ImageRequest(url: url, options: options, priority: asked)

        #expect(request.effectivePriority == expected)
    }

    @Test func `D17: a load of low priority waits for one of high`() async {
        let running = (0..<6).map { harness.load("http://a.example/running\($0)") }
        await harness.transport.waitForStarts(6)
        let low = harness.load("http://a.example/low", options: .lowPriority)
        await harness.untilQueued(1)
        let high = harness.load("http://a.example/high", options: .highPriority)
        await harness.untilQueued(2)

        running[0].operation.cancel()
        await harness.transport.waitForStarts(7)

        #expect(harness.transport.starts.last?.url == "http://a.example/high")
        low.operation.cancel()
        high.operation.cancel()
    }

    @Test func `fromLoaderOnly asks the network although a cache has it, and stores the response`()
        async throws
    {
        harness.answerEverything()
        _ = try await harness.load(url).result().get()

        let fresh = try await harness.load(url, options: .fromLoaderOnly).result().get()

        #expect(fresh.source == .network)
        #expect(harness.transport.starts.count == 2)
        #expect(try await harness.load(url).result().get().source == .memory)
    }

    @Test func `fromCacheOnly and fromLoaderOnly together find nothing`() async {
        harness.answerEverything()
        _ = await harness.load(url).result()

        let error = await harness.load(url, options: [.fromCacheOnly, .fromLoaderOnly]).result()
            .failure

        #expect(error?.reason == .notCached)
    }

    // handleCookies, allowInvalidCertificates
    @Test func `D5, O10, M20: cookies and invalid certificates are allowed by their flags only`()
        async
    {
        let flags: LoadingOptions = [.handleCookies, .allowInvalidCertificates]
        let loads = [harness.load(url), harness.load(url, options: flags)]
        await harness.transport.waitForStarts(2)

        let policies = harness.transport.starts.map(\.policy)

        #expect(policies.contains(TransferPolicy()))
        #expect(policies.contains { $0.handlesCookies && $0.allowsInvalidCertificates })
        for load in loads { load.operation.cancel() }
    }

    // O10, flag allowInvalidCertificates
    @Test func `an image states that its server's certificate could not be verified`() async throws
    {
        harness.transport.answerStarts { request in
            var head = TransferHead(status: 200, expectedByteCount: nil)
            head.hasUnverifiedCertificate = request.policy.allowsInvalidCertificates
            let body = PatternDecoder.bytes(width: 2, height: 2)
            return ScriptedAnswer(events: [.head(head), .chunk(body), .finished(nil)])
        }

        let trusted = try await harness.load(url).result().get()
        let taken = try await harness.load(url, options: .allowInvalidCertificates).result().get()

        #expect(!trusted.hasUnverifiedCertificate)
        #expect(taken.hasUnverifiedCertificate)
    }

    @Test func `O10: an image loaded without a certificate check is not shown to strict callers`()
        async throws
    {
        harness.answerEverything()
        _ = try await harness.load(url, options: .allowInvalidCertificates).result().get()

        #expect(try await harness.load(url).result().get().source == .network)
    }

    @Test func `F32: only a feed from the network may not request private addresses`() async {
        let origins: [RequestOrigin] = [.local, .remoteFeed, .privateFeed]
        // Of different pictures, as equal loads would share one transfer.
        let loads = origins.enumerated().map { index, origin in
            harness.load(ImageRequest(url: "\(url)?\(index)", origin: origin))
        }
        await harness.transport.waitForStarts(origins.count)

        let refusing = harness.transport.starts.filter(\.policy.refusesPrivateAddresses)

        #expect(refusing.map(\.url) == ["\(url)?1"])
        for load in loads { load.operation.cancel() }
    }
}
