@testable import Feeds
import ImageLoading
import Testing

@Suite struct FeedTests {
    private func feed(
        _ text: String,
        base: FeedBase = .directory("/home/me"),
        origin: RequestOrigin = .local
    ) throws -> [FeedItem] {
        let feed = try Feed(parsing: Array(text.utf8), title: "f", base: base, origin: origin)
        return (0..<feed.count).map { feed[$0] }
    }

    // M3
    @Test(
        arguments: [
            ("http://h/a.jpg", "http://h/a.jpg", "a.jpg"),
            ("  http://h/a.jpg  A  caption \r", "http://h/a.jpg", "A  caption"),
            ("http://h/a.jpg\tA caption", "http://h/a.jpg", "A caption"),
            ("HTTPS://h/a%20b.jpg?x=1#y", "HTTPS://h/a%20b.jpg?x=1#y", "a b.jpg"),
            ("http://h/\u{E4} x", "http://h/%C3%A4", "x"),
            ("http://h", "http://h", "h"),
            ("pictures/a.jpg", "file:///home/me/pictures/a.jpg", "a.jpg"),
            ("./x/../a.jpg", "file:///home/me/a.jpg", "a.jpg"),
            ("/tmp/100%.png", "file:///tmp/100%25.png", "100%.png"),
            ("sp ace.jpg", "file:///home/me/sp%20ace.jpg", "sp ace.jpg"),
            ("a b c.PNG A caption.", "file:///home/me/a%20b%20c.PNG", "A caption."),
            ("a.jpg b.jpg", "file:///home/me/a.jpg", "b.jpg"),
            ("no suffix here", "file:///home/me/no", "suffix here"),
            ("http://h/a b.jpg", "http://h/a", "b.jpg"),
            ("my cat.jpg\tMy cat", "file:///home/me/my%20cat.jpg", "My cat"),
            ("\"my cat.jpg\" My cat", "file:///home/me/my%20cat.jpg", "My cat"),
            ("data:image/png;base64,AA==", "data:image/png;base64,AA==", "data: image"),
            ("file:///tmp/a.jpg", "file:///tmp/a.jpg", "a.jpg"),
        ]
    )
    func `a line gives its URL and caption`(line: String, url: String, caption: String) throws {
        let items = try feed(line)

        #expect(items == [FeedItem(url: url, caption: caption)])
    }

    // The parser uses bytes: combining characters after a separator make no difference.
    @Test(
        arguments: [
            ("http://h/a \u{301}x", "http://h/a", "\u{301}x"),
            ("my cat.jpg\t\u{301}x", "file:///home/me/my%20cat.jpg", "\u{301}x"),
            ("\"my cat.jpg\"\u{301} x", "file:///home/me/my%20cat.jpg", "\u{301} x"),
            ("\"\u{301}a b.jpg\" x", "file:///home/me/%CC%81a%20b.jpg", "x"),
            ("e\u{301}:b.jpg x", "file:///home/me/e%CC%81:b.jpg", "x"),
            ("a.jpg\u{3000}b.jpg", "file:///home/me/a.jpg%E3%80%80b.jpg", "a.jpg\u{3000}b.jpg"),
            ("a.jpg\t\u{3000}x\u{A0}", "file:///home/me/a.jpg", "x"),
            ("a.jpg\t\u{3000}", "file:///home/me/a.jpg", "a.jpg"),
            ("http://h/my cat.jpg\tx y", "http://h/my%20cat.jpg", "x y"),
            ("http://h/a.jpg my cat", "http://h/a.jpg", "my cat"),
        ]
    )
    func `a line is split at spaces and tabs, whatever follows them`(
        line: String,
        url: String,
        caption: String
    ) throws {
        let items = try feed(line)

        #expect(items == [FeedItem(url: url, caption: caption)])
    }

