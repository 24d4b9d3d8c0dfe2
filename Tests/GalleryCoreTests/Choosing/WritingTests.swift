import ImageLoading
import ImageLoadingTesting
import Testing
import VirtualTerminal

@testable import Feeds
@testable import GalleryCore
@testable import TerminalUI

@Suite struct WritingTests {
    private func read(_ lines: [UInt8]) throws -> [FeedItem] {
        let feed = try Feed(
            parsing: lines,
            title: "f",
            base: .directory("/elsewhere"),
            origin: .local
        )
        return (0..<feed.count).map { feed[$0] }
    }

    @Test func `a written list is read again unchanged`() throws {
        let items = [
            FeedItem(url: "http://h/a.jpg"),
            FeedItem(url: "http://h/a.jpg?x=1#y", caption: "A caption, and \"more\""),
            FeedItem(filePath: "/p/plain.png"),
            FeedItem(filePath: "/p/with blank.png"),
            FeedItem(filePath: "/p/tab\tand\nbreak.png"),
            FeedItem(filePath: "/p/100%.png"),
            FeedItem(filePath: [0x2F, 0xFF, 0xFE]),
            FeedItem(filePath: "/p/étang.png"),
            FeedItem(url: "data:image/png;base64,AAAA", caption: "in the feed"),
            FeedItem(url: "data:image/png;base64," + String(repeating: "A", count: 9000)),
        ]
        let lines = items.compactMap(\.feedLine).flatMap(\.self)
        let found = try read(lines)
        #expect(found.map(\.url) == items.map(\.url))
        let plain = items.filter { !$0.caption.contains("\n") }
        let captions = zip(items, found).filter { !$0.0.caption.contains("\n") }.map(\.1.caption)
        #expect(captions == plain.map(\.caption))
    }

    @Test func `captions lose line breaks, and no line is too long`() throws {
        let long = String(repeating: "wörd ", count: 5000)
        let items = [
            FeedItem(url: "http://h/1", caption: "two\nlines\u{1B}[2J and\ta tab "),
            FeedItem(url: "http://h/2", caption: long),
        ]
        let found = try read(items.compactMap(\.feedLine).flatMap(\.self))
        #expect(found[0].caption == "two lines [2J and a tab")
        #expect(found[1].problem == nil && found[1].caption.hasPrefix("wörd wörd"))
    }

    @Test func `failed lines and names with line breaks are left out`() {
        #expect(FeedItem(url: "ftp://x", problem: "unknown scheme").feedLine == nil)
        let long = "http://h/" + String(repeating: "a", count: 9000)
        #expect(FeedItem(url: long).feedLine == nil)
    }

    @Test func `a random selection is read again unchanged`() throws {
        var generator = SeededGenerator(seed: 11)
        let pieces = ["a", " ", "\t", "%20", "é", "e\u{301}", "#", "\"", "日本", ".jpg", "\u{202E}"]
        for _ in 0..<300 {
            func text() -> String {
                (0..<Int.random(in: 1...8, using: &generator))
                    .map { _ in pieces.randomElement(using: &generator) ?? "" }.joined()
            }
            let item = FeedItem(filePath: "/\(text())/\(text())")
            let line = try #require(item.feedLine)
            let found = try read(line)
            #expect(found.count == 1 && found.first?.url == item.url)
        }
    }

    @Test func `the list is written as shown, or only its marked items`() {
        var gallery = Gallery(count: 5)
        gallery.press(":write a b.txt")
        #expect(
            gallery.press(.enter) == [
                .external(.write(file: "a b.txt", ItemOrder(feedCount: 5), overwrites: false))
            ]
        )
        gallery.press("lmm:w! /x")
        let marked = ItemOrder(items: [1, 2], isAscending: false)
        #expect(
            gallery.press(.enter)
                == [.external(.write(file: "/x", marked, overwrites: true))]
        )
        gallery.press(":write")
        #expect(gallery.press(.enter).isEmpty)
        #expect(gallery.lines.last?.contains(":write FILE") == true)
        gallery.press(":quit! now")
        #expect(gallery.press(.enter).isEmpty)
    }

    @Test func `Tab completes paths, and uses an answer only while it still fits`() {
        var gallery = Gallery()
        gallery.press(":open --url-key=a.b ~/Pi")
        #expect(gallery.press(.control("i")) == [.completePath("~/Pi")])
        gallery.send(.pathCompletions(["~/Pictures/", "~/Pine"], of: "~/Pi"))
        #expect(gallery.lines.last?.contains("Pictures/  Pine") == true)
        gallery.send(.pathCompletions(["~/Pictures/"], of: "~/Pi"))
        #expect(gallery.lines.last?.contains(":open --url-key=a.b ~/Pictures/") == true)
        gallery.send(.pathCompletions(["~/Pixel"], of: "~/Pi"))
        #expect(gallery.lines.last?.contains("~/Pictures/") == true)
        gallery.press(.escape)
        gallery.send(.pathCompletions(["~/Pictures/x"], of: "~/Pictures/"))
        #expect(gallery.state.prompt.overlay == nil)
    }
}
