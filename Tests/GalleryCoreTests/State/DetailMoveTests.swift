import Decoders
import ImageLoading
import Testing
import VirtualTerminal

@testable import Feeds
@testable import GalleryCore
@testable import TerminalUI

/// Counts, the ends of the feed and the mouse in the picture view.
@Suite struct DetailMoveTests {
    /// Opens an item; `zoomed` shows a fifth of it or so.
    private func open(_ item: Int = 0, of count: Int = 100, zoomed: Int = 0) -> Gallery {
        var gallery = Gallery(count: count)
        gallery.press(":\(item + 1)")
        gallery.press(.enter, .enter)
        gallery.send(.detail(.load(.image(.plain(4000, 3000), .network))))
        for _ in 0..<zoomed { gallery.press("+") }
        return gallery
    }

    private func crop(_ gallery: Gallery) throws -> PixelRect {
        try #require(gallery.state.detail?.viewport).crop
    }

    @Test func `g and G open the first and the last image`() {
        var gallery = open(50)

        #expect(gallery.press("G").contains(.detail(.open(item: 99, refreshing: false))))
        #expect(gallery.press("G").isEmpty)
        #expect(gallery.state.notice?.text == "this is the last image")
        #expect(gallery.press("g").contains(.detail(.open(item: 0, refreshing: false))))
        #expect(gallery.press(.home).isEmpty)
        #expect(gallery.state.notice?.text == "this is the first image")
        // The grid follows behind.
        #expect(gallery.state.selectedItem == 0)
    }

    @Test(arguments: [
        ("5j", 55), ("5n", 55), ("5p", 45), ("3k", 47), ("12G", 11), ("12g", 11), ("12\r", 11),
        ("50%", 49), ("999999999n", 99), ("999999999p", 0), ("100G", 99), ("10l", 60),
        ("2\u{4}", 70),
        ("\u{15}", 40),
    ])
    func `a count repeats a step or selects an image`(keys: String, item: Int) {
        var gallery = open(50)
        for character in keys {
            switch character {
            case "\r": gallery.press(.enter)
            case "\u{4}": gallery.press(.control("d"))
            case "\u{15}": gallery.press(.control("u"))
            default: gallery.press(.character(character))
            }
        }

        #expect(gallery.state.selectedItem == item)
        #expect(gallery.state.detail?.item == item)
    }

    @Test func `0 does not begin a count: it shows the whole image`() throws {
        var gallery = open(zoomed: 4)
        gallery.press("0")
        #expect(gallery.state.detail?.viewport?.showsWholeImage == true)
        gallery.press("10n")
        #expect(gallery.state.selectedItem == 10)
    }

    @Test func `Esc clears a count and keeps the image open`() {
        var gallery = open(50)
        gallery.press("5")
        gallery.press(.escape)

        #expect(gallery.state.detail?.item == 50 && gallery.state.prompt.overlay == nil)
    }

    @Test func `zoomed in, a count pans that many steps, and ^D and ^U half of the view`() throws {
        var (one, three, half) = (open(zoomed: 8), open(zoomed: 8), open(zoomed: 8))
        let start = try crop(one)
        one.press("l")
        three.press("3l")
        half.press(.control("d"))

        let step = try crop(one).x - start.x
        #expect(step > 0)
        #expect(abs(try crop(three).x - start.x - 3 * step) <= 2)
        #expect(abs(try crop(half).y - start.y - start.height / 2) <= 1)
        half.press(.control("u"))
        #expect(abs(try crop(half).y - start.y) <= 1)
        #expect(half.state.detail?.item == 0)
        three.press("999999999h")
        #expect(try crop(three).x == 0)
    }

    @Test func `dragging moves the image with the mouse, cell by cell`() throws {
        var gallery = open(zoomed: 6)
        let start = try crop(gallery)
        let scale = try #require(gallery.state.detail?.viewport).scale

        // It was not held yet.
        #expect(gallery.send(.input(.mouse(.drag(row: 3, column: 3)))).isEmpty)
        gallery.send(.input(.mouse(.press(row: 10, column: 40))))
        gallery.send(.input(.mouse(.drag(row: 8, column: 45))))
        gallery.send(.input(.mouse(.drag(row: 8, column: 43))))

        let moved = try crop(gallery)
        #expect(abs(Double(start.x - moved.x) - 3 * 10 / scale) <= 2)
        #expect(abs(Double(moved.y - start.y) - 2 * 20 / scale) <= 2)
    }

    @Test func `a drag that starts on the status bar continues no earlier drag`() throws {
        var gallery = open(zoomed: 6)
        gallery.send(.input(.mouse(.press(row: 10, column: 40))))
        gallery.send(.input(.mouse(.drag(row: 8, column: 45))))
        let shown = try crop(gallery)

        gallery.send(.input(.mouse(.press(row: 23, column: 79))))
        gallery.send(.input(.mouse(.drag(row: 23, column: 79))))

        #expect(try crop(gallery) == shown)
    }

    @Test func `the middle button shows the part of the image under the pointer`() throws {
        var gallery = open(zoomed: 6)
        let box = gallery.state.detailRect
        gallery.send(.input(.mouse(.middle(row: box.row, column: box.column))))
        #expect(try crop(gallery).x == 0 && crop(gallery).y == 0)

        let end = (row: box.row + box.rows - 1, column: box.column + box.columns - 1)
        gallery.send(.input(.mouse(.middle(row: end.row, column: end.column))))
        let shown = try crop(gallery)
        #expect(shown.x + shown.width == 4000 && shown.y + shown.height == 3000)
        // Beside the picture, and with the whole of it shown, nothing breaks.
        gallery.send(.input(.mouse(.middle(row: 500, column: 500))))
        gallery.press("0")
        #expect(gallery.send(.input(.mouse(.middle(row: 1, column: 1)))).isEmpty)
        #expect(gallery.send(.input(.mouse(.drag(row: 5, column: 5)))).isEmpty)
    }

    @Test func `in the grid dragging and the middle button do nothing`() {
        var gallery = Gallery(count: 100)
        #expect(gallery.send(.input(.mouse(.middle(row: 5, column: 5)))).isEmpty)
        #expect(gallery.send(.input(.mouse(.drag(row: 5, column: 5)))).isEmpty)
        #expect(gallery.state.selectedItem == 0)
    }
}
