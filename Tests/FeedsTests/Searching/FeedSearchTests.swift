import ImageLoading
import ImageLoadingTesting
import Testing

@testable import Feeds

@Suite struct FeedSearchTests {
    private func feed(_ text: String) throws -> Feed {
        try Feed(parsing: Array(text.utf8), title: "f", base: .directory("/d"), origin: .local)
    }

    private func found(_ text: String, in feed: Feed) throws -> [Int] {
        let needle = try #require(TextNeedle(text))
        var items: [Int] = []
        feed.search(for: needle, in: 0..<feed.count) { item in
            items.append(item)
            return true
        }
        return items
    }

    @Test func `records have dates to sort by, and lines have none`() throws {
        let records = try feed(
            #"[{"url":"http://h/1.jpg","date":"2020-01-02"},{"url":"http://h/2.jpg"}]"#
        )

        #expect(records.date(of: 0) == 1_577_923_200)
        #expect(records.date(of: 1) == nil)
        #expect(try feed("http://h/1.jpg 2020-01-02").date(of: 0) == nil)
    }

    private let lines = """
        # Meadow in a comment
        http://h/Meadow.jpg

        http://h/a%20green%20meadow.jpg
          http://h/b.jpg   The MEADOW at dawn
        # another meadow
        http://user:meadow@h/c.jpg
        pics/d.jpg\tÉtang und Straße
        "with meadow/e f.jpg" caption
        data:image/png;base64,meadow
        http://h/last-meadow
        """

    @Test(
        arguments: [
            ("meadow", [0, 1, 2, 5, 7]), ("Meadow", [0]), ("MEADOW", [2]), ("green meadow", [1]),
            ("%20", [1]), ("at dawn", [2]), ("étang", [4]), ("Étang", [4]), ("ÉTANG", []),
            ("straße", [4]), ("e f", [5]), ("user", []), ("c.jpg", [3]), ("h/", [0, 1, 2, 3, 7]),
            ("comment", []), ("zzz", []), ("http://h/last-meadow", [7]), ("base64", []),
            ("\n", []), ("w\n", []),
        ]
    )
    func `a text is found only in caption, name and URL`(
        text: String,
        items: [Int]
    ) throws {
        #expect(try found(text, in: feed(lines)) == items)
    }

    @Test(arguments: ["\u{E9}t\u{E9}", "e\u{301}te\u{301}", "Strand \u{E9}", "e\u{301}"])
    func `an accent is found in either normal form, in any kind of feed`(text: String) throws {
        let composed = "Strand \u{E9}t\u{E9}"
        let decomposed = "Strand e\u{301}te\u{301}"
        let lines = try feed(
            "http://h/1 \(composed)\nhttp://h/2\nhttp://h/3 \(decomposed)\n"
                + "http://h/%C3%A9t%C3%A9%20Strand%20%C3%A9\nhttp://h/Strand%20e%CC%81te%CC%81\n"
        )
        #expect(try found(text, in: lines) == [0, 2, 3, 4])
        let items = Feed(
            items: [composed, "x", decomposed].map { FeedItem(filePath: "/\($0).jpg") },
            title: ""
        )
        #expect(try found(text, in: items) == [0, 2])
        #expect(try found("\u{C9}", in: lines).isEmpty)
        let capitals = try feed("http://h/1 \u{C9}T\u{C9}\nhttp://h/2 E\u{301}TE\u{301}\n")
        #expect(try found("\u{E9}t\u{E9}", in: capitals) == [0, 1])
    }

    @Test func `items of folders, and joined feeds, are searched as well`() throws {
        let folder = Feed(
            items: (0..<5).map { FeedItem(filePath: "/sea/Boat \($0).jpg") },
            title: ""
        )
        let joined = try Feed(joining: [
            folder, feed("http://h/boat.jpg\nhttp://h/x.jpg\n"), folder,
        ])

        #expect(try found("boat", in: joined) == [0, 1, 2, 3, 4, 5, 7, 8, 9, 10, 11])
        #expect(try found("boat 3", in: joined) == [3, 10])
        #expect(try found("sea", in: folder).isEmpty)
        let needle = try #require(TextNeedle("boat"))
        #expect(joined.item(8, has: needle))
        #expect(!joined.item(6, has: needle))
    }

    @Test(arguments: 0..<UInt64(20))
    func `searching the text finds the same lines as checking each line`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let pieces = ["a", "B", "ab", "/", ".", "é", "É", "日", "%41", "%e9", " ", "x", "0"]
        let text = (0..<200).map { _ in
            "http://h/"
                + (0..<Int.random(in: 1...8, using: &generator))
                .map { _ in pieces.randomElement(using: &generator) ?? "" }.joined()
        }.joined(separator: "\n")
        let feed = try feed(text)
        for word in ["a", "ab", "é", "b.", "日a", "A", "ba", "x0", "/a", "aé"] {
            let needle = try #require(TextNeedle(word))
            let wanted = text.split(separator: "\n").enumerated().filter { _, line in
                let bytes = Array(line.utf8)
                return needle.isFound(in: bytes) || needle.isFound(in: PercentCoding.decoded(bytes))
            }.map(\.offset)
            #expect(try found(word, in: feed) == wanted, "\(word)")
        }
    }

    @Test func `parts of lines equal the parser's fields`() throws {
        for line in [
            "http://h/a.jpg", "http://h/a.jpg cap tion", "http://h/a.jpg\tcap", "a b.jpg\tcap",
            "\"a b.jpg\" cap", "\"a b.jpg", "a.jpg cap", "a:b c", "http://h/x%20y.jpg?q=1#f",
            "dir/",
        ] {
            let feed = try feed(line)
            #expect(feed.caption(of: 0) == feed[0].caption, "\(line)")
        }
        let hosts = try feed("http://User:p@Example.ORG:80/x\n//cdn/x\n/a/b\nhttp://h?q\n")
        #expect(hosts.host(of: 0) == "example.org:80")
        #expect(hosts.host(of: 2) == nil)
        #expect(hosts.host(of: 3) == "h")
        let names = try feed("http://h/a.b/C.JPeG?x=y.png\nhttp://h.org/a\n/a/b\nhttp://h/a.\n")
        let suffixes = (0..<4).map { item in
            names.withSuffix(of: item) { String(decoding: $0, as: UTF8.self) }
        }
        #expect(suffixes == ["JPeG", nil, nil, nil])
        #expect(try feed("HTTP://h/x\nfile:///x\ny.jpg").localItem(0) == nil)
        #expect(try feed("HTTP://h/x\nfile:///x\nhot://y").localItem(1)?.url == "file:///x")
        #expect(try feed("HTTP://h/x\nfile:///x\nhot.jpg").localItem(2) != nil)
    }
}
