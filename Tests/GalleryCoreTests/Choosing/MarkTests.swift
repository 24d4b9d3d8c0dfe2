import BitCollections
import ImageLoading
import Testing
import VirtualTerminal

@testable import Feeds
@testable import GalleryCore
@testable import TerminalUI

@Suite struct MarkTests {
    private var gallery = Gallery()

    private func caption(_ gallery: Gallery, _ name: String) -> String? {
        gallery.lines.first { $0.contains(name) }
    }

    @Test mutating func `m marks the selected image and steps on`() throws {
        gallery.press("mm")

        #expect(Array(gallery.state.choices.marks) == [0, 1])
        #expect(gallery.state.selectedItem == 2)
        let line = try #require(caption(gallery, "Picture 1"))
        #expect(line.contains(" ◆  Picture 0") && line.contains(" ◆  Picture 1"))
        #expect(!line.contains("◆  Picture 2"))
        #expect(gallery.lines.last?.contains("2 marked") == true)
    }

    @Test mutating func `a second m removes the mark`() {
        gallery.press("m")
        gallery.press("hm")

        #expect(gallery.state.choices.marks.isEmpty)
        #expect(gallery.lines.last?.contains("marked") == false)
    }

    @Test mutating func `the status bar has the mark before the name`() {
        gallery.press("mh")
        #expect(gallery.lines.last?.contains("1/100    ◆  Picture 0") == true)
    }

    @Test mutating func `M marks the range from the last mark, forwards and backwards`() {
        gallery.press("m")
        gallery.press("5gM")
        #expect(Array(gallery.state.choices.marks) == [0, 1, 2, 3, 4])
        #expect(gallery.lines.last?.contains("marked 4 more") == true)

        gallery.press("20gm18gM")
        #expect(Array(gallery.state.choices.marks) == [0, 1, 2, 3, 4, 17, 18, 19])
    }

    @Test mutating func `M without a range start explains how to set one`() {
        gallery.press("M")

        #expect(gallery.state.choices.marks.isEmpty)
        #expect(gallery.lines.last?.contains("mark the start of a range") == true)
    }

    @Test mutating func `u undoes marks, the last one first, and selects the image`() {
        gallery.press("m5gM")
        gallery.press("50g")
        gallery.press("u")
        #expect(Array(gallery.state.choices.marks) == [0])
        #expect(gallery.state.selectedItem == 4)

        gallery.press("u")
        #expect(gallery.state.choices.marks.isEmpty)
        #expect(gallery.state.selectedItem == 0)

        gallery.press("u")
        #expect(gallery.lines.last?.contains("nothing to undo") == true)
    }

    @Test mutating func `U unmarks all, and u marks them again`() {
        gallery.press("mmmU")
        #expect(gallery.state.choices.marks.isEmpty)
        #expect(gallery.lines.last?.contains("unmarked 3; press u to undo") == true)

        gallery.press("u")
        #expect(Array(gallery.state.choices.marks) == [0, 1, 2])
    }

    @Test mutating func `Esc keeps the marks and names the key that removes them`() {
        gallery.press("m")
        gallery.press(.escape)

        #expect(gallery.state.choices.marks.count == 1)
        #expect(gallery.lines.last?.contains("U to unmark") == true)
    }

    @Test mutating func `in an open image the keys are the same`() {
        gallery.press(.enter)
        gallery.press("mm")
        #expect(gallery.state.detail?.item == 2)
        #expect(Array(gallery.state.choices.marks) == [0, 1])

        gallery.press("u")
        #expect(gallery.state.detail?.item == 1)
        #expect(Array(gallery.state.choices.marks) == [0])
    }

    @Test mutating func `at the last image m does not step on`() {
        gallery.press("Gm")

        #expect(gallery.state.selectedItem == 99)
        #expect(Array(gallery.state.choices.marks) == [99])
    }

    @Test mutating func `another feed has no marks`() {
        gallery.press("mm")
        let items = [FeedItem(url: "http://h/new.jpg")]
        gallery.send(.feed(.success(Feed(items: items, title: "new"))))

        #expect(gallery.state.choices.marks.isEmpty)
        gallery.press("u")
        #expect(gallery.lines.last?.contains("nothing to undo") == true)
    }

