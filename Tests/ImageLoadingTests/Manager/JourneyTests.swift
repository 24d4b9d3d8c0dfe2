import Decoders
import ImageLoadingTesting
import SystemSupport
import Testing

@testable import ImageLoading

/// The events that watchers and late listeners receive.
struct JourneyTests {
    private let url = "http://a.example/1.png"

    private func kinds(_ events: Protected<[TraceEvent]>) -> [String] {
        events.withLock { events in
            events.map { event in String("\(event.kind)".prefix { $0 != "(" }) }
        }
    }

    // O12
    @Test func `a load's trace has each stage, in order`() async throws {
        let events = Protected<[TraceEvent]>([])
        let harness = ManagerHarness(configure: { configuration in
            configuration.trace = { event in events.withLock { $0.append(event) } }
        })
        harness.answerEverything()

        _ = try await harness.load(url).result().get()
        _ = try await harness.load(url).result().get()

        let own = kinds(events).filter {
            ["missed", "decoded", "stored", "succeeded", "hit", "failed"].contains($0)
        }
        #expect(own == ["missed", "decoded", "stored", "succeeded", "hit", "succeeded"])
        #expect(events.withLock { $0.allSatisfy { $0.subject == url || $0.subject == nil } })
    }

    // F24, D12
    @Test func `a joining load immediately gets the progress of the transfer`() async {
        let harness = ManagerHarness()
        let first = harness.load(url)
        await harness.transport.waitForStarts(1)
        harness.transport.send(.head(TransferHead(status: 200, expectedByteCount: 10)), to: url)
        harness.transport.send(.chunk([1, 2, 3]), to: url)
        // Another thread may still be processing the start of the transfer, and then also reports
        // the later events.
        await first.waitForProgress(3)

        let second = harness.load(url)

        #expect(second.record.progress == [LoadProgress(received: 3, expected: 10)])
        for load in [first, second] { load.operation.cancel() }
    }

    // M40
    @Test func `a slow listener gets the newest progress when it is ready`() async {
        let (progress, cell) = (Protected<[Int]>([]), Protected<LoadOperation?>(nil))
        let operation = LoadOperation(
            request: ImageRequest(url: url),
            onEvent: { event in
                guard case .progress(let news) = event else { return }
                progress.withLock { $0.append(news.received) }
                guard news.received == 1 else { return }
                for received in 2...9 {
                    let next = LoadProgress(received: received, expected: nil)
                    cell.withLock { $0 }?.send(.progress(next))
                }
            }
        )
        cell.withLock { $0 = operation }

        operation.send(.progress(LoadProgress(received: 1, expected: nil)))

        #expect(progress.withLock { $0 } == [1, 9])
        cell.withLock { $0 = nil }
    }

    @Test func `without a thread for decoding a load fails with the reason`() async {
        let harness = ManagerHarness()
        harness.answerEverything()
        harness.manager.engine.decoding.pool.shutdown()

        let error = await harness.load(url).result().failure

        #expect(error?.description == "cannot start a decoding thread")
        #expect(error?.isRetryable == true)
        #expect(harness.manager.statistics.rememberedFailures == 0)
    }

    // F8
    @Test func `bytes that were no image are not decoded again, changed ones are`() async throws {
        let harness = ManagerHarness()
        harness.transport.answerStarts { _ in .body(Array("garbage".utf8)) }
        _ = await harness.load(url).result()

        let again = await harness.load(url, options: .retryFailed).result().failure
        let saved = harness.manager.statistics.decodesSaved
        harness.answerEverything()
        let changed = await harness.load(url, options: .retryFailed).result()

        #expect(again?.stage == .decode)
        #expect(saved == 1)
        #expect(try changed.get().source == .network)
    }

    // F8, M23
    @Test func `a host that can't be reached is not asked for its other images`() async {
        let harness = ManagerHarness()
        let refusal = ImageLoadingError.transfer(.noConnection, "refused")
        harness.transport.answerStarts { _ in .failure(refusal) }
        _ = await harness.load(url).result()

        let other = await harness.load("http://a.example/2.png").result().failure

        #expect(other?.reason == .remembered(text: "refused", seconds: 10))
        #expect(harness.transport.starts.count == 1)
    }
}