    @Test(arguments: [
        ("http://h/a/b%20c.jpg?x=/y#/z", "b c.jpg"), ("http://h/a//", "a"), ("http://h/", "h"),
        ("http://h", "h"), ("http://h/?a/b", "h"), ("http://u:p@h/a.jpg", "a.jpg"),
        ("http://h/%2Fa%zz", "/a%zz"), ("data:image/png;base64,AA==", "data: image"),
        ("//", "//"),
    ])
    func `a URL without a caption is shown as the last part of its path`(
        url: String,
        caption: String
    ) {
        #expect(FeedItem(url: url).caption == caption)
    }

    @Test func `blank lines, comments, a byte order mark and CRLF are skipped`() throws {
        let items = try feed("\u{FEFF}# feed\r\n\r\n  \t\r\nhttp://h/1\r\n  # more\r\nhttp://h/2 b")

        #expect(items.map(\.url) == ["http://h/1", "http://h/2"])
        #expect(items.map(\.caption) == ["1", "b"])
    }

    /// As in Python's `urllib.parse` and in browsers.
    @Test(arguments: ["http://h/a\tb.png", "ht\ntp://h/ab.png\r", "\t\nhttp://h/\r\nab.png"])
    func `tabs and line breaks in a URL are removed, as by the URL standard`(text: String) {
        let parser = FeedLineParser(base: .url("http://h/"), origin: .remoteFeed)

        let item = parser.item(target: text, caption: nil)

        #expect(item.problem == nil && item.url == "http://h/ab.png")
    }

    @Test(
        arguments: [
            ("ftp://h/a.jpg", "unknown scheme ftp:"),
            ("javascript:alert(1)", "unknown scheme javascript:"),
            ("http://", "no host in URL"), ("http:\u{200D}//h/a.jpg", "no host in URL"),
            ("http:a.jpg", "no host in URL"),
            ("http://h/\u{1B}[2J", "control character in URL"),
        ]
    )
    func `an unusable line becomes an item with its reason`(
        line: String,
        problem: String
    ) throws {
        let items = try feed(line + "\nhttp://h/good.jpg")

        #expect(items.map(\.problem) == [problem, nil])
    }

