import ImageLoadingTesting
import SystemSupport
import Testing

@testable import ImageLoading

/// The effect of Retry-After on a complete load (RFC 9110, 10.2.3).
struct RetryAfterLoadTests {
    private let harness = ManagerHarness { $0.downloader.maximumAttempts = 10 }
    private let url = "http://a.example/1.png"
    private let other = "http://a.example/2.png"

    /// Refuses the first transfer, and answers the others with an image.
    private func refuseOnce(status: Int, retryAfter: String) {
        let count = Protected(0)
        harness.transport.answerStarts { _ in
            let isFirst = count.withLock { count in
                count += 1
                return count == 1
            }
            guard isFirst else { return .body(PatternDecoder.bytes(width: 2, height: 2)) }
            let head = TransferHead(
                status: status,
                expectedByteCount: 1,
                headers: ["retry-after": retryAfter]
            )
            return ScriptedAnswer(events: [.head(head), .chunk([1]), .finished(nil)])
        }
    }

    @Test(arguments: [429, 503])
    func `a short Retry-After is awaited inside the load`(status: Int) async throws {
        refuseOnce(status: status, retryAfter: "3")
        let load = harness.load(url)
        await waitWhile(harness.clock.alarmCount == 0)

        harness.clock.advance(by: .milliseconds(2_999))
        #expect(harness.transport.starts.count == 1)
        harness.clock.advance(by: .milliseconds(1))

        #expect(try await load.result().get().source == .network)
        #expect(harness.manager.statistics.retries == 1)
        #expect(harness.manager.statistics.rememberedFailures == 0)
    }

    @Test(arguments: [(429, true), (503, false)])
    func `a long Retry-After ends the load, and is kept until its time is over`(
        status: Int,
        isOfHost: Bool
    ) async throws {
        refuseOnce(status: status, retryAfter: "120")

        let refused = await harness.load(url).result().failure
        let again = await harness.load(url).result().failure
        let neighbor = await harness.load(other).result()

        #expect(refused?.httpStatus == status && refused?.retryAfter == .seconds(120))
        let text = try #require(refused).description
        #expect(again?.reason == .remembered(text: text, seconds: 120))
        #expect((neighbor.failure != nil) == isOfHost)
        harness.clock.advance(by: .seconds(120))
        #expect(try await harness.load(url).result().get().source == .network)
    }

    @Test(arguments: [429, 503])
    func `a request of the user does not wait`(status: Int) async throws {
        refuseOnce(status: status, retryAfter: "120")
        _ = await harness.load(url).result()

        let response = try await harness.load(url, options: .retryFailed).result().get()

        #expect(response.source == .network)
        #expect(harness.manager.statistics.unavailableHosts == 0)
        #expect(harness.manager.rememberedFailures.isEmpty)
    }
}
