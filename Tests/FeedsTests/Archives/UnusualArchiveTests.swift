import FeedContracts
@testable import Feeds
import Glibc
import ImageLoading
import Testing

/// Archives whose members are not in the usual order.
@Suite struct UnusualArchiveTests {
    private typealias File = (name: String, content: [UInt8])

    private func text(_ text: String) -> [UInt8] { Array(text.utf8) }

    /// Returns the feed of a tar archive in memory, and the description of the omitted members.
    private func read(
        tar bytes: [UInt8],
        isWhole: Bool
    ) throws -> (feed: Feed, leftOut: String?) {
        var listing = ArchiveListing(tarOf: bytes.count, isWhole: isWhole)
        var growing = GrowingFeed(
            title: "a",
            archive: ArchiveBase(path: text("/a.tar"), stamp: ArchiveStamp(stat()))
        )
        let lines = listing.readAll(bytes)
        growing.append(try #require(lines))
        return (try growing.end(), listing.tally.leftOut)
    }

    private func captions(_ feed: Feed) -> [String] { (0..<feed.count).map { feed[$0].caption } }

    private func link(_ name: String, to target: String) -> [UInt8] {
        SampleArchive.header(name, 0, kind: "1", target: target)
    }

    @Test func `a hard link to a later file of a small archive is an image`() throws {
        let bytes =
            link("1.png", to: "2.png") + link("2.png", to: "3.png") + link("4.png", to: "5.png")
            + link("5.png", to: "4.png") + SampleArchive.tar([("3.png", [1])])

        let feed = try read(tar: bytes, isWhole: true).feed

        #expect(captions(feed) == ["1.png", "2.png", "4.png", "5.png", "3.png"])
        #expect((0..<5).map { feed[$0].problem == nil } == [true, true, false, false, true])
        let places = [0, 1, 4].map { feed[$0].url.split(separator: "?").last }
        #expect(Set(places).count == 1)
        // An archive that is shown while it is read does not know later files.
        let growing = try read(tar: bytes, isWhole: false).feed
        #expect((0..<5).filter { growing[$0].problem == nil } == [4])
    }

    @Test func `a hard link is the nearest of several files with one name`() throws {
        let files = SampleArchive.tar([("b.png", [1]), ("b.png", [2])])
        let bytes = link("a.png", to: "b.png") + files.dropLast(1024) + link("c.png", to: "b.png")

        let feed = try read(tar: bytes, isWhole: true).feed

        #expect(captions(feed) == ["a.png", "b.png", "c.png"])
        let offsets = (0..<3).map { feed[$0].url.split(separator: "?").last?.prefix(5) }
        #expect(offsets == ["p1024", "p2048", "p2048"])
    }

    @Test(arguments: [true, false])
    func `a long chain of hard links, and a long cycle, end`(isCycle: Bool) throws {
        let count = 10_000
        let links = (0..<count).flatMap { link("\($0).png", to: "\($0 + 1).png") }
        let end =
            isCycle
            ? link("\(count).png", to: "0.png") + SampleArchive.tar([("a.png", [1])])
            : SampleArchive.tar([("\(count).png", [1])])

        let feed = try read(tar: links + end, isWhole: true).feed

        let readable = (0..<feed.count).count { feed[$0].problem == nil }
        #expect(feed.count == count + (isCycle ? 2 : 1))
        #expect(readable == (isCycle ? 1 : count + 1))
    }

    @Test func `members with equal paths are equal, however they are written`() throws {
        let bytes = SampleArchive.tar([("./a.png", [1]), ("b.png", [2]), ("a.png", [3])])

        #expect(try captions(read(tar: bytes, isWhole: true).feed) == ["b.png", "a.png"])
    }

    @Test func `an archive shown while it is read names the images that later ones replace`()
        throws
    {
        let bytes = SampleArchive.tar([
            ("./a.png", [1]), ("b.png", [2]), ("a.png", [3]), (".//a.png", [4]), ("a.txt", [5]),
            ("b.txt", [6]), ("b.txt", [7]), ("._a.png", [8]), ("._a.png", [9]),
        ])
        var growing = ArchiveListing(tarOf: nil)
        var whole = ArchiveListing(tarOf: bytes.count, isWhole: true)

        #expect(growing.readAll(bytes)?.split(separator: 0x0A).count == 4)
        #expect(growing.replacedImages.map(\.place) == [.plain(offset: 512), .plain(offset: 2560)])
        #expect(growing.tally.replacedCount == 2)
        #expect(whole.readAll(bytes)?.split(separator: 0x0A).count == 2)
        #expect(whole.replacedImages.isEmpty && whole.tally.replacedCount == 4)
    }

    @Test func `two hard links with one name to one file are not replaced by each other`() throws {
        let file = SampleArchive.tar([("a.png", [1])]).dropLast(1024)
        var listing = ArchiveListing(tarOf: nil)

        let lines = listing.readAll(file + link("b.png", to: "a.png") + link("b.png", to: "a.png"))

        #expect(lines?.split(separator: 0x0A).count == 3 && listing.replacedImages.isEmpty)
    }

    @Test func `items that are replaced are removed from the feed that contains them`() {
        func feed(_ urls: [String], replaced: Set<String> = []) -> Feed {
            var feed = Feed(
                items: urls.map { FeedItem(url: $0) },
                title: "a",
                origin: replaced.isEmpty ? .local : .remoteFeed
            )
            feed.replacedURLs = replaced
            return feed
        }
        let archive = feed(["a?1", "b?2", "a?3"], replaced: ["a?1"])
        let joined = Feed(joining: [feed(["0", "1"]), archive, feed(["2"])])

        let rest = joined.withoutReplacedItems()

        #expect((0..<rest.count).map { rest[$0].url } == ["0", "1", "b?2", "a?3", "2"])
        #expect((0..<5).map { rest.origin(at: $0).isRemote } == [false, false, true, true, false])
        #expect(rest.replacedURLs.isEmpty && archive.withoutReplacedItems().count == 2)
    }

    @Test func `images that share a caption are named by their middle parts`() throws {
        let files: [File] = [
            ("s/1.left.png", [1]), ("s/1.right.eye.png", [2]), ("s/1.png", [3]),
            ("s/1.txt", text("a cat")), ("s/2.left.png", [4]), ("s/2.txt", text("a dog")),
            ("s/3.left.png", [5]), ("s/3.right.png", [6]),
        ]

        let feed = try read(tar: SampleArchive.tar(files), isWhole: false).feed

        #expect(
            captions(feed) == [
                "a cat (left)", "a cat (right.eye)", "a cat", "a dog", "s/3.left.png",
                "s/3.right.png",
            ]
        )
    }

    private let unsorted: [(name: String, content: [UInt8])] = [
        ("1.png", [1]), ("2.png", [2]), ("2.txt", [0x62]), ("1.txt", [0x61]),
        ("3.txt", [0x63]), ("x.txt", [0x78]), ("3.png", [3]), ("1.json", Array("{}".utf8)),
    ]

    @Test func `captions in a small unsorted archive are found`() throws {
        let (feed, leftOut) = try read(tar: SampleArchive.tar(unsorted), isWhole: true)

        #expect(captions(feed) == ["a", "b", "c"])
        #expect(leftOut == "1 that is not an image")
    }

    @Test func `captions that are not next to their images are reported`() throws {
        let (feed, leftOut) = try read(tar: SampleArchive.tar(unsorted), isWhole: false)

        #expect(captions(feed) == ["1.png", "b", "3.png"])
        #expect(
            leftOut
                == "1 that is not an image, 3 caption files that are not next to their images"
        )
    }
}
