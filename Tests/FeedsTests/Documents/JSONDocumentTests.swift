import Foundation
import Testing

@testable import Feeds

/// Feeds of entries in JSON, in the shapes that their specifications show; see Fixtures/feeds.
struct JSONDocumentTests {
    @Test func `JSON Feed items have their images and texts`() throws {
        let feed = try #require(try document("jsonfeed.json"))

        #expect(feed.title == "Field notes" && feed.link == "https://notes.example.org/")
        #expect(feed.next == .address("https://notes.example.org/feed-2.json"))
        #expect(feed.entries.map(\.title) == ["Moss", nil, "Only words"])
        #expect(feed.entries.map(\.author) == ["Rosa Feld", "Guest", "Rosa Feld"])
        #expect(feed.entries.map(\.date) == [1_714_752_487, 1_714_608_000, nil])
        #expect(feed.entries[1].link == "https://elsewhere.example.org/2")
        #expect(
            feed.entries.map(\.text) == ["On the north side.", "Two stones", "Nothing to see."]
        )
        #expect(
            urls(feed) == [
                ["/moss.jpg"],
                [
                    "https://notes.example.org/stone-1.jpg",
                    "https://notes.example.org/stone-2.avif?full",
                ], [],
            ]
        )
        #expect(feed.entries[0].pictures[0].alternativeText == "Moss on a stone")
        #expect(feed.entries[1].pictures[0].title == "The first")
    }

    @Test func `an image that an item repeats is one image, and no placeholder`() throws {
        let text = """
            {"version": "https://jsonfeed.org/version/1.1", "items": [{"id": "1", "content_html":
            "<img src='a.png'> <img src='b.png'> <img src='b.png'> <img src='b.png'>"}]}
            """

        let feed = try #require(FeedDocument(jsonOfEntries: Array(text.utf8)))

        #expect(urls(feed) == [["a.png", "b.png"]])
    }

    /// Which writes sizes as texts, and no summaries.
    @Test func `a JSON Feed written by Django has all of its fields`() throws {
        let feed = try #require(try document("made-by-django.json"))

        #expect(feed.title == "Harbour log" && feed.link == "https://harbour.example.org/")
        #expect(feed.entries.map(\.title) == ["Low water <4 m>", "Café Möwe", nil])
        #expect(feed.entries.map(\.author) == ["Ilse Brandt", "Jörn", "Ilse Brandt"])
        #expect(feed.entries.map(\.date) == [1_709_965_800, 1_709_935_500, 1_709_769_600])
        #expect(feed.entries.map { $0.link?.last } == ["3", "2", "1"])
        #expect(urls(feed) == [["/pictures/mud.jpg"], ["https://cdn.example.org/moewe.jpg"], []])
        #expect(feed.entries[0].pictures[0].alternativeText == "The basin at low water")
    }

    @Test func `a Mastodon server's posts have their images, also boosted ones`() throws {
        let feed = try #require(try document("mastodon.json"))

        #expect(
            feed.entries.map(\.author) == ["Mina Otter :otter:", "bo@other.example.org", "Mina"]
        )
        #expect(feed.entries.map(\.date) == [1_715_713_351, 1_715_558_400, 1_715_472_000])
        #expect(feed.entries.map(\.text) == ["Otters in the evening #otter", "A heron", "Words"])
        #expect(
            urls(feed) == [
                [
                    "https://files.example.org/media/112/original/a1.jpg",
                    "https://files.example.org/media/113/small/b2.png",
                ], ["https://files.example.org/c3.webp"], [],
            ]
        )
        let picture = feed.entries[0].pictures[0]
        let small = "https://files.example.org/media/112/small/a1.jpg"
        #expect(picture.versions == [FeedDocument.Picture.Version(url: small, width: 416)])
        #expect(try #require(picture.size) == (3024, 4032))
        #expect(picture.alternativeText == "Two otters on a log")
        #expect(picture.blurHash == "UBL_:rOpGG-;~qRjWBay%MWBRjof_3fQt7j[")
        #expect(feed.entries[0].pictures[1].versions.isEmpty)
    }

    @Test func `Bluesky posts have their images, and those of quoted posts`() throws {
        let feed = try #require(try document("bluesky.json"))

        #expect(feed.entries.map(\.author) == ["Lena", "lena.example.org"])
        #expect(feed.entries.map(\.date) == [1_715_767_872, 1_715_644_800])
        #expect(feed.entries[0].link == "https://bsky.app/profile/lena.example.org/post/3ksjq")
        #expect(
            urls(feed) == [
                [
                    "https://cdn.example.org/img/feed_fullsize/1@jpeg",
                    "https://cdn.example.org/img/feed_fullsize/2@jpeg",
                ], ["https://cdn.example.org/f3"],
            ]
        )
        #expect(feed.entries[0].pictures.map(\.alternativeText) == ["Ein See im Nebel", nil])
        #expect(feed.entries[1].pictures[0].versions.map(\.url) == ["https://cdn.example.org/t3"])
    }

    @Test(arguments: [
        "{'items':#}", "{'media':#}", "{'images':#}", "{'media':{'items':#},'record':{}}",
    ])
    func `a gallery of Bluesky has all its images`(embed: String) throws {
        let image = "{'fullsize':'http://h/#.jpg','thumbnail':'http://h/s.jpg','alt':'text'}"
        let images = (0..<10).map { image.replacing("#", with: "\($0)") }.joined(separator: ",")
        let embed = embed.replacing("#", with: "[\(images)]")
        let text = "{'feed':[{'post':{'record':{},'embed':\(embed)}}]}".replacing("'", with: "\"")

        let feed = try #require(try read(Array(text.utf8)))

        #expect(urls(feed) == [(0..<10).map { "http://h/\($0).jpg" }])
        #expect(feed.entries[0].pictures[9].versions.map(\.url) == ["http://h/s.jpg"])
        #expect(feed.entries[0].pictures[9].alternativeText == "text")
    }

    @Test(arguments: [
        "[]", "{}", "null", "[{\"url\":\"http://a/1.jpg\"}]", "{\"feed\":[]}", "{\"version\":1.1}",
        "{\"feed\":[{\"url\":\"http://a/1.jpg\"}]}",
    ])
    func `other JSON is not a feed of entries`(text: String) throws {
        #expect(try read(Array(text.utf8)) == nil)
    }

    @Test(arguments: [
        "{\"version\":\"https://jsonfeed.org/version/1\",\"items\":7}",
        "{\"version\":\"https://jsonfeed.org/version/1\",\"items\":[7,null,{\"attachments\":[{}]}]}",
        "[{\"media_attachments\":[7,{},{\"url\":7}]},9]",
        "{\"feed\":[{\"post\":{\"record\":7,\"embed\":[]}}]}",
    ])
    func `members of an unexpected type lose only themselves`(
        text: String
    ) throws {
        let feed = try #require(try read(Array(text.utf8)))

        #expect(feed.entries.allSatisfy { $0.pictures.isEmpty })
    }

    private func document(_ name: String) throws -> FeedDocument? {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
        return try read(Array(Data(contentsOf: folder.appending(path: "Fixtures/feeds/\(name)"))))
    }

    private func read(_ bytes: [UInt8]) throws -> FeedDocument? {
        FeedDocument(json: try JSONValue(parsing: bytes)) { $0.hasSuffix(".jpg") }
    }

    private func urls(_ feed: FeedDocument) -> [[String]] {
        feed.entries.map { $0.pictures.map(\.url) }
    }
}
