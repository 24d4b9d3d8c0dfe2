import Decoders
import ImageLoading
import ImageLoadingTesting
import Testing

struct ImageManagerTests {
    private let harness = ManagerHarness()
    private let url = "http://a.example/1.png"
    private let picture = PatternDecoder.bytes(width: 4, height: 2)

    @Test func `a load requests the network, decodes and reports its source (M32)`() async throws {
        let load = harness.load(url)
        await harness.transport.waitForStarts(1)
        harness.transport.respond(to: url, chunks: [picture])

        let response = try await load.result().get()

        #expect(response.source == .network)
        #expect(response.httpStatus == 200)
        #expect(response.byteCount == picture.count)
        #expect(response.image.pixels.size == PixelSize(width: 4, height: 2))
    }

    @Test func `C12: a memory hit is delivered before load returns`() async {
        harness.answerEverything()
        _ = await harness.load(url).result()

        let again = harness.load(url)

        #expect(again.operation.isFinished)
        #expect(again.record.endCount == 1)
        #expect(await again.result().success?.source == .memory)
        #expect(harness.transport.starts.count == 1)
    }

    @Test func `F1: two equal loads share a transfer, and if one is cancelled the other continues`()
        async throws
    {
        let first = harness.load(url)
        let second = harness.load(url)
        await harness.transport.waitForStarts(1)

        first.operation.cancel()
        harness.transport.respond(to: url, chunks: [picture])

        #expect(await first.result() == .failure(.cancelled))
        #expect(try await second.result().get().source == .network)
        #expect(harness.transport.starts.count == 1)
        #expect(harness.transport.record.cancelledURLs == [])
        #expect(harness.manager.statistics.coalesced == 1)
    }

    @Test func `two sizes of one image are one transfer`() async throws {
        let sizes = [PixelSize(width: 2, height: 1), PixelSize(width: 1, height: 1)]
        let loads = sizes.map { harness.load(ImageRequest(url: url, targetSize: $0)) }
        await harness.transport.waitForStarts(1)
        await harness.waitForSharedTransfer()
        harness.transport.respond(to: url, chunks: [picture])

        for (load, size) in zip(loads, sizes) {
            #expect(try await load.result().get().image.pixels.size.width == size.width)
        }
    }

    // M34
    @Test func `the last listener to leave stops the transfer`() async {
        let first = harness.load(url)
        let second = harness.load(url)
        await harness.transport.waitForStarts(1)

        first.operation.cancel()
        second.operation.cancel()
        await harness.transport.waitForCancels(1)

        #expect(harness.transport.record.cancelledURLs == [url])
        #expect(!harness.manager.isRunning)
    }

    // M37
    @Test func `F4: a cancelled load ends exactly once, as cancelled, before cancel returns`() async
    {
        let load = harness.load(url)

        load.operation.cancel()
        load.operation.cancel()

        #expect(load.record.endCount == 1)
        #expect(await load.result() == .failure(.cancelled))
    }

    @Test func `F2: a load begun right after a cancel completes`() async throws {
        // Whether the first transfer is started before it is cancelled is left to chance. On a busy
        // machine, it may even end before that; then the image comes from memory.
        harness.answerEverything()
        harness.load(url).operation.cancel()
        let next = harness.load(url)

        #expect(await next.result().failure == nil)
    }

    @Test(arguments: ["", "not a url", "ftp://a.example/x.png", "javascript:alert(1)"])
    func `M4, M6: a bad URL gives an operation and one failure immediately`(url: String) async {
        let load = harness.load(url)

        #expect(load.operation.isFinished)
        #expect(load.record.endCount == 1)
        guard case .failure(let error) = await load.result() else {
            Issue.record("\(url) was loaded")
            return
        }
        #expect(error.stage == .request)
        #expect(harness.transport.starts.isEmpty)
    }

    @Test func `a feed from the network cannot load a local file`() async {
        let request = ImageRequest(url: "file:///etc/passwd", origin: .remoteFeed)

        let result = await harness.load(request).result()

        #expect(result.failure?.reason == .forbiddenScheme("file"))
    }

