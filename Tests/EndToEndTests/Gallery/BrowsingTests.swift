import GalleryCore
import TerminalUI
import Testing
import VirtualTerminal

extension EndToEnd {
    @Suite struct BrowsingTests {
        private let program = TestProgram()
        private let down = "\u{1B}[B", right = "\u{1B}[C", home = "\u{1B}[H"
        private let pageDown = "\u{1B}[6~", pageUp = "\u{1B}[5~"

        @Test func `a folder's images appear in 24-bit color above their captions`() throws {
            defer { program.remove() }
            let terminal = try program.openGallery([program.pictureFolder(count: 20)])

            try terminal.expect("the first eight pictures", where: showsPictures(1...8))
            try terminal.expectPosition("1/20")
            #expect(terminal.screen.frame.cells.contains { $0.scalar == 0x2580 })
            #expect(terminal.screen.unknownSequences.isEmpty)
        }

        @Test func `keys move the selection and scroll to other images`() throws {
            defer { program.remove() }
            let terminal = try program.openGallery([program.pictureFolder(count: 20)])
            try terminal.expectPosition("1/20")

            terminal.type(right)
            try terminal.expectPosition("2/20")
            terminal.type(down)
            try terminal.expectPosition("6/20")
            terminal.type(pageDown)
            try terminal.expectPosition("14/20")
            try terminal.expect("the second screenful", where: showsPictures(9...16))
            try terminal.expectNo("picture 8.png")
            terminal.type(pageUp)
            try terminal.expect("the first screenful again", where: showsPictures(1...8))
            terminal.type(home)
            try terminal.expectPosition("1/20")
        }

        @Test func `Enter opens the image in full and Esc goes back`() throws {
            defer { program.remove() }
            let terminal = try program.openGallery([program.pictureFolder(count: 9)])
            try terminal.expectPosition("1/9")

            terminal.type(right + right + "\r")
            try terminal.expect("48×48  JPEG")
            try terminal.expect("fit, 400%")
            try terminal.expect("picture 3.jpg")
            try terminal.expectNo("picture 4.png")

            terminal.type("\u{1B}")
            try terminal.expect("the grid", where: showsPictures(1...8))
            try terminal.expectNo("fit, ")
        }

        @Test func `? shows the keys and s the statistics, and both close again`() throws {
            defer { program.remove() }
            let terminal = try program.openGallery([program.pictureFolder(count: 9)])
            try terminal.expect("the pictures", where: showsPictures(1...8))

            terminal.type("?")
            try terminal.expect("smaller, larger, cropped")
            terminal.type("\u{1B}")
            try terminal.expectNo("smaller, larger, cropped")

            // The ninth is the next screen, which is loaded ahead.
            try terminal.expect("memory 9 images")
            terminal.type("s")
            try terminal.expect("figures") { screen in
                screen.text.contains(#/Memory cache.*\n.*images +9 /#)
            }
            terminal.type("\u{1B}")
            try terminal.expect("the pictures again", where: showsPictures(1...8))
        }

        @Test func `after a resize the grid fills the new screen`() throws {
            defer { program.remove() }
            let terminal = try program.openGallery([program.pictureFolder(count: 40)])
            try terminal.expect("the pictures", where: showsPictures(1...8))

            terminal.resize(to: ScreenSize(columns: 120, rows: 40))
            try terminal.expect("six by four", where: showsPictures(1...24))
            try terminal.expectPosition("1/40")

            terminal.resize(to: ScreenSize(columns: 40, rows: 12))
            try terminal.expect("two", where: showsPictures(1...2))
            try terminal.expectPosition("1/40")
            try terminal.expectNo("picture 3.jpg")
        }
    }
}

/// Whether all these pictures are drawn, each above its own caption.
func showsPictures(_ numbers: ClosedRange<Int>) -> (VirtualScreen) -> Bool {
    { screen in
        numbers.allSatisfy { number in
            screen.showsPicture(
                number,
                above: "picture \(number).\(number % 3 == 0 ? "jpg" : "png")"
            )
        }
    }
}
