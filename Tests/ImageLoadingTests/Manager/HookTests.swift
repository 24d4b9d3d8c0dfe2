import Decoders
import Dispatch
import ImageLoadingTesting
import SystemSupport
import Testing

@testable import ImageLoading

struct HookTests {
    private let url = "http://a.example/1.png"
    private let picture = PatternDecoder.bytes(width: 4, height: 2)

    @Test func `M9: URLs with one cache key are one image to transfer and memory cache`()
        async throws
    {
        let harness = ManagerHarness {
            $0.cacheKey = { String($0.absoluteString.prefix { $0 != "?" }) }
        }
        let loads = ["?sig=1", "?sig=2"].map { harness.load(url + $0) }
        await harness.transport.waitForStarts(1)
        harness.transport.respond(to: url + "?sig=1", chunks: [picture])
        for load in loads { _ = try await load.result().get() }

        let third = harness.load(url + "?sig=3")

        #expect(try await third.result().get().source == .memory)
        #expect(harness.transport.starts.count == 1)
    }

    @Test func `M9: the memory of failures uses the cache key`() async {
        let harness = ManagerHarness { $0.cacheKey = { _ in "one" } }
        harness.transport.answerStarts { _ in .body([1], status: 404) }
        _ = await harness.load(url).result()

        let error = await harness.load("http://a.example/2.png").result().failure

        #expect(error?.reason == .remembered(text: "404 not found", seconds: 600))
    }

