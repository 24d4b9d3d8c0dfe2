import GalleryCore
import TerminalUI
import Testing
import VirtualTerminal

extension EndToEnd {
    /// The demo as a visitor sees it.
    @Suite struct DemoTests {
        private let program = TestProgram()

        @Test func `the demo shows within one page that cells cancel their loads`() throws {
            defer { program.remove() }
            // So slow that no image is complete before the page is left.
            let terminal = try program.openGallery(["demo", "--bandwidth", "1k"])
            try terminal.expect("the instruction and lanes") { screen in
                screen.text.contains("Hold j: what leaves the screen stops loading.")
                    && screen.isLoading("Plasma 2")
            }

            terminal.type("\u{1B}[6~")
            try terminal.expect("not downloaded ")
            // The break may have faded before the screen is examined.
            #expect(terminal.hasWritten("✂"))

            terminal.type("Z")
            try terminal.expect("cancellation is off") { screen in
                screen.text.contains("no cancellation")
            }
            terminal.type("q")
            try terminal.expectEnd(.exited(0))
        }

        @Test(arguments: [(80, 24, 1), (80, 24, 64), (40, 12, 6)])
        func `the demo works with any number of slots and a slow server`(
            columns: Int,
            rows: Int,
            transfers: Int
        ) throws {
            defer { program.remove() }
            let terminal = try program.openGallery(
                ["demo", "--transfers", "\(transfers)", "--bandwidth", "1k"],
                size: ScreenSize(columns: columns, rows: rows)
            )
            try terminal.expect("loads") { $0.text.contains("▏") || $0.text.contains("▁") }
            terminal.type("jjjjjjkkkkGg")
            try terminal.expectPosition("1/1000")
            try terminal.expect("cancelled loads") { _ in terminal.hasWritten("✂") }
            terminal.type("q")
            try terminal.expectEnd(.exited(0))
        }
    }
}

extension VirtualScreen {
    /// Whether a cell and a lane have this caption.
    fileprivate func isLoading(_ caption: String) -> Bool {
        text.split(separator: "\n").count { $0.contains(caption) } == 2
    }
}
