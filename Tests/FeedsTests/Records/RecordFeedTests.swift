import Foundation
import ImageLoading
import Testing

@testable import Feeds

/// Tables and lists of JSON as feeds.
@Suite struct RecordFeedTests {
    private func feed(
        _ text: String,
        name: String = "f",
        origin: RequestOrigin = .local,
        _ change: (inout FeedOptions) -> Void = { _ in }
    ) throws -> Feed {
        var options = FeedOptions()
        change(&options)
        return try Feed(
            parsing: Array(text.utf8),
            title: name,
            base: origin.isRemote ? .url("http://h/x/f") : .directory("/d"),
            origin: origin,
            options: options
        )
    }

    private func items(_ feed: Feed) -> [FeedItem] { (0..<feed.count).map { feed[$0] } }

    // MARK: - Formats

    @Test(
        arguments: [
            #"{"url":"http://h/1.jpg","caption":"A"}"# + "\n"
                + #"{"url":"http://h/2.jpg","caption":"B"}"#,
            "\u{FEFF}\r\n" + #"{"url":"http://h/1.jpg","caption":"A"}"# + "\r\n\r\n"
                + #"  {"url":"http://h/2.jpg","caption":"\u0042"}"# + "\r\n",
            #"[{"url":"http://h/1.jpg","caption":"A"},{"url":"http://h/2.jpg","caption":"B"}]"#,
            "[\n  {\n    \"url\": \"http://h/1.jpg\",\n    \"caption\": \"A\"\n  },\n"
                + "  {\"caption\": \"B\", \"url\": \"http:\\/\\/h\\/2.jpg\"}\n]\n",
            "url,caption\nhttp://h/1.jpg,A\nhttp://h/2.jpg,B\n",
            "\u{FEFF}caption;URL\r\nA;http://h/1.jpg\r\n\r\n\"B\";\"http://h/2.jpg\"",
            "Image URL\tTitle\tid\nhttp://h/1.jpg\tA\t7\nhttp://h/2.jpg\tB\t8\n",
        ]
    )
    func `records give URLs and captions`(text: String) throws {
        let items = items(try feed(text))

        #expect(items.map(\.url) == ["http://h/1.jpg", "http://h/2.jpg"])
        #expect(items.map(\.caption) == ["A", "B"])
    }

    @Test(
        arguments: [
            #"{"count":2,"data":{"images":[{"url":"1.jpg","title":"A"},{"url":"2.jpg"}]}}"#,
            "{\n\"kinds\": [\"x\"],\n\"data\": {\"images\": "
                + "[\n{\"url\":\"1.jpg\",\"title\":\"A\"},\n"
                + "{\"url\":\"2.jpg\"}]}\n}\n",
            "\u{FEFF}" + #"{"data":{"images":["1.jpg","2.jpg"]},"next":null}"#,
        ]
    )
    func `an object's list is shown`(text: String) throws {
        let whole = try feed(text, origin: .remoteFeed)
        #expect(items(whole).map(\.url) == ["http://h/x/1.jpg", "http://h/x/2.jpg"])

        var growing = GrowingFeed(title: "f", base: .url("http://h/x/f"), origin: .remoteFeed)
        growing.append(Array(text.utf8))
        #expect(items(try growing.end()).map(\.url) == ["http://h/x/1.jpg", "http://h/x/2.jpg"])

        var list = GrowingFeed(title: "f", base: .url("http://h/x/f"), origin: .remoteFeed)
        list.append(Array(text.utf8) + [UInt8(ascii: "\n")])
        #expect(try list.takePiece()?.count == nil)
        #expect(try list.takePiece(isEnd: true)?.count == nil)
        #expect(list.document != nil, "left to be read as a whole")
    }

    @Test func `the key of the list's elements, or of the object, can be specified`() throws {
        let text = #"{"id":"c.jpg","images":[{"url":"1.jpg","large":"2.jpg"},{"url":"3.jpg"}]}"#

        let first = try feed(text)[0]
        #expect(first.url == "file:///d/1.jpg")
        #expect(try feed(text) { $0.urlKey = "large" }[0].url == "file:///d/2.jpg")
        #expect(items(try feed(text) { $0.urlKey = "id" }).map(\.url) == ["file:///d/c.jpg"])
    }

    @Test func `a list of strings is a list of URLs`() throws {
        #expect(
            items(try feed(#"["http://h/1.jpg", "a b.png"]"#)).map(\.url)
                == ["http://h/1.jpg", "file:///d/a%20b.png"]
        )
        #expect(
            items(try feed("\"http://h/1\"\n\"http://h/2\"\n", name: "l.jsonl")).map(\.url)
                == ["http://h/1", "http://h/2"]
        )
    }

