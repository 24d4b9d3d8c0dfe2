import BitCollections
import ImageLoading
import Testing
import VirtualTerminal

@testable import Feeds
@testable import GalleryCore
@testable import TerminalUI

/// New images, and images that the user has seen.
@Suite struct ReadingStateTests {
    private func gallery(unread: [Int], count: Int = 100) -> Gallery {
        var gallery = Gallery(count: count)
        gallery.send(.unread(unread, of: [0..<count]))
        return gallery
    }

    private func kept(_ effects: [Effect]) -> [Int] {
        effects.flatMap { effect -> [Int] in
            if case .feed(.keepReading(let read, _)) = effect { read } else { [] }
        }
    }

    @Test func `an image is new until it was selected and left, or opened`() {
        var gallery = gallery(unread: [0, 1, 2, 3])

        #expect(kept(gallery.send(.tick)) == [])
        #expect(kept(gallery.press(.right)) == [0, 1])
        #expect(kept(gallery.press(.enter)) == [])
        #expect(kept(gallery.press("n")) == [2])
        #expect(Array(gallery.state.reading.unread) == [3])
    }

    @Test func `a feed that moves under the selection does not count as viewed`() {
        var gallery = gallery(unread: [0, 1])
        let old = Feed(items: [FeedItem(url: "http://h/0.jpg")], title: "test")
        let new = Feed(items: [FeedItem(url: "http://h/9.jpg"), old[0]], title: "test")
        gallery.send(.feed(.success(old)), .unread([0], of: [0..<1]))

        let effects = gallery.send(.reloaded(FeedReload(change: .init(from: old, to: new))))

        #expect(kept(effects) == [])
        #expect(Array(gallery.state.reading.unread) == [0, 1])
    }

    @Test func `images found in the folder of an open image are not new`() {
        var gallery = Gallery(count: 0)
        let image = Feed(items: [FeedItem(url: "http://h/1.jpg")], title: "test")
        let folder = Feed(items: [FeedItem(url: "http://h/0.jpg"), image[0]], title: "test")
        gallery.send(.feed(.success(image)))

        let change = FeedReload.Change(from: image, to: folder)
        gallery.send(.reloaded(FeedReload(change: change, isQuiet: true, isNews: false)))

        #expect(gallery.state.selectedItem == 1)
        #expect(gallery.state.reading.unread.isEmpty)
        #expect(gallery.state.notice == nil)
    }

    @Test func `new images are counted and marked`() {
        let gallery = gallery(unread: [1, 2, 50])

        #expect(gallery.lines.contains { $0.contains("• Picture 1 ") })
        #expect(!gallery.lines.contains { $0.contains("• Picture 0") })
        #expect(gallery.lines.last?.contains("3 new") == true)
    }

    @Test func `Tab goes from one new image to the next, and wraps around`() {
        var gallery = gallery(unread: [5, 60])

        gallery.press(.control("i"))
        #expect(gallery.state.selectedItem == 5)
        gallery.press(.control("i"))
        #expect(gallery.state.selectedItem == 60)
        gallery.press(.control("i"))
        #expect(gallery.lines.last?.contains("nothing new") == true)
    }

    @Test func `one key marks all as seen and undoes that`() {
        var gallery = gallery(unread: [5, 6])

        #expect(kept(gallery.press("v")) == [5, 6])
        #expect(gallery.state.reading.unread.isEmpty)
        #expect(gallery.press("v").contains(.feed(.keepReading(read: [], unread: [5, 6]))))
        #expect(Array(gallery.state.reading.unread) == [5, 6])
    }

    @Test func `the filter can select new images`() throws {
        var gallery = gallery(unread: [5, 6])
        gallery.press("f")
        let effects = gallery.press("is:new")

        let known = effects.compactMap { effect -> (ItemArrangement, KnownItems)? in
            if case .finding(.arrange(let arrangement, let known, _)) = effect {
                (arrangement, known)
            } else {
                nil
            }
        }.last
        let (arrangement, items) = try #require(known)
        let feed = try #require(try gallery.state.feed?.get())
        var arranger = FeedArranger(feed: feed) { _ in nil }
        let order = arranger.order(arrangement, known: items) { false }
        #expect(order?.count == 2 && order?[0] == 5)
    }

    @Test func `each feed of a list has its own record; a very long feed has none`() throws {
        var one = Feed(items: [FeedItem(url: "http://h/1.jpg")], title: "a", origin: .remoteFeed)
        one.subscription = 7
        let two = Feed(items: [FeedItem(filePath: "/a.jpg")], title: "b")
        var three = one
        three.subscription = 8
        let all = Feed(joining: [one, two, Feed(joining: [three])])

        #expect(all.subscriptions.map(\.number) == [7, 8])
        #expect(all.subscriptions.map(\.range) == [0..<1, 2..<3])
        #expect(one.hasNews && !two.hasNews)
        let items = Array(repeating: one[0], count: 20_001)
        let long = Feed(items: items, title: "c", origin: .remoteFeed)
        #expect(!long.hasNews)
    }
}
