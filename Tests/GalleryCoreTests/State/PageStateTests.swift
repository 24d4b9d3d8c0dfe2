import ImageLoading
import Testing
import VirtualTerminal

@testable import Feeds
@testable import GalleryCore
@testable import TerminalUI

/// Feeds that are read page by page as one comes near their end.
@Suite struct PageStateTests {
    @Test func `the next page is requested near the end, once`() {
        var gallery = Gallery(count: 0)
        let atStart = gallery.send(.feed(.success(feed(100))))
        let atEnd = gallery.press(.end)
        let again = gallery.press(.up, .down)

        #expect(pages(atStart).isEmpty)
        #expect(pages(atEnd) == ["http://h/2"])
        #expect(pages(again).isEmpty)
    }

    @Test func `the next page is requested as the user approaches it`() throws {
        var gallery = Gallery(count: 0)
        let first = feed(2)
        let asked = gallery.send(.feed(.success(first)))
        let next = try #require(first.nextPages.first)
        var piece = feed(3)
        piece.nextPages = [page(3)]

        let feed = try #require(first.continued(by: .success(piece), after: next))
        let effects = gallery.send(.feedChanged(feed))

        #expect(pages(asked) == ["http://h/2"] && pages(effects) == ["http://h/3"])
        #expect(gallery.state.itemCount == 5)
    }

    @Test func `a feed that is opened again starts over`() {
        var gallery = Gallery(count: 0)
        let feed = feed(2)

        let effects = (0..<2).map { _ in gallery.send(.feed(.success(feed))) }

        #expect(effects.map(pages) == [["http://h/2"], ["http://h/2"]])
    }

    @Test func `while a part is shown no page is requested`() {
        var gallery = Gallery(count: 0)
        gallery.send(.feed(.success(feed(100))))
        gallery.press("f")
        gallery.press("9")

        #expect(pages(gallery.press(.end)).isEmpty)
    }

    // MARK: Read again

    /// Two pages of two pictures each; the third page has not been read.
    private func twoPages() throws -> Feed {
        let first = feed(numbers: 10..<12)
        let next = try #require(first.nextPages.first)
        var piece = feed(numbers: 12..<14)
        piece.nextPages = [page(3)]
        return try #require(first.continued(by: .success(piece), after: next))
    }

    private func names(_ feed: Feed) -> [String] {
        (0..<feed.count).map { feed[$0].url.split(separator: "/").last.map(String.init) ?? "" }
    }

    @Test func `later pages stay when the first page is read again`() throws {
        let old = try twoPages()

        let change = FeedReload.Change(from: old, to: feed(numbers: 8..<10, 10..<11))

        #expect(names(change.feed) == ["8.jpg", "9.jpg", "10.jpg", "11.jpg", "12.jpg", "13.jpg"])
        #expect((0..<4).map { change.numbers[$0] } == [2, 3, 4, 5])
        #expect(change.numbers.addedCount == 2 && change.numbers.goneCount == 0)
        #expect(change.feed.nextPages.map(\.url) == ["http://h/3"])
        #expect(change.feed.isOpen)
        // And once more.
        let again = FeedReload.Change(from: change.feed, to: feed(numbers: 7..<8, 9..<11))
        #expect(
            names(again.feed).map { String($0.prefix { $0 != "." }) }
                == ["7", "9", "10", "11", "12", "13"]
        )
        #expect(again.numbers.addedCount == 1 && again.numbers.goneCount == 1)
    }

    @Test func `a first page without any known item starts the feed over`() throws {
        let change = FeedReload.Change(from: try twoPages(), to: feed(numbers: 1..<3))

        #expect(names(change.feed) == ["1.jpg", "2.jpg"])
        #expect(change.numbers.goneCount == 4)
        #expect(change.feed.nextPages.map(\.url) == ["http://h/2"])
    }

    private func feed(numbers: Range<Int>...) -> Feed {
        let items = numbers.joined().map { FeedItem(url: "http://h/\($0).jpg") }
        var feed = Feed(items: items, title: "f")
        feed.nextPages = [page(2)]
        feed.isOpen = true
        return feed
    }

    private func page(_ number: Int) -> FeedPage {
        FeedPage(
            url: "http://h/\(number)",
            start: "http://h/1",
            number: number - 1,
            title: "f",
            origin: .remoteFeed
        )
    }

    private func feed(_ count: Int) -> Feed {
        var feed = Feed(items: (0..<count).map { FeedItem(url: "http://h/\($0).jpg") }, title: "f")
        feed.nextPages = [page(2)]
        feed.isOpen = true
        return feed
    }

    private func pages(_ effects: [Effect]) -> [String] {
        effects.compactMap { if case .feed(.readPage(let page)) = $0 { page.url } else { nil } }
    }
}

