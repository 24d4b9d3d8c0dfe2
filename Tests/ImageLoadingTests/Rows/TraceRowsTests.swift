import ImageLoading
import ImageLoadingTesting
import SystemSupport
import Testing

struct TraceRowsTests {
    private let events = Protected<[TraceEvent]>([])

    // O12
    @Test func `a successful load is traced from queue to end, without secrets`()
        async throws
    {
        let harness = ManagerHarness { [events] configuration in
            configuration.trace = { event in events.withLock { $0.append(event) } }
        }
        harness.answerEverything()

        _ = try await harness.load("http://me:secret@a.example/1.png?key=secret").result().get()

        let told = events.withLock { $0 }
        let names = told.map { String("\($0.kind)".prefix { $0 != "(" }) }
        let expected = ["started", "firstByte", "decoded", "succeeded"]
        #expect(names.filter { expected.contains($0) } == expected)
        #expect(names.contains("progress"))
        #expect(told.allSatisfy { $0.subject?.contains("secret") != true })
    }

    // O12
    @Test(.timeLimit(.minutes(5)))
    func `a cancelled load is traced once, with the saved bytes, and not as a failure`() async {
        let harness = ManagerHarness { [events] configuration in
            configuration.trace = { event in events.withLock { $0.append(event) } }
        }
        let url = "http://a.example/1.png"
        let load = harness.load(url)
        await harness.transport.waitForStarts(1)
        let head = TransferHead(status: 200, expectedByteCount: 10_000_000)
        harness.transport.send(.head(head), to: url)
        harness.transport.send(.chunk([1, 2, 3]), to: url)

        load.operation.cancel()

        // The event is reported when the cancellation is executed, shortly after the request.
        while !events.withLock({ $0.contains { $0.kind == .cancelled(savedByteCount: 9_999_997) } })
        {
            await Task.yield()
        }
        #expect(harness.transport.record.cancelledURLs == [url])
        #expect(await load.result() == .failure(.cancelled))
        let names = events.withLock { $0.map { String("\($0.kind)".prefix { $0 != "(" }) } }
        #expect(names.count { $0 == "cancelled" } == 1 && !names.contains("failed"))
    }
}
