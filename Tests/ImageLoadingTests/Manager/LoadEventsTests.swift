import Decoders
import ImageLoadingTesting
import Testing

@testable import ImageLoading

/// `for await event in manager.events(for: request)`.
struct LoadEventsTests {
    private let harness = ManagerHarness()
    private let url = "http://a.example/1.png"
    private let body = PatternDecoder.bytes(width: 2, height: 2)

    @Test func `a loop receives the start, progress and end of a load, and then ends`() async {
        harness.transport.answerStarts { _ in .body(PatternDecoder.bytes(width: 2, height: 2)) }

        var ends: [Result<ImageResponse, ImageLoadingError>] = []
        var received = 0
        for await event in harness.manager.events(for: ImageRequest(url: url)) {
            switch event {
            case .progress(let progress): received = progress.received
            case .finished(let result): ends.append(result)
            case .queued, .waiting, .preview: break
            }
        }

        #expect(ends.count == 1)
        #expect(ends.first.map { (try? $0.get())?.source } == .network)
        #expect(received == 0 || received == body.count)
    }

    @Test func `a memory hit is one event`() async throws {
        harness.answerEverything()
        _ = try await harness.load(url).result().get()

        var events: [LoadEvent] = []
        for await event in harness.manager.events(for: ImageRequest(url: url)) {
            events.append(event)
        }

        guard case .finished(.success(let response)) = try #require(events.first) else {
            Issue.record("\(events)")
            return
        }
        #expect(response.source == .memory)
        #expect(events.count == 1)
    }

    @Test(.timeLimit(.minutes(5)))
    func `leaving the loop cancels the load, down to the transfer`() async {
        for await event in harness.manager.events(for: ImageRequest(url: url)) {
            if case .queued = event { continue }
            break
        }
        // The loop was left at the first event after `queued`; without such an event, it would wait
        // forever.
        await waitWhile(harness.manager.isRunning)

        #expect(harness.manager.statistics.cancelled == 1)
    }

    @Test(.timeLimit(.minutes(5)))
    func `cancelling the task ends the loop with the cancelled load`() async {
        let manager = harness.manager
        let request = ImageRequest(url: url)
        let loop = Task {
            var ends: [ImageLoadingError.Class] = []
            for await event in manager.events(for: request) {
                if case .finished(.failure(let error)) = event { ends.append(error.kind) }
            }
            return ends
        }
        await harness.transport.waitForStarts(1)

        loop.cancel()

        #expect(await loop.value == [.cancelled])
        await waitWhile(manager.isRunning)
    }

    @Test func `each loop has its own load`() async {
        harness.answerEverything()
        let events = harness.manager.events(for: ImageRequest(url: url))

        #expect(harness.manager.statistics.started == 0, "nothing starts before a loop does")
        for await _ in events {}
        for await _ in events {}

        #expect(harness.manager.statistics.succeeded == 2)
    }
}
