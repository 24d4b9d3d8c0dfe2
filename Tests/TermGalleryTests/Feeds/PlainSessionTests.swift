import GalleryCore
import Glibc
import ImageLoading
import ImageLoadingTesting
import Testing

@testable import Feeds
@testable import TermGallery

@Suite struct PlainSessionTests {
    @Test(
        arguments: [
            ("", PlainCommand.next), (" n ", .next), ("p", .previous), ("12", .picture(12)),
            (":12", .picture(12)), ("g", .first), ("G", .last), ("/a b", .search("a b")),
            ("r", .retry), ("o", .open), ("i", .information), ("a", .all), ("?", .help),
            ("quit", .quit), (":q", .quit), ("0", .unknown("0")), ("/", .unknown("/")),
            ("99999999999999999999", .picture(999_999_999)), ("x\u{1B}[2J", .unknown("x\u{1B}[2J")),
        ]
    )
    func `a line has the meaning of the gallery's key`(line: String, command: PlainCommand) {
        #expect(PlainCommand(line) == command)
    }

    @Test func `lines are answered with lines, one image at a time`() throws {
        var ends = [Int32](repeating: -1, count: 2)
        #expect(pipe(&ends) == 0)
        defer { close(ends[0]) }
        let items = ["One", "Two", "Three sea"].enumerated().map { number, caption in
            FeedItem(url: "http://a.example/\(number).png", caption: caption, problem: "is bad")
        }
        let feed = Feed(items: items, title: "t")
        let manager = ImageManager(
            configuration: ImageManagerConfiguration(),
            transport: ScriptedTransport(),
            clock: .system
        )
        let run = PlainRun(feed: feed, manager: manager, window: 1, output: ends[1])
        var session = PlainSession(feed: feed, manager: manager, run: run)
        var lines = ["", "p", "p", "/SEA", "", "zz\u{1B}[2J", "?", "q", "never read"][...]
        session.talk { lines.popFirst() }
        close(ends[1])

        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        bytes = Array(bytes[..<max(0, read(ends[0], &bytes, bytes.count))])
        let told = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
        #expect(told[0] == "t: 3 images. Type ? and Enter for help")
        #expect(told[1] == "1. One: failed: is bad")
        #expect(told[2] == "2. Two: failed: is bad")
        #expect(told[3] == "1. One: failed: is bad")
        #expect(told[4] == "this is the first image")
        #expect(told[5] == "3. Three sea: failed: is bad")
        #expect(told[6] == "this is the last image")
        #expect(told[7].hasPrefix("no such command: zz") && !told[7].contains("\u{1B}"))
        #expect(Array(told[8...]) == PlainCommand.helpLines)
        #expect(lines == ["never read"])
    }
}