    @Test func `a web URL has two slashes before its host`() throws {
        let items = try feed("http:/h/a.jpg\nhttp:///h/b.jpg\nhttps:\\\\h\\c.jpg\nhttp://h//d.jpg")

        #expect(
            items.map(\.url) == [
                "http://h/a.jpg", "http://h/b.jpg", "https://h/c.jpg", "http://h//d.jpg",
            ]
        )
    }

    @Test func `a line over 8 KiB is one failed item`() throws {
        let items = try feed("http://h/" + String(repeating: "a", count: 9000) + "\nhttp://h/b")

        #expect(items.map(\.problem) == ["line is longer than 8 KiB", nil])
        #expect(items[0].caption.count < 100)
    }

    @Test func `a line with the data of an image may have 2 MiB`() throws {
        let data = "data:image/png;base64," + String(repeating: "A", count: 100_000)
        var growing = GrowingFeed(title: "f", base: .directory("/d"), origin: .local)
        for piece in Array((data + " one\nhttp://h/b.png\n").utf8).chunks(of: 1000) {
            growing.append(piece)
        }
        let feed = try growing.end()

        #expect([feed[0].url, feed[1].url] == [data, "http://h/b.png"])
        #expect(feed[0].caption == "one")
        let long = "data:image/png;base64," + String(repeating: "A", count: 3 << 20)
        #expect(try self.feed(long).map(\.problem) == ["line is longer than 2 MiB"])
    }

    // F32: a feed from the network reaches no local file.
    @Test func `a feed from the network can name data, but no files`() throws {
        let items = try feed(
            "file:///etc/passwd\ndata:image/png,x\n/etc/passwd\na.jpg",
            base: .url("http://h/feeds/f.txt"),
            origin: .remoteFeed
        )

        #expect(items[0].problem == "file: is not allowed in a feed from the network")
        #expect(items[1].problem == nil)
        #expect(items[2].url == "http://h/etc/passwd")
        #expect(items[3].url == "http://h/feeds/a.jpg")
    }

    @Test func `invalid UTF-8 is replaced, and reading continues`() throws {
        let bytes = Array("http://h/a ".utf8) + [0xFF, 0xC3] + Array("x\nhttp://h/b".utf8)

        let feed = try Feed(parsing: bytes, title: "f", base: .directory("/"), origin: .local)

        #expect(feed.count == 2)
        #expect(feed[0].caption == "\u{FFFD}\u{FFFD}x")
    }

    @Test func `a name that is not UTF-8 becomes the URL of its bytes`() throws {
        let bytes = Array("caf".utf8) + [0xE9] + Array(".jpg cap".utf8) + [0xE9]

        let feed = try Feed(parsing: bytes, title: "f", base: .directory("/p"), origin: .local)
        let remote = try Feed(
            parsing: bytes,
            title: "f",
            base: .url("http://h/"),
            origin: .remoteFeed
        )

        #expect(feed[0].url == "file:///p/caf%E9.jpg" && feed[0].caption == "cap\u{FFFD}")
        #expect(remote[0].url == "http://h/caf%E9.jpg")
        #expect(FeedItem(filePath: [0x2F, 0xE9]).url == "file:///%E9")
        #expect(FeedItem(filePath: [0x2F, 0xE9]).caption == "\u{FFFD}")
    }

    @Test(arguments: [
        ("http://user:secret@host/", "host"), ("http://secret@host", "host"),
        ("https://user:secret@host/a.jpg?x=1", "a.jpg"), ("http://u:sec/ret@host/a.jpg", "…"),
        ("htps://user:secret@host/", "host"), ("http://host/me@home.jpg", "me@home.jpg"),
    ])
    func `a URL's login is not part of its caption`(line: String, caption: String) throws {
        let feed = try Feed(
            parsing: Array(line.utf8),
            title: "f",
            base: .directory("/"),
            origin: .local
        )

        #expect(feed[0].caption == caption)
    }

    @Test(
        arguments: [
            ("", "contains no images"), ("# only a comment\n", "contains no images"),
            ("<?xml version=\"1.0\"?><plist/>", "is XML, but not a feed"),
            ("{\n\"version\": 7}", "a JSON object"),
            ("a\0b", "is not a text file"),
        ]
    )
    func `a file that is not a feed is described in one line`(text: String, fault: String) {
        let error = #expect(throws: FeedError.self) { try feed(text) }

        let description = error?.description ?? ""
        #expect(description.hasPrefix("f: "))
        #expect(description.contains(fault))
        #expect(description.contains("one image URL or path per line"))
        #expect(!description.contains("\n"))
    }

    @Test(
        arguments: [
            ([0xFF, 0xD8, 0xFF, 0xE0], "is JPEG data, not a feed"),
            ([0x1F, 0x8B, 8, 0], "is compressed with gzip; decompress it with zcat"),
            ([0x50, 0x4B, 3, 4, 20, 0], "is an archive; archives can only be read from files"),
            (
                [UInt8](repeating: 0x61, count: 257) + Array("ustar\0".utf8),
                "is an archive; archives can only be read from files"
            ),
        ] as [([UInt8], String)]
    )
    func `another kind of file given as a feed is named`(bytes: [UInt8], fault: String) {
        let error = #expect(throws: FeedError.self) {
            try Feed(parsing: bytes, title: "f", base: .directory("/"), origin: .local)
        }

        #expect(error?.description.hasPrefix("f: \(fault)") == true)
    }
}

extension [UInt8] {
    func chunks(of count: Int) -> [[UInt8]] {
        stride(from: 0, to: self.count, by: count).map { start in
            Array(self[start..<Swift.min(start + count, self.count)])
        }
    }
}
