import ImageLoading
import Testing

@testable import Feeds
@testable import GalleryCore

@Suite struct ReadingProgressTests {
    private func state(unread items: [Int]) -> ReadingState {
        var state = ReadingState()
        state.take(unread: items, of: [0..<10], feedCount: 10)
        return state
    }

    @Test func `known ranges replace what was known, and items beyond the feed are ignored`() {
        var state = state(unread: [1, 5])
        state.take(unread: [2, 10], of: [0..<4], feedCount: 10)
        #expect(Array(state.unread) == [2, 5])
    }

    @Test func `a seen item is saved once`() {
        var state = state(unread: [1, 5])
        #expect(state.see([1, 3]) == [.feed(.keepReading(read: [1], unread: []))])
        #expect(state.see([1]) == [])
        #expect(Array(state.unread) == [5])
    }

    @Test func `the search for new items continues at the start of the list`() {
        let state = state(unread: [1, 5])
        let order = ItemOrder(feedCount: 10)
        #expect(state.nextUnread(after: 0, in: order) == 1)
        #expect(state.nextUnread(after: 1, in: order) == 5)
        #expect(state.nextUnread(after: 5, in: order) == 1)
        #expect(state.nextUnread(after: 0, in: ItemOrder(feedCount: 1)) == nil)
        #expect(state.nextUnread(after: 0, in: ItemOrder(feedCount: 0)) == nil)
    }

    @Test func `seeing all items can be undone until one of them is new`() {
        var state = state(unread: [1, 5])
        let seen = state.seeAll(undoHint: "; R undoes")
        #expect(seen.effects == [.feed(.keepReading(read: [1, 5], unread: []))])
        #expect(seen.notice.text == "2 no longer new; R undoes")
        let undone = state.seeAll(undoHint: "")
        #expect(undone.effects == [.feed(.keepReading(read: [], unread: [1, 5]))])
        #expect(Array(state.unread) == [1, 5])
        var empty = ReadingState()
        #expect(empty.seeAll(undoHint: "").effects == [])
    }

    @Test func `a page is requested once, when it is needed`() {
        let page = FeedPage(
            url: "http://h/2",
            start: "http://h",
            number: 1,
            title: "",
            origin: .local
        )
        var state = ReadingState()
        #expect(state.follow(nextPage: page, isNeeded: false) == [])
        #expect(state.follow(nextPage: page, isNeeded: true) == [.feed(.readPage(page))])
        #expect(state.follow(nextPage: page, isNeeded: true) == [])
        #expect(state.follow(nextPage: nil, isNeeded: true) == [])
        #expect(state.follow(nextPage: page, isNeeded: true) == [.feed(.readPage(page))])
    }
}
