import Testing

@testable import Feeds
@testable import GalleryCore

@Suite struct ChoicesTests {
    private let item = FeedItem(url: "http://user:secret@h/0", caption: "")

    @Test func `a label belongs to the URL without its password, and is saved once`() {
        var choices = Choices()
        let decision = choices.label(item, item: 0, as: 2, name: "maybe")
        #expect(decision?.address == "http://h/0")
        #expect(decision?.label == 2 && decision?.previous == nil)
        #expect(choices.labels == ["http://h/0": 2])
        let again = choices.label(item, item: 0, as: 2, name: "maybe")
        #expect(again == nil)
        let removal = choices.label(item, item: 0, as: nil, name: nil)
        #expect(removal?.label == nil && removal?.previous == 2)
        #expect(choices.labels.isEmpty)
    }

    @Test func `a label that was not saved is removed with its step`() throws {
        var choices = Choices()
        choices.toggleMark(3)
        let decision = choices.label(item, item: 0, as: 2, name: "maybe")
        choices.forget(try #require(decision))
        #expect(choices.labels.isEmpty)
        let undone = choices.undo()
        #expect(undone?.change == .toggled)
        #expect(!choices.isMarked(3))
    }

    @Test func `the badge shows the mark of the item and the label of the URL`() {
        var choices = Choices()
        #expect(choices.badge(ofItem: 0, url: item.url) == Badge())
        choices.toggleMark(0)
        _ = choices.label(item, item: 0, as: 1, name: "keep")
        #expect(choices.badge(ofItem: 0, url: item.url) == Badge(isMarked: true, label: 1))
        #expect(choices.badge(ofItem: 1, url: item.url) == Badge(isMarked: false, label: 1))
    }
}
