import ImageLoading
import Testing
import VirtualTerminal

@testable import Feeds
@testable import GalleryCore

@Suite struct PictureRecordTests {
    @Test func `an image as JSON has its label and the fields of its feed`() throws {
        let text =
            #"[{"url":"http://u:p@h/1.jpg","caption":"C \"q\"","date":1714564800,"x":[1]},"#
            + #"{"url":"a b.jpg"}]"#
        let feed = try Feed(
            parsing: Array(text.utf8),
            title: "f",
            base: .directory("/d"),
            origin: .local
        )
        var gallery = Gallery(count: 0)
        gallery.send(.feed(.success(feed)))
        gallery.press("L")
        gallery.press("2")

        #expect(
            gallery.state.record(ofItem: 0)
                == #"{"url":"http://h/1.jpg","caption":"C \"q\"","label":2,"name":"maybe","#
                + #""date":"2024-05-01T12:00:00Z","fields":{"x":[1]}}"#
        )
        #expect(
            gallery.state.record(ofItem: 1) == #"{"path":"/d/a b.jpg","caption":"a b.jpg"}"#
        )
        #expect(gallery.state.record(ofItem: 2) == nil)
    }
}
