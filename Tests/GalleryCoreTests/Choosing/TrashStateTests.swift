import BitCollections
import Testing
import VirtualTerminal

@testable import Feeds
@testable import GalleryCore
@testable import TerminalUI

@Suite struct TrashStateTests {
    private func gallery(
        _ urls: [String] = ["/a.png", "/b.png", "/c.png"].map { "file://\($0)" }
    ) -> Gallery {
        var gallery = Gallery(count: 0)
        let items = urls.map { FeedItem(url: $0) }
        gallery.send(.feed(.success(Feed(items: items, title: "test"))))
        return gallery
    }

    /// Tells the gallery what became of files.
    private func report(_ gallery: inout Gallery, deleted: [Int], returned: [Int] = []) throws {
        let feed = try #require(try gallery.state.feed?.get())
        let changed = feed.changing(deleted: deleted, returned: returned)
        gallery.send(.feedChanged(changed, items: deleted + returned), .trashed(deleted))
    }

    @Test func `D asks, and yes moves the marked files, or else the selected one`() {
        var gallery = gallery()
        gallery.press("Dyes")
        #expect(gallery.lines.last?.contains("Move this file to the trash?") == true)
        #expect(gallery.press(.enter) == [.external(.trash(items: [0]))])

        gallery.press("mmDyes")
        #expect(gallery.lines.last?.contains("Move 2 files to the trash?") == true)
        #expect(gallery.press(.enter) == [.external(.trash(items: [0, 1]))])
    }

    @Test(arguments: ["D", "DDDDDDDD", "Dy", "Dyesyes", "DD"])
    func `only the whole word deletes, even if a key is held down`(keys: String) {
        var gallery = gallery()
        gallery.press(keys)

        #expect(gallery.press(.enter).isEmpty)
        #expect(gallery.lines.last?.contains("nothing was deleted") == true)
        gallery.press("Dye")
        gallery.send(.input(.paste("s\n")))
        #expect(gallery.press(.enter).isEmpty)
    }

    @Test(arguments: [
        (60, "Move this file to the trash?"), (24, "Delete it? yes:"), (20, "Delete? yes:"),
    ])
    func `the question fits narrow windows`(columns: Int, question: String) {
        var gallery = gallery()
        gallery.send(.resize(ScreenSize(columns: columns, rows: 12)))
        gallery.press("D")
        #expect(gallery.lines.last?.contains(question) == true)
        gallery.press("yes")
        #expect(gallery.lines.last?.hasSuffix("yes") == true || columns == 60)
    }

    @Test func `an image that is not a local file is not deleted`() {
        var gallery = gallery(["file:///a.png", "http://h/b.png"])
        gallery.press("mmD")

        #expect(gallery.state.prompt.overlay == nil)
        #expect(gallery.lines.last?.contains("only local files") == true)
    }

    @Test func `a deleted file is reported, keeps its place, and loses its mark`() throws {
        var gallery = gallery()
        gallery.press("mm")
        try report(&gallery, deleted: [0, 1])

        #expect(gallery.state.choices.marks.isEmpty)
        #expect(gallery.lines.contains { $0.contains("deleted") })
        #expect(
            gallery.lines.last?.contains("2 files are in the trash; press u to restore") == true
        )
        #expect(gallery.state.itemCount == 3)
    }

    @Test func `u restores files with their marks, and they are loaded`() throws {
        var gallery = gallery()
        gallery.press("mm")
        try report(&gallery, deleted: [0, 1])
        #expect(gallery.press("u").contains(.external(.putBack(items: [0, 1]))))
        #expect(Array(gallery.state.choices.marks) == [0, 1])

        let feed = try #require(try gallery.state.feed?.get())
        let changed = feed.changing(deleted: [], returned: [0, 1])
        let effects = gallery.send(.feedChanged(changed, items: [0, 1]))
        let loaded = effects.compactMap { effect -> Int? in
            if case .bind(_, let item, _, _, _) = effect { item } else { nil }
        }
        #expect(Set(loaded) == [0, 1])
    }
}
