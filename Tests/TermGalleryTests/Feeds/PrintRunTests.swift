import Decoders
import FeedHarness
import GalleryCore
import Glibc
import ImageLoading
import ImageLoadingTesting
@testable import Feeds
@testable import TermGallery
@testable import TerminalUI
import Testing

@Suite struct PrintRunTests {
    private let harness = LoadingHarness()
    private let sheet = ContactSheet(
        columns: 2,
        imageBox: ScreenSize(columns: 8, rows: 1),
        capabilities: ScreenCapabilities(colorDepth: .monochrome, symbols: .ascii)
    )

    private func run(_ feed: Feed, window: Int = 4, output: Int32) -> PrintRun {
        var run = PrintRun(feed: feed, manager: harness.manager, window: window, sheet: sheet)
        run.output = ResultOutput(output)
        return run
    }

    private func captions(_ text: String) -> [Substring] {
        text.matches(of: /no[0-9]+/).map(\.output)
    }

    @Test func `images are printed in the feed's order although loads end backwards`() async {
        let (pipe, transport) = (Pipe(), harness.transport)
        let run = run(LoadingHarness.feed(5), window: 5, output: pipe.writeEnd)

        let text = await pipe.text { _ in
            async let isAllWell = blocking {
                var run = run
                return run.printEverything()
            }
            await transport.waitForStarts(5)
            for number in (0..<5).reversed() {
                transport.respond(
                    to: LoadingHarness.url(number),
                    chunks: [LoadingHarness.picture]
                )
            }
            #expect(await isAllWell)
        }

        #expect(captions(text) == ["no0", "no1", "no2", "no3", "no4"])
    }

    @Test func `one slow image holds the rest back instead of piling it up`() async {
        let (pipe, transport) = (Pipe(), harness.transport)
        let slow = LoadingHarness.url(0)
        transport.answerStarts { $0.url == slow ? nil : .body(LoadingHarness.picture) }
        let run = run(LoadingHarness.feed(40), window: 4, output: pipe.writeEnd)

        let text = await pipe.text { _ in
            async let isAllWell = blocking {
                var run = run
                return run.printEverything()
            }
            // Window and a row: 6 in all, of which 5 end.
            await transport.waitForStarts(6)
            #expect(transport.starts.count == 6)
            transport.respond(to: slow, chunks: [LoadingHarness.picture])
            #expect(await isAllWell)
        }

        #expect(captions(text).count == 40)
    }

    @Test func `a feed of bad lines is printed with reasons and without loads`() async {
        let pipe = Pipe()
        let items = (0..<3).map { FeedItem(url: "x", caption: "no\($0)", problem: "bad line") }
        let run = run(Feed(items: items, title: ""), output: pipe.writeEnd)

        let text = await pipe.text { _ in
            let isAllWell = await blocking {
                var run = run
                return run.printEverything()
            }
            #expect(!isAllWell)
        }

        #expect(captions(text) == ["no0", "no1", "no2"])
        #expect(harness.transport.starts.isEmpty)
    }

    @Test func `without a reader loading stops`() async {
        let transport = harness.transport
        harness.answerEverything()
        // A descriptor that refuses writes, as a closed pipe does where SIGPIPE is ignored.
        let readOnly = open("/dev/null", O_RDONLY | O_CLOEXEC)
        let run = run(LoadingHarness.feed(100), window: 2, output: readOnly)

        let isAllWell = await blocking {
            var run = run
            return run.printEverything()
        }

        #expect(!isAllWell)
        #expect(transport.starts.count < 10)
        close(readOnly)
    }
}

@Suite struct ContactSheetTests {
    private func sheet(columns: Int) -> ContactSheet {
        ContactSheet(
            columns: columns,
            imageBox: ScreenSize(columns: 10, rows: 3),
            capabilities: ScreenCapabilities(colorDepth: .monochrome, symbols: .ascii)
        )
    }

    private func entry(_ caption: String, problem: String? = nil) -> ContactSheet.Entry {
        ContactSheet.Entry(
            item: FeedItem(url: "u", caption: caption, problem: problem),
            outcome: .failure(.notFound)
        )
    }

    private func text(_ frame: Frame, row: Int) -> String {
        String(
            String.UnicodeScalarView(
                (0..<frame.size.columns).compactMap { Unicode.Scalar(frame[row, $0].scalar) }
            )
        )
    }

    @Test(arguments: [(80, 24, 3), (25, 24, 1), (24, 24, 1), (1, 24, 1), (1000, 1, 500), (0, 1, 1)])
    func `as many images as fit, and always one`(width: Int, picture: Int, count: Int) {
        let box = ScreenSize(columns: picture, rows: 1)

        #expect(ContactSheet.columns(fitting: width, imageBox: box) == count)
    }

    @Test func `an image is loaded at two pixels a cell`() {
        #expect(sheet(columns: 1).targetSize.width == 10)
        #expect(sheet(columns: 1).targetSize.height == 6)
        #expect(sheet(columns: 0).columns == 1)
    }

    @Test func `a row is as high as its highest image, with captions right below`() {
        let frame = sheet(columns: 3).row([entry("one"), entry("two")])

        #expect(frame.size == ScreenSize(columns: 22, rows: 3))
        #expect(text(frame, row: 2).split(separator: " ") == ["one", "x", "two", "x"])
        #expect(text(frame, row: 2).hasPrefix("  one"))
    }

    @Test func `a failure shows its reason, a bad line its own`() {
        let frame = sheet(columns: 2).row([entry("a"), entry("b", problem: "bad line")])

        let all = (0..<frame.size.rows).map { text(frame, row: $0) }.joined()
        #expect(all.contains("404"))
        #expect(all.contains("bad line"))
    }
}
