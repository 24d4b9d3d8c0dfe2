import BitCollections
import ImageLoading
import Testing
import VirtualTerminal

@testable import Feeds
@testable import GalleryCore
@testable import TerminalUI

/// A feed that is read again while it is looked at.
@Suite struct ReloadStateTests {
    private func feed(_ names: some Sequence<Int>) -> Feed {
        let items = names.map { FeedItem(url: "http://h/\($0).jpg", caption: "Picture \($0)") }
        return Feed(items: items, title: "test")
    }

    private func reload(
        _ old: some Sequence<Int>,
        _ new: some Sequence<Int>,
        _ faults: [String] = [],
        isQuiet: Bool = false
    ) -> Message {
        let change = FeedReload.Change(from: feed(old), to: feed(new))
        return .reloaded(FeedReload(change: change, faults: faults, isQuiet: isQuiet))
    }

    private func bound(_ effects: [Effect]) -> [Int] {
        effects.compactMap { effect in
            if case .bind(_, let item, _, _, _) = effect { item } else { nil }
        }
    }

    private func caption(_ gallery: Gallery) -> String? {
        gallery.state.selectedItem.flatMap { try? gallery.state.feed?.get()[$0].caption }
    }

    @Test func `F5 and the command request the feed again`() {
        var gallery = Gallery(count: 3)

        #expect(gallery.press(.function(5)).contains(.feed(.reload(isQuiet: false))))
        gallery.press(":reload")
        #expect(gallery.press(.enter).contains(.feed(.reload(isQuiet: false))))
        #expect(gallery.send(.refreshDue).contains(.feed(.reload(isQuiet: true))))
    }

    @Test func `the selected image stays at its position on the screen, and none is loaded again`()
    {
        var gallery = Gallery(count: 100)
        gallery.press(.pageDown, .down, .right)
        let row = gallery.state.grid.selection / 4 - gallery.state.grid.topRow

        let effects = gallery.send(reload(0..<100, Array(200..<208) + Array(0..<100)))

        #expect(caption(gallery) == "Picture 13")
        #expect(gallery.state.grid.selection == 21)
        #expect(gallery.state.grid.selection / 4 - gallery.state.grid.topRow == row)
        #expect(bound(effects) == [])
        #expect(gallery.lines.last?.contains("8 new") == true)
    }

    @Test func `if the selected image is gone, the next remaining one is selected`() {
        var gallery = Gallery(count: 10)
        gallery.press(.right, .right, .right)

        gallery.send(reload(0..<10, [0, 1, 6, 7]))
        #expect(caption(gallery) == "Picture 6")

        gallery.send(reload([0, 1, 6, 7], [0, 1]))
        #expect(caption(gallery) == "Picture 1")
        #expect(gallery.lines.last?.contains("2 gone") == true)
    }

    @Test func `the open image stays open, unless it is gone`() throws {
        var gallery = Gallery(count: 10)
        gallery.press(.right, .enter)
        gallery.send(.detail(.load(.image(.plain(8, 8), .network))))

        let effects = gallery.send(reload(0..<10, [50, 51] + Array(0..<10)))

        #expect(gallery.state.detail?.item == 3)
        #expect(!effects.contains(.detail(.close)) && gallery.state.detail?.image != nil)
        let gone = FeedReload.Change(from: feed([50, 51] + Array(0..<10)), to: feed([7]))
        #expect(gallery.state.isLookingAtGone(gone.numbers))
    }

    @Test func `undo reverts earlier changes after the feed was read again`() {
        var gallery = Gallery(count: 10)
        gallery.press("mm")
        #expect(Array(gallery.state.choices.marks) == [0, 1])

        gallery.send(reload(0..<10, [20] + Array(0..<10)))
        gallery.press("u")

        #expect(Array(gallery.state.choices.marks) == [1])
        #expect(gallery.state.selectedItem == 2)
    }

    @Test func `a filter and an order apply to the new feed`() {
        var gallery = Gallery(count: 10)
        gallery.press("f9")
        gallery.press(.enter)

        let effects = gallery.send(reload(0..<10, Array(0..<20)))

        let asks = effects.contains { if case .finding(.arrange) = $0 { true } else { false } }
        #expect(asks)
    }

    @Test func `the result of a reload is reported, and of a timed reload only news`() {
        func said(_ reload: FeedReload, after faults: [String] = []) -> String? {
            reload.notice(after: faults)?.text
        }
        #expect(said(FeedReload(change: nil)) == "nothing new")
        #expect(said(FeedReload(change: nil, isQuiet: true)) == nil)
        let failed = FeedReload(change: nil, faults: ["feed.txt: gone"])
        #expect(said(failed) == "not read again: feed.txt: gone")
        let again = FeedReload(change: nil, faults: ["feed.txt: gone"], isQuiet: true)
        #expect(said(again) == "not read again: feed.txt: gone")
        #expect(said(again, after: again.faults) == nil)
    }

    @Test func `a new remark about the feed is shown if the reload itself reports nothing`() {
        var gallery = Gallery(count: 0)
        let old = feed(0..<1)
        var new = feed(0..<2)
        new.remark = "test: left out 1 GIF"
        gallery.send(.feed(.success(old)))

        let change = FeedReload.Change(from: old, to: new)
        gallery.send(.reloaded(FeedReload(change: change, isQuiet: true, isNews: false)))

        #expect(gallery.state.notice?.text == new.remark)
    }

    @Test func `a failed reload changes nothing`() {
        var gallery = Gallery(count: 10)
        gallery.press(.right)

        let effects = gallery.send(.reloaded(FeedReload(change: nil, faults: ["h: no answer"])))

        #expect(effects.isEmpty)
        #expect(gallery.state.feedCount == 10 && gallery.state.grid.selection == 1)
        #expect(gallery.lines.last?.contains("! not read again: h: no answer") == true)
    }
}
