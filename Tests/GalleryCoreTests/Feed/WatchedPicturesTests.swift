@testable import Feeds
@testable import GalleryCore
import Testing

@Suite struct WatchedPicturesTests {
    private func pictures(_ paths: String...) -> WatchedPictures {
        var pictures = WatchedPictures(title: "w")
        for path in paths { pictures.write(path) }
        return pictures
    }

    private func taken(_ pictures: inout WatchedPictures) throws -> WatchedPictures.Change {
        let change = pictures.takeChange()
        return try #require(change)
    }

    private func captions(_ feed: Feed?) -> [String] {
        feed.map { feed in (0..<feed.count).map { feed[$0].caption } } ?? []
    }

    @Test func `an empty folder is reported once, and then only new files`() {
        var pictures = pictures()

        let first = pictures.takeChange()
        #expect(first?.feed.isOpen == true)
        #expect(!pictures.hasNews)
        pictures.write("/w/a.png")
        let second = pictures.takeChange()
        #expect(captions(second?.feed) == ["a.png"])
        let third = pictures.takeChange()
        #expect(third?.items == nil)
    }

    @Test func `a file that is written again is the same item with a new URL`() throws {
        var pictures = pictures("/w/a.png", "/w/b.png")
        let before = try taken(&pictures).feed

        pictures.write("/w/a.png")

        let change = try taken(&pictures)
        #expect(change.items == [0])
        #expect(change.feed.count == 2)
        #expect(change.feed[0].url == before[0].url)
        #expect(change.feed[0].currentURL != before[0].currentURL)
        #expect(change.feed[1] == before[1])
    }

    @Test func `a deleted file leaves a trace until it exists again`() throws {
        var pictures = pictures("/w/a.png", "/w/b.png")
        _ = pictures.takeChange()

        pictures.delete("/w/a.png")
        let gone = try taken(&pictures)
        #expect(gone.items == [0])
        #expect(gone.feed[0].isDeleted)
        #expect(gone.feed[0].problem == "deleted")

        pictures.delete("/w/a.png")
        #expect(!pictures.hasNews)
        pictures.write("/w/a.png")
        let back = try taken(&pictures)
        #expect(back.feed[0].problem == nil)
    }

    @Test func `a renamed file is the same item, and needs no new load`() throws {
        var pictures = pictures("/w/a.png", "/w/b.png")
        _ = pictures.takeChange()

        pictures.rename("/w/a.png", to: "/w/c.png")

        let change = try taken(&pictures)
        #expect(captions(change.feed) == ["c.png", "b.png"])
        #expect(change.items == [0])
        pictures.write("/w/c.png")
        let again = try taken(&pictures)
        #expect(again.items == [0])
    }

    @Test func `a file moved over another one counts as that file written again`() throws {
        var pictures = pictures("/w/a.png", "/w/b.png")
        _ = pictures.takeChange()

        pictures.rename("/w/a.png", to: "/w/b.png")

        let change = try taken(&pictures)
        #expect(change.items == [0, 1])
        #expect(change.feed[0].isDeleted)
        #expect(change.feed[1].revision == 1)
    }

    @Test func `items keep their index through any number of changes`() throws {
        var pictures = pictures()
        for number in 0..<3000 { pictures.write("/w/\(number).png") }
        for number in stride(from: 0, to: 3000, by: 7) { pictures.delete("/w/\(number).png") }

        let feed = try taken(&pictures).feed

        #expect(feed.count == 3000)
        #expect(feed[2999].caption == "2999.png")
        #expect(feed[1400].isDeleted)
        #expect(!feed[1401].isDeleted)
    }

    // A file name with any bytes is one item with one file.
    @Test func `a name of any bytes refers to its file`() throws {
        var pictures = pictures("/w/a\n\u{1B}[2J?#%.png")

        let item = try taken(&pictures).feed[0]

        #expect(item.url == "file:///w/a%0A%1B%5B2J%3F%23%25.png")
    }
}