    @Test func `D7, D9: the headers hook changes the sent headers last`() async {
        let harness = ManagerHarness { hooks in
            hooks.headers = { _, given in
                given.filter { !$0.isNamed("Accept") } + [HeaderField("X-Name", "value")]
            }
        }
        let request = ImageRequest(url: url, headers: [HeaderField("Referer", "http://b.example/")])
        let load = harness.load(request)
        await harness.transport.waitForStarts(1)

        #expect(
            harness.transport.starts[0].headers == [
                HeaderField("Referer", "http://b.example/"), HeaderField("X-Name", "value"),
            ]
        )
        load.operation.cancel()
    }

    @Test func `D8, D9: a request's own field replaces the default one`() async {
        let harness = ManagerHarness()
        let load = harness.load(ImageRequest(url: url, headers: [HeaderField("accept", "image/x")]))
        await harness.transport.waitForStarts(1)

        #expect(harness.transport.starts[0].headers == [HeaderField("accept", "image/x")])
        load.operation.cancel()
    }

    @Test func `modifyRequest changes the sent request`() async {
        let harness = ManagerHarness { hooks in
            hooks.modifyRequest = { request throws(ImageLoadingError) in
                var request = request
                request.url += "?token=7"
                return request
            }
        }
        let load = harness.load(url)
        await harness.transport.waitForStarts(1)

        #expect(harness.transport.starts[0].url == url + "?token=7")
        load.operation.cancel()
    }

    @Test func `an error that modifyRequest throws ends the load`() async {
        let refusal = ImageLoadingError(stage: .request, kind: .policy, reason: .httpStatus(401))
        let harness = ManagerHarness { hooks in
            hooks.modifyRequest = { _ throws(ImageLoadingError) in throw refusal }
        }

        #expect(await harness.load(url).result() == .failure(refusal))
        #expect(harness.transport.starts.isEmpty)
    }

    @Test(.timeLimit(.minutes(5)))
    func `O1: a load that is cancelled while modifyRequest waits sends nothing`() async {
        let (entered, left) = (AsyncGate(), AsyncGate())
        let harness = ManagerHarness { hooks in
            hooks.modifyRequest = { request throws(ImageLoadingError) in
                entered.open()
                await left.pass()
                return request
            }
        }
        let load = harness.load(url)
        await entered.pass()

        load.operation.cancel()
        left.open()

        #expect(await load.result() == .failure(.cancelled))
        #expect(!harness.manager.isRunning)
        _ = await harness.load("data:,x").result()
        #expect(harness.transport.starts.isEmpty)
    }

    @Test func `M12, M14: a forbidden download has its own error`() async {
        let harness = ManagerHarness { $0.shouldDownload = { _ in false } }

        let error = await harness.load(url).result().failure

        #expect(error?.reason == .downloadForbidden)
        #expect(error?.kind == .policy)
        #expect(harness.transport.starts.isEmpty)
        #expect(harness.manager.statistics.rememberedFailures == 0)
    }

    @Test func `transformBody runs between transfer and decoder`() async throws {
        let harness = ManagerHarness { $0.transformBody = { _, bytes in bytes.reversed() } }
        harness.transport.answerStarts { _ in
            .body(PatternDecoder.bytes(width: 4, height: 2).reversed())
        }

        #expect(try await harness.load(url).result().get().image.pixels.size.width == 4)
    }

    @Test func `a body that transformBody refuses is a failure of processing`() async {
        let harness = ManagerHarness { $0.transformBody = { _, _ in nil } }
        harness.answerEverything()

        let error = await harness.load(url).result().failure

        #expect(error?.reason == .processing("transformBody"))
    }

    @Test(arguments: [true, false])
    func `bodyToStore chooses the stored bytes, or that nothing is stored`(
        isKept: Bool
    ) async throws {
        let bench = try CacheBench()
        let other = PatternDecoder.bytes(width: 3, height: 1)
        let harness = ManagerHarness(disk: DiskCacheConfiguration(directory: bench.directory)) {
            $0.bodyToStore = { _, _ in isKept ? other : nil }
        }
        harness.answerEverything()
        _ = try await harness.load(url).result().get()
        await harness.manager.flush()
        harness.manager.clearMemory()

        let response = try await harness.load(url).result().get()

        #expect(response.source == (isKept ? .disk : .network))
        #expect(response.image.pixels.size.width == (isKept ? 3 : 2))
    }

    @Test func `flush waits for a hook that is still choosing the stored bytes`() async throws {
        let bench = try CacheBench()
        let gate = DispatchSemaphore(value: 0)
        let harness = ManagerHarness(disk: DiskCacheConfiguration(directory: bench.directory)) {
            $0.bodyToStore = { _, bytes in
                gate.wait()
                return bytes
            }
        }
        harness.answerEverything()
        _ = try await harness.load(url).result().get()
        #expect(bench.bodyNames().isEmpty)

        async let flushed: Void = harness.manager.flush()
        gate.signal()
        await flushed

        #expect(bench.bodyNames().count == 1)
    }

    @Test func `D16: two users' credentials for one URL are two transfers and two entries`()
        async throws
    {
        let user = Protected("ann")
        let harness = ManagerHarness { hooks in
            hooks.credentials = { host in
                host == "a.example"
                    ? HTTPCredentials(user: user.withLock { $0 }, password: "secret") : nil
            }
        }
        harness.answerEverything()
        _ = try await harness.load(url).result().get()
        user.withLock { $0 = "bob" }
        _ = try await harness.load(url).result().get()
        user.withLock { $0 = "ann" }
        let again = try await harness.load(url).result().get()
        let other = try await harness.load("http://b.example/1.png").result().get()

        #expect(harness.transport.starts.map(\.policy.credentials?.user) == ["ann", "bob", nil])
        #expect(again.source == .memory)
        #expect(other.source == .network)
    }

    @Test func `no secret is in a key`() throws {
        let resolver = RequestResolver(
            hooks: {
                var hooks = LoadingHooks()
                hooks.credentials = { _ in HTTPCredentials(user: "ann", password: "hunter2") }
                return hooks
            }(),
            usualHeaders: []
        )
        let request = ImageRequest(
            url: "http://a.example:8080/1.png",
            headers: [HeaderField("Authorization", "Bearer t0ken")]
        )

        let name = try resolver.key(for: request).url.cacheKey

        #expect(name.hasPrefix("http://a.example:8080/1.png#"))
        for secret in ["ann", "hunter2", "t0ken"] { #expect(!name.contains(secret)) }
    }

    @Test func `F24: requests with other headers share neither transfer nor image`() async throws {
        let harness = ManagerHarness()
        harness.answerEverything()
        let fields = [[], [HeaderField("X-A", "1")], [HeaderField("X-A", "2")]]
        for headers in fields {
            let request = ImageRequest(url: url, headers: headers)
            #expect(try await harness.load(request).result().get().source == .network)
        }

        let again = ImageRequest(url: url, headers: [HeaderField("x-a", "2")])

        #expect(try await harness.load(again).result().get().source == .memory)
    }
}
