import Decoders
import ImageLoading
import Testing

@testable import Feeds
@testable import GalleryCore
@testable import TerminalUI

@Suite struct SortTests {
    private func order(
        _ key: SortKey,
        _ change: (inout ItemArrangement) -> Void = { _ in }
    ) throws -> [Int] {
        let text = """
            http://b.org/Pic%2010.jpg
            http://a.org/pic 9.jpg
            file:///p/pic02.jpg
            http://b.org/apple.jpg
            file:///p/Pic2.jpg
            """.replacing("pic 9", with: "pic%209")
        let feed = try Feed(
            parsing: Array(text.utf8),
            title: "f",
            base: .directory("/"),
            origin: .local
        )
        var arranger = FeedArranger(feed: feed) { item in
            let isOld = item.url.hasSuffix("02.jpg")
            return LocalFileFacts(byteCount: isOld ? 10 : 20, modified: isOld ? 100 : 200)
        }
        var arrangement = ItemArrangement()
        arrangement.key = key
        change(&arrangement)
        let order = try #require(arranger.order(arrangement, known: KnownItems()) { false })
        return (0..<order.count).map { order[$0] }
    }

    @Test func `each key has its order, and unknown values are last`() throws {
        #expect(try order(.feed) == [0, 1, 2, 3, 4])
        #expect(try order(.name) == [3, 4, 2, 1, 0])
        #expect(try order(.host) == [1, 0, 3, 2, 4])
        #expect(try order(.date) == [4, 2, 0, 1, 3])
        #expect(try order(.size) == [4, 2, 0, 1, 3])
        #expect(try order(.dimensions) == [0, 1, 2, 3, 4])
        #expect(try order(.feed) { $0.isReversed = true } == [4, 3, 2, 1, 0])
    }

    @Test func `a random order is the same for the same seed, and a sample is a part of it`() throws
    {
        let all = try order(.random) { $0.seed = 7 }

        #expect(all.sorted() == [0, 1, 2, 3, 4])
        #expect(try order(.random) { $0.seed = 7 } == all)
        #expect(try (0..<20).contains { seed in try order(.random) { $0.seed = seed } != all })
        let sample = try order(.random) { ($0.seed, $0.sampleCount) = (7, 2) }
        #expect(sample == Array(all.prefix(2)))
    }

    @Test func `a cancelled request gives nothing`() {
        var arranger = FeedArranger(
            feed: Feed(items: (0..<5000).map { FeedItem(url: "http://h/\($0)") }, title: "f")
        ) { _ in nil }
        for key in SortKey.allCases where key != .random && key != .feed {
            var arrangement = ItemArrangement()
            arrangement.key = key
            #expect(arranger.order(arrangement, known: KnownItems()) { true } == nil)
        }
        var arrangement = ItemArrangement()
        arrangement.filter = FilterQuery.parse("sea", FilterFields(names: [])).query
        #expect(arranger.order(arrangement, known: KnownItems()) { true } == nil)
    }

    @Test func `the camera's date takes precedence over the date of its file`() throws {
        let items = ["a", "b", "c"].map { FeedItem(filePath: "/\($0).jpg") }
        var arranger = FeedArranger(
            feed: Feed(items: items, title: ""),
            file: { item in
                LocalFileFacts(byteCount: 1, modified: item.caption == "a.jpg" ? 30 : 10)
            },
            photo: { $0.caption == "c.jpg" ? PhotoRecord(camera: CameraFacts(), taken: 20) : nil }
        )
        var arrangement = ItemArrangement()
        arrangement.key = .date
        let order = try #require(arranger.order(arrangement, known: KnownItems()) { false })
        #expect((0..<3).map { order[$0] } == [0, 2, 1])
    }
}
