import GalleryCore
import TerminalUI
import Testing
import VirtualTerminal

extension EndToEnd {
    /// The colors of everything except images: the terminal's colors or the user's choice.
    @Suite struct ThemeTests {
        private let program = TestProgram()

        /// A terminal of one ground and text.
        private func terminal(ground: String, text: String) -> AnsweringTerminal {
            AnsweringTerminal([
                ("\u{1B}]11;?", "\u{1B}]11;rgb:\(ground)\u{1B}\\"),
                ("\u{1B}]10;?", "\u{1B}]10;rgb:\(text)\u{1B}\\"), ("\u{1B}[c", "\u{1B}[?62;22c"),
            ])
        }

        private func gallery(_ arguments: [String] = []) throws -> PseudoTerminal {
            try program.openGallery(arguments + [program.pictureFolder(count: 2)])
        }

        @Test
        func
            `on a light terminal it turns light when the terminal has answered, and no key is pressed`()
            throws
        {
            defer { program.remove() }
            let gallery = try gallery()
            // The first frame has not waited for an answer.
            try gallery.expectPosition("1/2")
            #expect(gallery.screen.frame[0, 0].background == .rgb(0x11, 0x13, 0x18))

            var answers = terminal(ground: "fdfd/f6f6/e3e3", text: "0000/0000/0000")
            try #require(gallery.wait { _ in gallery.hasWritten("\u{1B}[c") })
            gallery.type(answers.answer(to: gallery.output))
            try gallery.expect("a light ground") { screen in
                screen.frame[0, 0].background == .rgb(0xFA, 0xFA, 0xFB)
            }
            #expect(!gallery.screen.text.contains("no such key"))
            try gallery.expectPosition("1/2")
        }

        @Test func `a requested theme stays whatever the terminal answers`() throws {
            defer { program.remove() }
            let gallery = try gallery(["--theme", "dark"])
            try gallery.expectPosition("1/2")
            var answers = terminal(ground: "ffff/ffff/ffff", text: "0000/0000/0000")
            try #require(gallery.wait { _ in gallery.hasWritten("\u{1B}[c") })
            gallery.type(answers.answer(to: gallery.output) + "l")

            try gallery.expectPosition("2/2")
            #expect(gallery.screen.frame[0, 0].background == .rgb(0x11, 0x13, 0x18))
        }

        @Test func `the terminal's own background stays, and the bar is mixed from its colors`()
            throws
        {
            defer { program.remove() }
            let gallery = try gallery(["--theme", "terminal"])
            try gallery.expectPosition("1/2")
            var answers = terminal(ground: "0000/0000/4040", text: "ffff/ffff/ffff")
            try #require(gallery.wait { _ in gallery.hasWritten("\u{1B}[c") })
            gallery.type(answers.answer(to: gallery.output))

            // A tenth of the way from the ground to the text.
            try gallery.expect("a mixed bar") { screen in
                screen.frame[23, 79].background == .rgb(25, 25, 83)
            }
            #expect(gallery.screen.frame[0, 0].background == .terminalDefault)
        }
    }
}