    // Open point f
    @Test func `M5, F8: a failed URL is not requested again until its time is over`() async {
        harness.transport.answerStarts { _ in .body([1], status: 404) }
        _ = await harness.load(url).result()

        let blocked = await harness.load(url).result()
        harness.clock.advance(by: .seconds(601))
        let asked = await harness.load(url).result()

        #expect(blocked.failure?.reason == .remembered(text: "404 not found", seconds: 600))
        #expect(asked.failure?.httpStatus == 404)
        #expect(harness.transport.starts.count == 2)
    }

    @Test func `M7, M25: retryFailed requests anyway, and a success clears the memory`()
        async throws
    {
        harness.transport.answerStarts { _ in .body([1], status: 500) }
        _ = await harness.load(url).result()
        harness.answerEverything()

        _ = try await harness.load(url, options: .retryFailed).result().get()

        #expect(harness.manager.statistics.rememberedFailures == 0)
    }

    // M22
    @Test func `open point a: a completion that retries immediately finds the failure remembered`()
        async
    {
        harness.transport.answerStarts { _ in .body([1], status: 404) }
        let manager = harness.manager
        let second = EventRecord()
        manager.load(ImageRequest(url: url)) { [url] event in
            guard case .finished = event else { return }
            manager.load(ImageRequest(url: url)) { second.add($0) }
        }

        let result = await second.result()

        #expect(result.failure?.stage == .request)
        #expect(harness.transport.starts.count == 1)
    }

    @Test func `bytes that are not an image fail with their kind`() async {
        let page = Array("<!doctype html><html><body>404</body></html>".utf8)
        harness.transport.answerStarts { _ in .body(page) }

        let error = await harness.load(url).result().failure

        #expect(error?.stage == .decode)
        #expect(error?.description == "not an image: HTML page")
    }

    @Test func `fromCacheOnly never asks the network`() async {
        let error = await harness.load(url, options: .fromCacheOnly).result().failure

        #expect(error?.reason == .notCached)
        #expect(harness.transport.starts.isEmpty)
    }

    @Test func `refreshCached asks the network although the image is in memory`() async throws {
        harness.answerEverything()
        _ = await harness.load(url).result()

        let response = try await harness.load(url, options: .refreshCached).result().get()

        #expect(response.source == .network)
        #expect(harness.transport.starts.count == 2)
    }

    @Test func `progress reaches every listener and never decreases (D12, O2)`() async {
        let loads = [harness.load(url), harness.load(url)]
        await harness.transport.waitForStarts(1)
        harness.transport.respond(to: url, chunks: [[80], Array(picture), [0]])

        for load in loads {
            _ = await load.result()
            let received = load.record.progress.map(\.received)
            #expect(received == received.sorted())
            #expect(received.last == picture.count + 2)
        }
    }

    @Test func `M35, M36: cancelAll ends everything`() async {
        let loads = (0..<20).map { harness.load("http://a.example/\($0).png") }
        #expect(harness.manager.isRunning)

        harness.manager.cancelAll()

        #expect(loads.allSatisfy { $0.record.endCount == 1 })
        #expect(!harness.manager.isRunning)
        #expect(harness.manager.statistics.cancelled == 20)
        #expect(harness.transport.starts.count <= 6)
    }

    @Test func `cancelling a task that waits for a response cancels the load`() async {
        let manager = harness.manager
        let task = Task { [url] in
            do throws(ImageLoadingError) {
                _ = try await manager.response(for: ImageRequest(url: url))
                return nil as ImageLoadingError?
            } catch {
                return error
            }
        }
        await harness.transport.waitForStarts(1)

        task.cancel()

        #expect(await task.value == .cancelled)
    }

    @Test func `the counters agree: started is succeeded and failed and cancelled`() async {
        harness.transport.answerStarts { request in
            request.url.hasSuffix("bad.png") ? .body([1], status: 404) : nil
        }
        let bad = harness.load("http://a.example/bad.png")
        let held = harness.load("http://a.example/held.png")
        _ = await bad.result()
        held.operation.cancel()
        harness.answerEverything()
        _ = await harness.load(url).result()

        let counted = harness.manager.statistics

        #expect(counted.started == 3)
        #expect([counted.succeeded, counted.failed, counted.cancelled] == [1, 1, 1])
    }
}

extension Result {
    var success: Success? {
        if case .success(let value) = self { value } else { nil }
    }

    var failure: Failure? {
        if case .failure(let error) = self { error } else { nil }
    }
}
