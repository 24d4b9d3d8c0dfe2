import Feeds
import Testing
import VirtualTerminal

extension EndToEnd {
    /// Prompts, search, filter and order, with keys in a terminal.
    @Suite struct FindingTests {
        private let program = TestProgram()
        private let escape = "\u{1B}"

        private func paste(_ text: String) -> String { "\u{1B}[200~\(text)\u{1B}[201~" }

        @Test func `a search follows the typing, n and N step, Escape goes back`() throws {
            defer { program.remove() }
            let terminal = try program.openGallery([program.pictureFolder(count: 20)])
            try terminal.expectPosition("1/20")

            terminal.type("/picture 1")
            try terminal.expect("a match, and a cursor in the prompt") { screen in
                screen.text.contains("match 1 of 11") && screen.modes.contains(25)
            }
            terminal.type("2")
            try terminal.expect("match 1 of 1 ")
            terminal.type(escape)
            try terminal.expect("the first picture again, and no cursor") { screen in
                screen.lastLine.hasPrefix(" 1/20 ") && !screen.modes.contains(25)
            }

            terminal.type("/PICTURE\u{7F}\u{15}picture 2\r")
            try terminal.expectPosition("2/20")
            terminal.type("n")
            try terminal.expect("match 2 of 2")
            try terminal.expectPosition("20/20")
            terminal.type("N")
            try terminal.expectPosition("2/20")
        }

        @Test func `a filter shows the matches; an unknown field runs nothing; Escape clears it`()
            throws
        {
            defer { program.remove() }
            let terminal = try program.openGallery([program.pictureFolder(count: 20)])
            try terminal.expectPosition("1/20")

            terminal.type("fformat:png")
            try terminal.expect("14 of 20")
            terminal.type(" " + paste("fromat:x"))
            try terminal.expect("no such field: fromat:")
            terminal.type("\r")
            try terminal.expect("no such field: fromat:")
            terminal.type("\u{17}\r")
            try terminal.expect("1/14 of 20")
            terminal.type(escape)
            try terminal.expectPosition("1/20")

            terminal.type("fwhale\r")
            try terminal.expect("Nothing matches \"whale\".")
            terminal.type(escape)
            try terminal.expectPosition("1/20")
        }

        @Test func `S and each of its keys sort`() throws {
            defer { program.remove() }
            let terminal = try program.openGallery([program.pictureFolder(count: 12)])
            try terminal.expectPosition("1/12")

            for (key, said) in [
                ("n", "by name"), ("d", "by date, newest first"), ("s", "by size in bytes"),
                ("x", "by dimensions"), ("h", "by host"), ("r", "in random order"),
                ("R", "in reverse order"), ("o", "in feed order"),
                ("q", "no such order: q"),
            ] {
                terminal.type("S")
                try terminal.expect("n name  d date")
                terminal.type(key)
                try terminal.expect(said)
            }
            terminal.type("S\(escape)")
            try terminal.expectNo("n name  d date")
        }

        @Test func `commands are edited, completed and recalled`() throws {
            defer { program.remove() }
            let terminal = try program.openGallery([program.pictureFolder(count: 20)])
            try terminal.expectPosition("1/20")

            terminal.type(":sing\r")
            try terminal.expect("! unknown command: sing")
            terminal.type(":12\r")
            try terminal.expectPosition("12/20")
            terminal.type("g:\u{1B}[A\r")
            try terminal.expectPosition("12/20")
            terminal.type(":" + paste("7\n:quit\n"))
            try terminal.expect(":7 ")
            terminal.type("\r")
            try terminal.expectPosition("7/20")
            terminal.type(":he\t")
            try terminal.expect(":help ")
            terminal.type("\r")
            try terminal.expect("half a screen")
            terminal.type(escape)
            try terminal.expectPosition("7/20")
            terminal.type(":quot\u{1B}[D\u{1B}[3~\u{7F}it\r")
            try terminal.expectEnd(.exited(0))
        }

        @Test
        func `another feed can be opened, and an unreadable one leaves the current feed open`()
            throws
        {
            defer { program.remove() }
            let folder = try program.pictureFolder(count: 20)
            let terminal = try program.openGallery([folder])
            try terminal.expectPosition("1/20")

            terminal.type(":open /nowhere\r")
            try terminal.expect("/nowhere: No such file")
            terminal.type(":open \(folder)/picture 3.jpg\r")
            try terminal.expectPosition("1/1")
        }

        @Test func `a paste is text in each prompt`() throws {
            defer { program.remove() }
            let terminal = try program.openGallery([program.pictureFolder(count: 20)])
            try terminal.expectPosition("1/20")

            for prompt in ["/", "f", ":"] {
                terminal.type(prompt + paste("zebra\nCyes\nq"))
                try terminal.expect("zebra ")
                terminal.type(escape)
                try terminal.expectNo("zebra")
            }
            try terminal.expectPosition("1/20")
            terminal.type("C" + paste("yes\n"))
            try terminal.expect("Esc keeps it")
            terminal.type("\r")
            try terminal.expect("the disk cache was not cleared")
        }
    }
}
