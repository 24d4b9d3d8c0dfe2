import BitCollections
import ImageLoading
import ImageLoadingTesting
import PropertyRuns
import Testing
import VirtualTerminal

@testable import Feeds
@testable import GalleryCore
@testable import TerminalUI

/// Which items of a feed that is read again are those of before.
@Suite struct FeedRenumberingTests {
    private func feed(_ names: [String]) -> Feed {
        Feed(items: names.map { FeedItem(url: "http://h/\($0).jpg", caption: $0) }, title: "t")
    }

    private func lines(_ names: [String]) throws -> Feed {
        let text = names.map { "http://h/\($0).jpg\t\($0)\n" }.joined()
        return try Feed(
            parsing: Array(text.utf8),
            title: "t",
            base: .directory("/"),
            origin: .local
        )
    }

    private func numbers(_ old: Feed, _ new: Feed) -> [Int?] {
        let numbers = FeedRenumbering(from: old, to: new)
        return (0..<old.count).map { numbers[$0] }
    }

    @Test func `items are recognized at any position`() {
        let old = feed(["a", "b", "c", "d"])
        let new = feed(["x", "c", "a", "y", "d"])

        let renumbering = FeedRenumbering(from: old, to: new)

        #expect(numbers(old, new) == [2, nil, 1, 4])
        #expect(Array(renumbering.added) == [0, 3])
        #expect((renumbering.addedCount, renumbering.goneCount) == (2, 1))
        #expect(!renumbering.isIdentity)
    }

    @Test func `equal items keep their order, and a common end of both lists stays`() {
        #expect(
            numbers(feed(["a", "b", "a", "c"]), feed(["c", "a", "x", "a"])) == [1, nil, 3, 0]
        )
        #expect(numbers(feed(["a", "b", "a"]), feed(["b", "a"])) == [nil, 0, 1])
    }

    @Test func `lines are recognized as items are, each in its own feed`() throws {
        let old = Feed(joining: [try lines(["a", "b"]), feed(["c"])])
        let new = Feed(joining: [try lines(["x", "b", "a"]), feed(["d", "c"])])

        #expect(numbers(old, new) == [2, 1, 4])
        #expect(FeedRenumbering(from: new, to: new).isIdentity)
    }

    @Test func `a newly signed URL is recognized by its entry, an image by its URL`() throws {
        func document(_ entries: [(id: String, pictures: [String])]) throws -> Feed {
            let items = entries.map { entry in
                let pictures = entry.pictures.map {
                    "<media:content medium='image' url='\($0)'/>"
                }
                return "<item><guid>\(entry.id)</guid>\(pictures.joined())</item>"
            }
            let text =
                "<rss xmlns:media='http://search.yahoo.com/mrss/'><channel>\(items.joined())"
                + "</channel></rss>"
            return try Feed(
                parsing: Array(text.utf8),
                title: "t",
                base: .url("http://h/feed"),
                origin: .remoteFeed
            )
        }
        let old = try document([
            ("1", ["http://h/a?s=1", "http://h/b?s=1"]), ("2", ["http://h/c", "http://h/d"]),
        ])
        let new = try document([
            ("3", ["http://h/a?s=1"]), ("1", ["http://h/a?s=2", "http://h/b?s=2"]),
            ("2", ["http://h/new", "http://h/c", "http://h/d"]),
        ])

        #expect(numbers(old, new) == [0, 2, 4, 5])
        #expect(Array(FeedRenumbering(from: old, to: new).added) == [1, 3])
    }

    @Test(arguments: [UInt64(1), 2, 3])
    func `whatever is added or removed, selections stay with their image`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<PropertyRuns.count(100) {
            let names = (0..<Int.random(in: 1...60, using: &generator)).map { "n\($0)" }
            let old = Array(names.shuffled(using: &generator).prefix(40))
            let new = Array(names.shuffled(using: &generator).prefix(45))
            var gallery = Gallery(count: 0)
            gallery.send(.feed(.success(try lines(old))))
            for place in old.indices where Bool.random(using: &generator) {
                gallery.press(":\(place + 1)")
                gallery.press(.enter, .character("m"))
            }
            gallery.press(":\(Int.random(in: 1...old.count, using: &generator))")
            gallery.press(.enter)
            let selected = gallery.state.selectedItem.map { old[$0] }
            let marked = Set(gallery.state.choices.marks.map { old[$0] })

            let change = FeedReload.Change(from: try lines(old), to: try lines(new))
            gallery.send(.reloaded(FeedReload(change: change)))

            let state = gallery.state
            #expect(Set(state.choices.marks.map { new[$0] }) == marked.intersection(new))
            if let selected, new.contains(selected) {
                #expect(state.selectedItem.map { new[$0] } == selected)
            }
            #expect(Set(change.numbers.added.map { new[$0] }) == Set(new).subtracting(old))
            #expect(change.numbers.goneCount == Set(old).subtracting(new).count)
            let captions = state.visibleItems.map { state.pool.slot(ofItem: $0)?.caption }
            #expect(captions == state.visibleItems.map { new[$0] })
        }
    }
}
