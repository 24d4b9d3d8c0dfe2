import Feeds
import GalleryCore
import TerminalUI
import Testing
import VirtualTerminal

extension EndToEnd {
    /// The usual keys of an open image, and the trace.
    @Suite struct PictureViewTests {
        private let program = TestProgram()

        @Test func `g and G, ^D and ^U, and counts move between open images`() throws {
            defer { program.remove() }
            let terminal = try program.openGallery([program.pictureFolder(count: 40)])
            try terminal.expectPosition("1/40")
            terminal.type("\r")
            try terminal.expect("fit, 400%")

            for (keys, place) in [
                ("G", "40/40"), ("g", "1/40"), ("5n", "6/40"), ("\u{4}", "16/40"),
                ("\u{15}", "6/40"),
                ("12G", "12/40"), ("3j", "15/40"), ("2p", "13/40"), ("50%", "20/40"),
            ] {
                terminal.type(keys)
                try terminal.expectPosition(place)
                try terminal.expect("fit, ")
            }
            terminal.type("g")
            try terminal.expectPosition("1/40")
            terminal.type("g")
            try terminal.expect("this is the first image")
        }

        @Test func `the mouse drags the image, and the middle button shows a URL`()
            throws
        {
            defer { program.remove() }
            let terminal = try program.openGallery([program.pictureFolder(count: 2)])
            try terminal.expectPosition("1/2")
            terminal.type("\r")
            try terminal.expect("fit, 400%")
            terminal.type("++++++")
            try terminal.expect("4556%")
            let start = terminal.screen.frame.cells

            terminal.type("\u{1B}[<0;40;10M\u{1B}[<32;30;10M\u{1B}[<32;20;10M\u{1B}[<0;20;10m")
            try terminal.expect("another part") { $0.frame.cells != start }
            let dragged = terminal.screen.frame.cells
            terminal.type("\u{1B}[<1;3;2M\u{1B}[<1;3;2m")
            try terminal.expect("a corner") { $0.frame.cells != dragged }
            // The wheel zooms back.
            terminal.type(String(repeating: "\u{1B}[<65;3;2M", count: 8))
            try terminal.expect("fit, 400%")
        }

        @Test func `t shows the trace below the images, and t hides it`() throws {
            let server = try PictureServer()
            defer {
                server.stop()
                program.remove()
            }
            let terminal = try program.openGallery([program.feed(server.lines(1...40))])
            try terminal.expectPosition("1/40")
            terminal.type("t")
            try terminal.expect("t closes")
            try terminal.expect("succeeded")
            terminal.type("R")
            try terminal.expect("first_byte")
            terminal.type("t")
            try terminal.expectNo("t closes")
        }
    }
}
