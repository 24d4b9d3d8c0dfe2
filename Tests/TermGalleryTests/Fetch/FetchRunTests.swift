import FeedHarness
import GalleryCore
import Glibc
import ImageLoading
import ImageLoadingTesting
@testable import Feeds
@testable import TermGallery
import PropertyRuns
import SystemSupport
import Testing

@Suite struct FetchRunTests {
    private let harness: LoadingHarness

    init() {
        self.init(harness: LoadingHarness())
    }

    private init(harness: LoadingHarness) {
        self.harness = harness
    }

    /// Runs a fetch on a separate thread, and returns its outcome and output.
    private func fetch(
        _ feed: Feed,
        isJSONL: Bool = true,
        window: Int = 4,
        isOrdered: Bool = false,
        done: DoneEntries = DoneEntries(),
        interruption: Interruption = Interruption()
    ) async -> (isAllWell: Bool, output: [Substring], errors: String) {
        let (output, errors, manager) = (Pipe(), Pipe(), harness.manager)
        let result = Protected(false)
        let descriptors = FetchOutput.Descriptors(
            output: output.writeEnd,
            errors: errors.writeEnd
        )
        var prepared = FetchRun(
            input: FetchInput(feed: feed),
            manager: manager,
            window: window,
            options: [],
            output: FetchOutput(isJSONL: isJSONL, descriptors: descriptors),
            interruption: interruption
        )
        (prepared.isOrdered, prepared.done) = (isOrdered, done)
        let run = prepared
        let written = await output.text { _ in
            let isAllWell = await blocking {
                var run = run
                return run.loadEverything()
            }
            result.withLock { $0 = isAllWell }
        }
        let lines = written.split(separator: "\n")
        let errorText = await errors.text(writtenBy: { _ in })
        return (result.withLock { $0 }, lines, errorText)
    }

    @Test func `each entry is reported, and each distinct URL requested once`() async {
        harness.answerEverything()
        let urls = [1, 2, 1, 1, 2].map(LoadingHarness.url)
        let feed = Feed(items: urls.map { FeedItem(url: $0) }, title: "test")

        let (isAllWell, lines, _) = await fetch(feed)

        #expect(isAllWell)
        #expect(lines.count == 5)
        #expect(lines.count { $0.contains(#""repeated":true"#) } == 3)
        #expect(harness.transport.starts.count == 2)
    }

    @Test func `100,000 lines with one URL are one transfer, also if it fails`() async {
        harness.transport.answerStarts { request in
            request.url.hasSuffix("/1.png") ? .body([], status: 404) : .body(LoadingHarness.picture)
        }
        let count = PropertyRuns.count(100_000)
        let feed = Feed(
            items: (0..<count).map { FeedItem(url: LoadingHarness.url($0 % 2)) },
            title: "test"
        )

        let (isAllWell, lines, _) = await fetch(feed)

        #expect(!isAllWell)
        #expect(lines.count == count)
        #expect(lines.count { $0.contains(#""status":"ok""#) } == count / 2)
        #expect(lines.count { $0.contains(#""repeated":true"#) } == count - 2)
        #expect(harness.transport.starts.count == 2)
    }