/// How sites are visited.
@Suite struct PagePolitenessTests {
    private var visits = PagePoliteness()
    private let start = ContinuousClock.now

    @Test mutating func `a site's rules are requested once, before its second page`() {
        #expect(visits.step(to: page("http://h/2"), at: start) == .askRobots("http://h/robots.txt"))
        visits.take(.none, for: page("http://h/2"))

        #expect(visits.step(to: page("http://h/2"), at: start) == .read)
        #expect(
            visits.step(to: page("http://other:81/3", 2), at: start)
                == .askRobots("http://other:81/robots.txt")
        )
    }

    @Test(arguments: [
        ("", 1.0), ("Crawl-delay: 5", 5), ("Crawl-delay: 0", 1), ("Crawl-delay: 86400", 60),
    ])
    mutating func `there is a pause between two pages of a site`(rule: String, seconds: Double) {
        visits.take(.rules(Array("User-agent: *\n\(rule)".utf8)), for: page("http://h/2"))

        #expect(visits.step(to: page("http://h/2"), at: start) == .read)
        #expect(visits.step(to: page("http://h/3", 2), at: start) == .wait(.seconds(seconds)))
        #expect(visits.step(to: page("http://h/3", 2), at: start + .seconds(seconds)) == .read)
    }

    @Test mutating func `no page is read twice, not even the first`() {
        visits.take(.none, for: page("http://h/2"))
        #expect(visits.step(to: page("http://h/2"), at: start) == .read)

        for (url, number) in [("http://h/2", 2), ("http://h/1", 2)] {
            guard case .refuse(let reason) = visits.step(to: page(url, number), at: start) else {
                return #expect(Bool(false), "\(url) is read again")
            }
            #expect(reason == "the link to the next page leads back to an earlier page")
        }
        // Who reads the feed again reads its pages again.
        #expect(visits.step(to: page("http://h/2"), at: start + .seconds(9)) == .read)
    }

    @Test mutating func `an endless feed is ended`() {
        visits.take(.none, for: page("http://h/2"))

        #expect(visits.step(to: page("http://h/x", 199), at: start) == .read)
        #expect(
            visits.step(to: page("http://h/y", 200), at: start)
                == .refuse("only the first 200 pages are read")
        )
    }

    @Test mutating func `forbidden pages are not read, nor any page if the rules cannot be read`() {
        visits.take(
            .rules(Array("User-agent: TermGallery\nDisallow: /*?page=".utf8)),
            for: page("http://h/")
        )
        visits.take(.unavailable("503"), for: page("http://down/"))

        let refused = visits.step(to: page("http://h/a?page=2"), at: start)
        let unknown = visits.step(to: page("http://down/2"), at: start)

        #expect(refused == .refuse("http://h/robots.txt forbids the next page"))
        #expect(
            unknown
                == .refuse(
                    "the next page was not read because http://down/robots.txt cannot be read"
                )
        )
        #expect(visits.step(to: page("http://h/a?p=2"), at: start) == .read)
    }

    private func page(_ url: String, _ number: Int = 1) -> FeedPage {
        FeedPage(url: url, start: "http://h/1", number: number, title: "f", origin: .remoteFeed)
    }
}
