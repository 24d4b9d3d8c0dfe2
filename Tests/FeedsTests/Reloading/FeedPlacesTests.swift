import Glibc
import ImageLoading
import Testing

@testable import Feeds

@Suite struct FeedPlacesTests {
    private func feed(_ numbers: some Sequence<Int>) -> Feed {
        Feed(items: numbers.map { FeedItem(url: "http://h/\($0).jpg") }, title: "test")
    }

    private func places(_ feed: Feed, at index: Int) -> FeedPlaces {
        var places = FeedPlaces()
        let item = TextHash.of(feed[index].url)
        places.keep(FeedPlaces.Place(feed: 7, item: item, index: index))
        return FeedPlaces(places.text)
    }

    @Test func `the item is found at its position, and at its new position after a move`() {
        let places = places(feed(0..<100), at: 40)

        #expect(places.item(in: feed(0..<100), named: 7) == 40)
        #expect(places.item(in: feed(10..<100), named: 7) == 30)
        #expect(places.item(in: feed([40]), named: 7) == 0)
        #expect(places.item(in: feed((0..<100).reversed()), named: 7) == 59)
        #expect(places.item(in: feed(41..<100), named: 7) == nil)
        #expect(places.item(in: feed(0..<0), named: 7) == nil)
        #expect(places.item(in: feed(0..<100), named: 8) == nil)
    }

    @Test func `the newest feeds are kept, each once`() {
        var places = FeedPlaces()
        for feed in 0..<600 {
            places.keep(FeedPlaces.Place(feed: UInt64(feed), item: 1, index: feed))
        }
        places.keep(FeedPlaces.Place(feed: 300, item: 2, index: 5))

        #expect(places.places.count == FeedPlaces.maximumCount)
        #expect(places.places.last == FeedPlaces.Place(feed: 300, item: 2, index: 5))
        #expect(places.places.count(where: { $0.feed == 300 }) == 1)
        #expect(FeedPlaces(places.text) == places)
    }

    @Test(arguments: [
        "", "x", "1 2", "1 2 -3", "1 2 3 4", "g 1 2", "1 2 99999999999999999999", "\0",
    ])
    func `lines that make no sense are left out`(line: String) {
        #expect(FeedPlaces(line + "\na b 5\n").places.map(\.index) == [5])
    }

    @Test func `different feeds have different names, and standard input has none`() {
        let one = FeedPlaces.name(of: [.path("/a"), .path("/b")])
        #expect(one != FeedPlaces.name(of: [.path("/b"), .path("/a")]))
        #expect(FeedPlaces.name(of: [.currentFolder]) == FeedPlaces.name(of: [.path(".")]))
        #expect(FeedPlaces.name(of: [.standardInput]) == nil)
    }

    @Test func `the file is written whole, private, and holds no URL`() throws {
        var template = Array("/tmp/termgallery-places-XXXXXX".utf8CString)
        let home = try #require(mkdtemp(&template).map { String(cString: $0) })
        let path = "\(home)/state/places"
        let sources = [FeedSource.remote("https://me:secret@example.org/feed")]
        let file = FeedPlaceFile(path: path, sources: sources)
        let feed = feed(0..<10)
        #expect(file.item(in: feed) == nil)
        file.keep(item: 6, of: feed)
        file.keep(item: nil, of: feed)
        file.keep(item: 10, of: feed)

        #expect(FeedPlaceFile(path: path, sources: sources).item(in: feed) == 6)
        var status = stat()
        #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
        let text = String(decoding: StateFile.read(path, atMost: 1000), as: UTF8.self)
        #expect(!text.contains("http") && !text.contains("secret"))
        unlink(path)
        rmdir("\(home)/state")
        rmdir(home)
    }
}