    @Test func `ordered reports follow the list, in whatever order loads end`() async {
        let transport = harness.transport
        let feed = LoadingHarness.feed(12)
        async let outcome = fetch(feed, window: 12, isOrdered: true)

        await transport.waitForStarts(6)
        for number in [3, 1, 5, 0, 4, 2] {
            transport.respond(to: LoadingHarness.url(number), chunks: [LoadingHarness.picture])
        }
        await transport.waitForStarts(12)
        for number in (6..<12).reversed() {
            transport.respond(to: LoadingHarness.url(number), chunks: [LoadingHarness.picture])
        }

        let (_, lines, _) = await outcome
        let urls = (0..<12).map { #""url":"\#(LoadingHarness.url($0))""# }
        #expect(lines.count == 12)
        #expect(zip(lines, urls).allSatisfy { $0.contains($1) })
    }

    @Test func `entries that are already done are neither requested nor reported`() async {
        harness.answerEverything()
        let done = DoneEntries { add in
            for number in 0..<90 { add(LoadingHarness.url(number)) }
        }

        let (isAllWell, lines, _) = await fetch(
            LoadingHarness.feed(100),
            isJSONL: false,
            done: done
        )

        #expect(isAllWell)
        #expect(harness.transport.starts.count == 10)
        #expect(lines.first?.hasSuffix("0 failed, 90 done before") == true)
    }

    @Test func `a failure is reported by the exit status and the summary`() async {
        harness.transport.answerStarts { request in
            request.url.hasSuffix("/1.png") ? .body([], status: 404) : .body(LoadingHarness.picture)
        }
        let urls = [0, 1, 1, 2].map(LoadingHarness.url)
        let feed = Feed(items: urls.map { FeedItem(url: $0) }, title: "test")

        let (isAllWell, lines, errors) = await fetch(feed, isJSONL: false)

        let bytes = CountText.bytes(2 * LoadingHarness.picture.count)
        #expect(!isAllWell)
        #expect(lines == ["2 of 3 images loaded, \(bytes), 1 failed"])
        #expect(errors == "http://h.example/1.png: 404 not found\n")
    }

    @Test func `a line that is not a URL fails with its reason and is not requested`() async {
        let feed = Feed(
            items: [FeedItem(url: "gopher://h/x", problem: "no such scheme")],
            title: ""
        )

        let (isAllWell, lines, _) = await fetch(feed)

        #expect(!isAllWell)
        #expect(lines.count == 1 && lines[0].contains("no such scheme"))
        #expect(harness.transport.starts.isEmpty)
    }

    @Test func `an unknown scheme is forbidden, as in the table of errors`() async throws {
        let feed = try Feed(
            parsing: Array("gopher://h/x.png".utf8),
            title: "test",
            base: .directory("/"),
            origin: .local
        )

        let (_, lines, _) = await fetch(feed)

        #expect(lines.count == 1 && lines[0].contains(#""class":"policy""#))
        #expect(lines[0].contains("gopher: URLs are not allowed here"))
    }

    /// A feed from the network among the arguments must not take the local one's rights away.
    @Test func `joined feeds keep their own rights`() async throws {
        let local = "data:image/png;base64,iVBORw0KGgo="
        let joined = Feed(joining: [
            Feed(items: [FeedItem(url: "http://h.example/1.png")], title: "a", origin: .remoteFeed),
            Feed(items: [FeedItem(url: local)], title: "b"),
        ])
        harness.answerEverything()

        let (_, lines, _) = await fetch(joined)

        // The picture is cut short on purpose: what counts is that it got as far as decoding.
        #expect(lines.contains { $0.contains(#""stage":"decode""#) })
    }

    @Test func `at most the window's number of loads is running`() async {
        let transport = harness.transport
        let feed = LoadingHarness.feed(20)
        async let outcome = fetch(feed, window: 3)

        await transport.waitForStarts(3)
        #expect(transport.starts.count == 3)
        #expect(harness.manager.statistics.started == 3)
        for number in 0..<20 {
            await transport.waitForStarts(number + 1)
            #expect(transport.runningURLs.count <= 3)
            transport.respond(to: transport.starts[number].url, chunks: [LoadingHarness.picture])
        }

        let (isAllWell, lines, _) = await outcome
        #expect(isAllWell)
        #expect(lines.count == 20)
    }

    @Test func `an interrupted run keeps the received bytes, reports nothing more and ends`() async
    {
        let folder = TestFolder()
        let disk = DiskCacheConfiguration(directory: folder.path + "/cache")
        let run = FetchRunTests(harness: LoadingHarness(disk: disk))
        let (transport, interruption) = (run.harness.transport, Interruption())
        async let outcome = run.fetch(
            LoadingHarness.feed(20),
            isJSONL: false,
            window: 2,
            interruption: interruption
        )
        await transport.waitForStarts(2)
        let head = TransferHead(
            status: 200,
            expectedByteCount: 50_000,
            headers: ["etag": "\"v\"", "accept-ranges": "bytes"]
        )
        transport.send(.head(head), to: LoadingHarness.url(0))
        transport.send(.chunk([UInt8](repeating: 7, count: 30_000)), to: LoadingHarness.url(0))

        #expect(interruption.handOver(SIGTERM))

        let (_, lines, errors) = await outcome
        #expect(lines.isEmpty && errors.isEmpty)
        #expect(transport.runningURLs.isEmpty)
        let files = (try? FolderNames.of(disk.directory)) ?? []
        #expect(files.count { $0.hasPrefix("part-") } == 1)
        for file in files { unlink("\(disk.directory)/\(file)") }
        rmdir(disk.directory)
    }

    @Test func `a signal before the run has started is not intercepted`() {
        #expect(!Interruption().handOver(SIGINT))
    }

    @Test func `a disk that stores nothing is reported once at the end`() async {
        let disk = DiskCacheConfiguration(directory: "/proc/termgallery")
        let harness = LoadingHarness(disk: disk)
        harness.answerEverything()
        let errors = Pipe()
        let (output, manager) = (Pipe(), harness.manager)

        let descriptors = FetchOutput.Descriptors(
            output: output.writeEnd,
            errors: errors.writeEnd
        )
        let isAllWell = await blocking {
            var run = FetchRun(
                input: FetchInput(feed: LoadingHarness.feed(3)),
                manager: manager,
                window: 2,
                options: [],
                output: FetchOutput(isJSONL: true, descriptors: descriptors)
            )
            return run.loadEverything()
        }

        let text = await errors.text(writtenBy: { _ in })
        #expect(isAllWell)
        #expect(text.hasPrefix("termgallery: 3 images not stored in the disk cache: "))
        #expect(text.filter { $0 == "\n" }.count == 1)
    }
}
