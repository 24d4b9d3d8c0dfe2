import ImageLoading
import Testing

@testable import Feeds

/// How the bytes of feeds are text.
@Suite struct FeedTextTests {
    @Test func `UTF-16 is detected by its mark, and Latin-1 is used on request`() throws {
        let text = "url,caption\nhttp://h/1.jpg,Äh 😀\n"
        var (little, big): ([UInt8], [UInt8]) = ([0xFF, 0xFE], [0xFE, 0xFF])
        for unit in text.utf16 {
            let (high, low) = (UInt8(unit >> 8), UInt8(unit & 0xFF))
            little += [low, high]
            big += [high, low]
        }
        for bytes in [little, big] {
            let feed = try Feed(parsing: bytes, title: "f", base: .directory("/d"), origin: .local)
            #expect(feed[0].caption == "Äh 😀")
        }
        let latin1 = Array("http://h/1.jpg \u{C4}h".unicodeScalars.map { UInt8($0.value) })
        var options = FeedOptions()
        func read() throws -> Feed {
            try Feed(
                parsing: latin1,
                title: "f",
                base: .directory("/d"),
                origin: .local,
                options: options
            )
        }
        #expect(
            try read().remark
                == "f: contains invalid UTF-8; if it is an older file, try --encoding latin1"
        )
        options.encoding = .latin1
        #expect(try read()[0].caption == "Äh")
        #expect(try read().remark == nil)
    }

    @Test func `a feed in an encoding of several bytes is read, wherever its chunks end`() throws {
        let line: [UInt8] = Array("http://h/1.jpg ".utf8) + [0x83, 0x5C, 0x93, 0xFA, 0x0A]
        var options = FeedOptions()
        options.encoding = .cp932
        var growing = GrowingFeed(
            title: "f",
            base: .directory("/d"),
            origin: .local,
            options: options
        )
        for byte in line + line {
            growing.append([byte])
            #expect(try growing.feed() == nil)
        }

        let feed = try growing.end()

        #expect(feed.count == 2 && feed[1].caption == "ソ日" && feed.remark == nil)
    }

    @Test func `file names that are not UTF-8 stay unchanged`() throws {
        let name: [UInt8] = [0x61, 0xE9, 0x2E, 0x6A, 0x70, 0x67]
        for text in [name + [0x0A], Array("file\n".utf8) + name + [0x0A]] {
            let title = text.count > 8 ? "t.csv" : "t"
            let feed = try Feed(parsing: text, title: title, base: .directory("/d"), origin: .local)
            #expect(feed[0].url == "file:///d/a%E9.jpg")
            #expect(feed.remark?.contains("UTF-8") != true)
        }
    }

    @Test func `entries that end with NUL are whole paths`() throws {
        let text = "a b.jpg\0# c\n d\0http://h/\n\0\0\"q\" x.jpg\0http://h/1 2.jpg\0"
        var options = FeedOptions()
        options.endsEntriesWithZero = true
        let feed = try Feed(
            parsing: Array(text.utf8),
            title: "f",
            base: .directory("/d"),
            origin: .local,
            options: options
        )
        let items = (0..<feed.count).map { feed[$0] }
        #expect(
            items.map(\.url) == [
                "file:///d/a%20b.jpg", "file:///d/%23%20c%0A%20d", "http://h/",
                "file:///d/%22q%22%20x.jpg", "http://h/1%202.jpg",
            ]
        )
        #expect(items.allSatisfy { $0.problem == nil })
    }
}
