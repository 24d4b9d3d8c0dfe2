import Feeds
import ImageLoading
@testable import TermGallery
import Testing

@Suite struct ComparedPairTests {
    private func images(_ names: [String], in folder: String = "/x") -> [ComparedImage] {
        names.map { name in
            ComparedImage(name: name, item: FeedItem(path: name, below: folder), origin: .local)
        }
    }

    @Test func `images with the same name are a pair, in natural order of the names`() {
        let pairs = ComparedPair.byName(
            images(["10.png", "9.png", "sub/1.png"], in: "/a"),
            images(["9.png", "10.png", "2.png"], in: "/b")
        )

        #expect(pairs.map(\.name) == ["2.png", "9.png", "10.png", "sub/1.png"])
        #expect(pairs.map { $0.first != nil } == [false, true, true, true])
        #expect(pairs.map { $0.second != nil } == [true, true, true, false])
        #expect(pairs[1].first?.item.url == "file:///a/9.png")
        #expect(pairs[1].second?.item.url == "file:///b/9.png")
    }

    @Test func `names that differ in case or in the form of an accent are different names`() {
        let names = ["A.png", "a.png", "\u{E9}.png", "e\u{301}.png"]

        let pairs = ComparedPair.byName(images(names), images(names.reversed()))

        #expect(pairs.count == 4)
        #expect(pairs.allSatisfy { $0.first != nil && $0.first == $0.second })
    }

    @Test func `expected and actual images are a pair, and others are ignored`() {
        let names = [
            "a-actual.png", "a-diff.png", "a-expected.png", "b-expected.webp", "run/c-actual.png",
            "expected.png", "-expected",
        ]

        let pairs = ComparedPair.expectedAndActual(images(names))

        #expect(pairs.map(\.name) == ["a.png", "b.webp", "run/c.png"])
        #expect(pairs[0].first?.item.url == "file:///x/a-expected.png")
        #expect(pairs[0].second?.item.url == "file:///x/a-actual.png")
        #expect(pairs[1].second == nil && pairs[2].first == nil)
    }

    @Test func `two named images have one name if their file names are equal, otherwise both`() {
        let (one, other) = (images(["a.png"], in: "/1")[0], images(["a.png"], in: "/2")[0])
        #expect(ComparedPair.of(one, other).name == "a.png")
        #expect(ComparedPair.of(one, images(["b.png"])[0]).name == "a.png → b.png")
        #expect(ComparedPair.of(nil, other).name == "a.png")
    }
}
