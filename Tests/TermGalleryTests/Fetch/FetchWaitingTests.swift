import FeedHarness
import GalleryCore
import Glibc
import ImageLoading
import ImageLoadingTesting
@testable import Feeds
@testable import TermGallery
import SystemSupport
import Testing

/// What `fetch` does while a server is away.
@Suite struct FetchWaitingTests {
    private let refused = ImageLoadingError.transfer(.noConnection, "connection refused")

    private static func url(_ host: String, _ number: Int) -> String {
        "http://\(host).example/\(number).png"
    }

    /// Returns the lines on standard output, and the text on standard error.
    private func fetch(
        _ urls: [String],
        clock: RunningClock,
        patience: Duration = .seconds(300),
        answer: @escaping @Sendable (_ start: Int, String) -> ScriptedAnswer
    ) async -> (lines: [Substring], errors: String) {
        let (output, errors) = (Pipe(), Pipe())
        let news = BlockingQueue<FetchNews>()
        let harness = LoadingHarness(
            clock: clock.clock,
            patience: patience,
            onNotice: { news.put(.notice($0)) }
        )
        let starts = Protected(0)
        harness.transport.answerStarts { request in
            let number = starts.withLock { count in
                count += 1
                return count
            }
            return answer(number, request.url)
        }
        let run = FetchRun(
            input: FetchInput(
                feed: Feed(items: urls.map { FeedItem(url: $0) }, title: "test")
            ),
            manager: harness.manager,
            window: 4,
            options: .waitForHost,
            output: FetchOutput(
                isJSONL: true,
                descriptors: .init(output: output.writeEnd, errors: errors.writeEnd)
            ),
            news: news
        )
        let text = await output.text { _ in
            _ = await blocking {
                var run = run
                return run.loadEverything()
            }
        }
        clock.stop()
        return (text.split(separator: "\n"), await errors.text(writtenBy: { _ in }))
    }

    @Test func `a server that is away for a moment costs no image`() async {
        let refused = refused
        let clock = RunningClock()
        clock.start()
        let urls = (1...40).map { Self.url("a", $0) }

        // The clock may run on for long before a thread that has something to do gets to it.
        let (lines, errors) = await fetch(urls, clock: clock, patience: .seconds(1 << 40)) {
            start,
            _ in
            (10..<20).contains(start) ? .failure(refused) : .body(LoadingHarness.picture)
        }

        #expect(lines.count == 40 && lines.allSatisfy { $0.contains(#""status":"ok""#) })
        #expect(errors.hasPrefix("termgallery: waiting for a.example: connection refused\n"))
        #expect(errors.contains("termgallery: a.example is responding again\n"))
    }

    @Test func `a server that stays away ends with the patience, and keeps no other's images`()
        async
    {
        let refused = refused
        let clock = RunningClock()
        let urls = (1...30).map { Self.url("dead", $0) } + (1...10).map { Self.url("b", $0) }

        // Time does not advance before all images of the other server have arrived.
        let (lines, _) = await fetch(urls, clock: clock) { _, url in
            if url == Self.url("b", 10) { clock.start() }
            return url.contains("dead") ? .failure(refused) : .body(LoadingHarness.picture)
        }

        #expect(lines.count { $0.contains(#""status":"ok""#) } == 10)
        #expect(lines.count { $0.contains(#""status":"failed""#) } == 30)
        #expect(clock.now > .seconds(200))
    }
}