    @Test(
        arguments: [
            "http://h/a,b.jpg A, caption\nhttp://h/2.jpg",
            "a,b;c.jpg\n", "# url,caption\nhttp://h/1.jpg", "http://h/?url,image\nhttp://h/2",
            "picture of me, you.jpg", "file,a.jpg",
        ]
    )
    func `plain text with commas is not a table`(text: String) throws {
        #expect(FeedFormat.sniffed(from: Array(text.utf8), name: "list.txt") == .plainText)
    }

    @Test func `a table may have no heading, or one column`() throws {
        let bare = try feed("http://h/1.jpg,A\nhttp://h/2.jpg,B\n", name: "t.csv")
        #expect(items(bare).map(\.url) == ["http://h/1.jpg", "http://h/2.jpg"])
        #expect(bare[0].details?.fields.map(\.name) == ["2"])
        #expect(items(try feed("photo\nhttp://h/1\n", name: "t.csv")).map(\.url) == ["http://h/1"])
    }

    // MARK: - Which field is which

    @Test(
        arguments: [
            (
                #"{"id":"x","url":"http://h/page","image":"http://h/1.jpg","title":"T"}"#, "image",
                "title"
            ),
            (
                #"{"media":[{"url":"http://h/1","alt":"T"}],"url":"p"}"#, "media.0.url",
                "media.0.alt"
            ),
            (#"{"a":{"b":"http://h/1.png"},"text":"T"}"#, "a.b", "text"),
            (#"{"user":{"avatar":"http://h/u.jpg"},"src":"http://h/1"}"#, "src", nil),
            (#"{"file_name":"a.jpg","caption":"T"}"#, "file_name", "caption"),
            (#"{"images":["http://h/1.jpg"],"name":"T"}"#, "images.0", "name"),
            (#"{"thumbnail":"http://h/t.jpg","url":"http://h/1.jpg"}"#, "url", nil),
        ]
    )
    func `the fields are detected by names and values, and reported`(
        record: String,
        url: String,
        caption: String?
    ) throws {
        let feed = try feed(record + "\n", name: "l.jsonl")

        let captions = caption.map { ", captions from \"\($0)\"" } ?? ""
        #expect(feed.remark == "l.jsonl: image URLs from \"\(url)\"\(captions)")
        if caption != nil { #expect(feed[0].caption == "T") }
    }

    @Test func `the user's keys are used, and nothing is reported`() throws {
        let record = #"{"url":"http://h/1.jpg","big":{"u.x":"http://h/2.jpg"},"t":"T"}"# + "\n"
        let keyed = try feed(record) {
            $0.urlKey = "big.u.x"
            $0.captionKey = "t"
        }
        #expect(items(keyed).map(\.url) == ["http://h/2.jpg"])
        #expect(keyed[0].caption == "T")
        #expect(keyed.remark == nil)
        let table = "a,b,c\nhttp://h/1.jpg,http://h/2.jpg,C\n"
        for column in ["b", "B", "2"] {
            let chosen = try feed(table) {
                $0.urlColumn = column
                $0.captionColumn = "3"
            }
            #expect(chosen[0].url == "http://h/2.jpg")
            #expect(chosen[0].caption == "C")
        }
    }

    @Test func `if nothing matches, the keys and the option are named`() throws {
        #expect(
            throws: FeedError(
                "l.jsonl: no key with image URLs was found; set it with --url-key "
                    + "(keys: id, a.b)"
            )
        ) { try feed(#"{"id":"1","a":{"b":"c"}}"#, name: "l.jsonl") }
        #expect(
            throws: FeedError(
                "l.jsonl: no key \"x\" with a text was found; correct --url-key (keys: url)"
            )
        ) { try feed(#"{"url":"http://h/1"}"#, name: "l.jsonl") { $0.urlKey = "x" } }
        #expect(
            throws: FeedError(
                "t.csv: no column with image URLs was found; set it with --url-column "
                    + "(columns: a, b\u{FFFD})"
            )
        ) { try feed("a,b\u{1B}\n1,2\n", name: "t.csv") }
    }

    // MARK: - Details

    @Test func `all other fields of a record stay with its item`() throws {
        let record =
            #"{"url":"http://h/1.jpg","caption":"C","title":"T","by":{"x":1},"author":{"name":"N"},"#
            + #""date":"2024-05-01T12:00:00Z","alt":"A","link":"https://u:p@h/page","score":0.50,"#
            + #""tags":["a","b"],"none":null,"ok":true,"who":"http://u:p@h/"}"#
        let details = try #require(try feed(record)[0].details)

        #expect(details.title == "T")
        #expect(details.author == "N")
        #expect(details.date == 1_714_564_800)
        #expect(details.alternativeText == "A")
        #expect(details.link == "https://h/page")
        #expect(
            details.fields == [
                FeedItemDetails.Field(name: "by", value: #"{"x":1}"#, isJSON: true),
                FeedItemDetails.Field(name: "score", value: "0.50", isJSON: true),
                FeedItemDetails.Field(name: "tags", value: #"["a","b"]"#, isJSON: true),
                FeedItemDetails.Field(name: "ok", value: "true", isJSON: true),
                FeedItemDetails.Field(name: "who", value: "http://h/"),
            ]
        )
        let table = "url,width,\"a \"\"b\"\"\",empty,created_at\nhttp://h/1.jpg,640,x,,1714564800\n"
        let row = try #require(try feed(table)[0].details)
        #expect(row.date == 1_714_564_800)
        #expect(row.fields.map(\.name) == ["width", "a \"b\""])
        #expect(row.fields.map(\.value) == ["640", "x"])
    }

    @Test(arguments: [0, 951_782_400, 1_714_564_805, -86_401, 4_102_444_799])
    func `dates are written as by other programs`(seconds: Int) {
        let date = Date(timeIntervalSince1970: Double(seconds))
        let expected = date.formatted(.iso8601).replacing("T", with: " ").replacing(
            "Z",
            with: " UTC"
        )
        #expect(RecordDate.text(seconds) == expected)
    }

    // MARK: - Bad input

    @Test func `bad records are failed items, and the others are shown`() throws {
        let lines = [
            #"{"url":"http://h/1.jpg"}"#, "nonsense", #"{"url":5}"#, #"{"u":"x"}"#,
            #"{"url":""}"#, String(repeating: "[", count: 100_000),
            #"{"url":"http://h/2.jpg","x":""# + String(repeating: "y", count: 3 << 20) + "\"}",
            #"{"url":"javascript:x"}"#, #"{"url":"http://h/a\u0001b"}"#,
            #"{"url":"http://h/3.jpg"}"#,
        ]
        let items = items(try feed(lines.joined(separator: "\n"), name: "l.jsonl"))
        #expect(
            items.map(\.problem) == [
                nil, "invalid JSON near byte 8: unexpected character", "\"url\" is not a string",
                "it has no field \"url\"", "the URL is empty",
                "invalid JSON near byte 128: nested deeper than 128", "record is longer than 2 MiB",
                "unknown scheme javascript:", "control character in URL", nil,
            ]
        )
        #expect(Set(items.map(\.url)).count == items.count)
    }

    @Test func `bad rows are failed items, and the others are shown`() throws {
        let text =
            "id,url\n1,http://h/1.jpg\n2\n3,\"http://h/x\n4,http://h/2.jpg\n5,,,\n6,file:///a.jpg\n"
        let items = items(try feed(text, origin: .remoteFeed))
        #expect(
            items.map(\.problem) == [
                nil, "it has 1 field, but the URL is in field 2",
                "a quotation mark is never closed", nil, "the URL is empty",
                "file: is not allowed in a feed from the network",
            ]
        )
    }

    @Test func `a truncated array shows its complete records and reports the cut`() throws {
        let feed = try feed(#"[{"url":"http://h/1.jpg"},{"url":"http://h/2.j"#)
        #expect(
            items(feed).map(\.problem) == [
                nil, "invalid JSON near byte 20: unexpected end of data",
            ]
        )
        #expect(feed.remark == "f: image URLs from \"url\"; f: truncated")
    }

    @Test func `a hundred thousand columns are a table, and duplicate names and keys are accepted`()
        throws
    {
        let columns = (0..<100_000).map { "c\($0)" }.joined(separator: ",")
        let wide = try feed("url,\(columns)\nhttp://h/1.jpg,\(columns)\n", name: "t.csv")
        #expect(wide[0].url == "http://h/1.jpg")
        #expect(wide[0].details?.fields.count == 1000)
        #expect(try feed(#"{"url":"http://h/1","url":"http://h/2"}"#)[0].url == "http://h/2")
        let doubled = try feed("url,,url\nhttp://h/1,x,http://h/2\n")
        #expect(doubled[0].url == "http://h/1")
        #expect(doubled[0].details?.fields.map(\.name) == ["url"])
    }

    @Test func `a feed from the network can't name files, whatever its format`() throws {
        for text in [#"["/etc/passwd","file:///a"]"#, "url\n/etc/passwd\nfile:///a\n"] {
            let items = items(try feed(text, name: "f.csv", origin: .remoteFeed))
            #expect(items[0].url == "http://h/etc/passwd")
            #expect(items[1].problem == "file: is not allowed in a feed from the network")
        }
    }
}
