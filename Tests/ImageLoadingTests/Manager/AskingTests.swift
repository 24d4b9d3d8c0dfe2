import ImageLoadingTesting
import Testing

@testable import ImageLoading

/// Requests that are not sent to the network at present.
struct AskingTests {
    private let harness = ManagerHarness()
    private let url = "http://a.example/1.png"

    // D22
    @Test func `a suspended manager starts no transfer until it resumes`() async throws {
        harness.answerEverything()
        harness.manager.isSuspended = true

        let waiting = harness.load(url)
        await harness.untilQueued(1)
        #expect(harness.transport.starts.isEmpty)

        harness.manager.isSuspended = false
        _ = try await waiting.result().get()
        #expect(harness.transport.starts.count == 1)
    }

    @Test(
        arguments: [
            (Duration.seconds(0), "404 not found (retry in 10 min)" as String?),
            (.seconds(500), "404 not found (retry in 100 s)"), (.seconds(600), nil),
        ]
    )
    func `a remembered failure has the time of the next retry`(
        passed: Duration,
        text: String?
    )
        async throws
    {
        harness.transport.answerStarts { _ in .body([], status: 404) }
        let request = ImageRequest(url: url)
        #expect(harness.manager.rememberedFailure(of: request) == nil)
        _ = await harness.load(request).result()

        harness.clock.advance(by: passed)

        #expect(harness.manager.rememberedFailure(of: request)?.description == text)
    }
}
