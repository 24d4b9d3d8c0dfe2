import Decoders
import ImageLoadingTesting
import Testing

@testable import ImageLoading

/// Loads that are requested together, like the images of a screen: the top image is last.
@Suite(.timeLimit(.minutes(5))) struct BatchTests {
    private let bench: CacheBench
    private let harness: ManagerHarness
    private let names = (0..<30).map { "http://a.example/\($0)" }

    init() throws {
        bench = try CacheBench()
        harness = ManagerHarness(
            disk: DiskCacheConfiguration(directory: bench.directory),
            order: .lastInFirstOut
        )
    }

    private func load(for urls: some Sequence<String>) -> [RecordedLoad] {
        harness.manager.batch { urls.map { harness.load($0) } }
    }

    private var startedURLs: [String] { harness.transport.starts.map(\.url) }

    // F3
    @Test func `the newest of a batch start first, in order, whichever is ready first`() async {
        _ = load(for: names.reversed())
        await harness.transport.waitForStarts(6)
        await harness.untilQueued(24)

        #expect(startedURLs == Array(names.prefix(6)))
    }

    @Test func `all of a batch start in order, the newest first`() async {
        harness.answerEverything()

        for load in load(for: names.reversed()) { _ = await load.result() }

        #expect(startedURLs == names)
    }

    @Test func `nothing begins before the outermost batch ends`() async {
        harness.manager.batch {
            _ = load(for: names[3...].reversed())
            _ = load(for: names[..<3].reversed())
        }
        await harness.transport.waitForStarts(6)

        #expect(startedURLs.prefix(6) == names.prefix(6))
    }

    // F3
    @Test func `a row that becomes visible is loaded before the waiting rows`() async {
        _ = load(for: names[..<24].reversed())
        // Wait for the starts first: before any download has started, 18 are also waiting at some
        // moment.
        await harness.transport.waitForStarts(6)
        await harness.untilQueued(18)
        _ = load(for: names[24...].reversed())
        await harness.untilQueued(24)
        harness.answerEverything()

        harness.transport.respond(to: names[0], chunks: [PatternDecoder.bytes(width: 2, height: 2)])
        await harness.transport.waitForStarts(30)

        #expect(startedURLs == Array(names[..<6] + names[24...] + names[6..<24]))
    }

    @Test func `a load that is cancelled in its batch requests nothing and delays no others`() async
    {
        harness.manager.batch {
            _ = harness.load(names[1])
            harness.load(names[0]).operation.cancel()
        }
        await harness.transport.waitForStarts(1)

        #expect(startedURLs == [names[1]])
        #expect(harness.manager.statistics.cancelled == 1)
    }

    @Test func `a forbidden load delays no others`() async {
        let harness = ManagerHarness(order: .lastInFirstOut) { [names] configuration in
            configuration.hooks.shouldDownload = { $0.absoluteString != names[0] }
        }
        harness.manager.batch {
            _ = harness.load(names[1])
            _ = harness.load(names[0])
        }
        await harness.transport.waitForStarts(1)

        #expect(harness.transport.starts.map(\.url) == [names[1]])
    }

    @Test func `a load whose request is being modified delays no others`() async {
        let gate = AsyncGate()
        let harness = ManagerHarness(order: .lastInFirstOut) { [names] configuration in
            configuration.hooks.modifyRequest = { request throws(ImageLoadingError) in
                if request.url == names[0] { await gate.pass() }
                return request
            }
        }
        harness.manager.batch {
            _ = harness.load(names[1])
            _ = harness.load(names[0])
        }
        await harness.transport.waitForStarts(1)
        gate.open()

        #expect(harness.transport.starts.first?.url == names[1])
    }

    @Test func `a load that another process fetches delays no others`() async {
        let other = ManagerHarness(disk: DiskCacheConfiguration(directory: bench.directory))
        _ = other.load(names[0])
        await other.transport.waitForStarts(1)

        _ = load(for: [names[1], names[0]])
        await harness.transport.waitForStarts(1)

        #expect(startedURLs == [names[1]])
    }

    @Test func `a load whose image is on disk delays no others while it is decoded`() async {
        let gate = Gate()
        let url = names[0]
        let harness = ManagerHarness(
            disk: DiskCacheConfiguration(directory: bench.directory),
            decoders: [HeldDecoder(gate: gate)],
            order: .lastInFirstOut
        )
        defer { gate.open() }
        if let key = try? ImageURL(parsing: url, origin: .local) {
            harness.manager.engine.cache.disk?.store(HeldDecoder.magic, for: key)
        }

        harness.manager.batch {
            _ = harness.load(names[1])
            _ = harness.load(url)
        }
        await harness.transport.waitForStarts(1)

        #expect(harness.transport.starts.map(\.url) == [names[1]])
    }

    @Test func `a memory hit is delivered inside the batch`() async {
        harness.answerEverything()
        _ = await harness.load(names[0]).result()

        harness.manager.batch {
            #expect(harness.load(names[0]).record.endCount == 1)
        }
    }
}

/// A decoder that blocks until its gate is opened.
private struct HeldDecoder: ImageDecoder {
    static let magic = Array("HELD".utf8)

    let gate: Gate

    var format: ImageFormat { .png }

    func canDecode(_ prefix: [UInt8]) -> Bool { prefix.starts(with: Self.magic) }

    func probe(_ bytes: [UInt8]) throws(ImageDecodingError) -> ImageProperties {
        gate.pass()
        throw .truncated(.png)
    }

    func decode(
        _ bytes: [UInt8],
        options: DecodingOptions
    ) throws(ImageDecodingError) -> DecodedImage {
        gate.pass()
        throw .truncated(.png)
    }
}