    @Test func `without images the mark keys report it`() {
        for key in ["m", "M"] {
            var gallery = Gallery(count: 0)
            gallery.press(key)
            #expect(gallery.lines.last?.contains("there is no image") == true)
        }
    }

    @Test func `a million images are marked and unmarked with one key each`() {
        var choices = Choices()
        let count = choices.mark(0...999_999, to: 999_999)
        #expect(count == 1_000_000)
        #expect(choices.marks.count == 1_000_000)

        #expect(choices.unmarkAll(at: 0) == 1_000_000)
        #expect(choices.undo() != nil)
        #expect(choices.marks.count == 1_000_000)
    }

    @Test func `the undo history is limited, and older marks stay`() {
        var choices = Choices()
        for item in 0..<2000 { choices.toggleMark(item) }
        while choices.undo() != nil {}

        #expect(choices.marks.count == 1500)
    }

    @Test(arguments: Scene.modes.map(\.name))
    func `a badge is visible on a selected tile and on another one`(mode: String) throws {
        let capabilities = try #require(Scene.modes.first { $0.name == mode }).capabilities
        var gallery = Gallery(capabilities: capabilities)
        let plain = gallery.state.frame()
        gallery.press("m")
        let sign: Unicode.Scalar = capabilities.symbols == .ascii ? "*" : "◆"

        for keys in ["", "h"] {
            gallery.press(keys)
            let frame = gallery.state.frame()
            let layout = gallery.state.grid.layout
            let rect = layout.imageRect(at: 0)
            let badge = frame[rect.row + rect.rows, rect.column + 1]
            #expect(badge.scalar == sign.value)
            // The rest of the caption has another look.
            let beside = frame[rect.row + rect.rows, rect.column + 4]
            #expect(
                badge.background != beside.background
                    || badge.attributes.contains(.reverse) != beside.attributes.contains(.reverse)
            )
            for row in rect.row..<rect.row + rect.rows {
                for column in rect.column..<rect.column + rect.columns {
                    #expect(frame[row, column] == plain[row, column])
                }
            }
        }
    }

    @Test mutating func `^A marks the shown images, ^R inverts the marks, u undoes both`() {
        gallery.press("m")
        gallery.press(.control("r"))
        #expect(Array(gallery.state.choices.marks) == Array(1..<100))
        gallery.press(.control("a"))
        #expect(gallery.state.choices.marks.count == 100)
        #expect(gallery.state.notice?.text == "marked 1; U unmarks all")
        gallery.press("uu")
        #expect(Array(gallery.state.choices.marks) == [0])

        // Items that the filter hides are unchanged.
        _ = gallery.state.show(ItemOrder(items: [5, 3, 0], isAscending: false))
        gallery.press(.control("r"))
        #expect(Array(gallery.state.choices.marks) == [3, 5])
        _ = gallery.state.show(ItemOrder(items: [], isAscending: true))
        gallery.press(.control("a"), .control("r"))
        #expect(gallery.state.notice?.text == "there is no image")
    }

    @Test mutating func `keys step between marks, in the grid and in an open image`() {
        gallery.press(")")
        #expect(gallery.state.notice?.text == "nothing is marked; press m to mark")
        gallery.press("5gm20gm50gm1g")

        gallery.press(")")
        #expect(gallery.state.selectedItem == 4)
        gallery.press("2)")
        #expect(gallery.state.selectedItem == 49)
        gallery.press(")")
        #expect(gallery.state.notice?.text == "nothing marked after this one")
        gallery.press("9(")
        #expect(gallery.state.selectedItem == 4)
        gallery.press("(")
        #expect(gallery.state.notice?.text == "nothing marked before this one")

        gallery.press(.enter)
        #expect(gallery.press("N").contains(.detail(.open(item: 19, refreshing: false))))
        #expect(gallery.press("P").contains(.detail(.open(item: 4, refreshing: false))))
    }
}
