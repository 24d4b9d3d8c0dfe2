import Decoders
import Feeds
import GalleryCore
import Glibc
import TerminalUI
import Testing
import VirtualTerminal

extension EndToEnd {
    @Suite struct KnownFeedsTests {
        private let program = TestProgram()

        private func writeFeed(_ name: String, _ numbers: ClosedRange<Int>) throws -> String {
            let items = try numbers.map { number in
                let picture = try PNGEncoder.encode(SamplePictures.pixels(number: number))
                try program.write(picture, to: "\(name)\(number).png")
                return "<item><guid>\(number)</guid><title>shot \(number)</title>"
                    + "<enclosure url='\(name)\(number).png' type='image/png'/></item>"
            }
            let text = "<rss><channel>\(items.joined())</channel></rss>"
            return try program.write(text.utf8, to: "\(name).xml")
        }

        @Test func `added items are new the next time, and nothing is new at first`() throws {
            defer { program.remove() }
            let feed = try writeFeed("a", 1...4)
            let first = try program.openGallery([feed])
            try first.expectPosition("1/4")
            first.type("\t")
            try first.expect("nothing new")
            first.type("q")
            try first.expectEnd(.exited(0))

            _ = try writeFeed("a", 1...6)
            let second = try program.openGallery([feed])
            try second.expect("2 new")
            second.type("\t")
            try second.expectPosition("5/6")
            second.type("v")
            try second.expect("no longer new")
            second.type("q")
            try second.expectEnd(.exited(0))

            #expect(try program.run(["feeds", "add", feed, "My", "shots"]).status == .exited(0))
            let list = try program.run(["feeds"])
            #expect(list.text.hasPrefix("1  0 new of 6  ") && list.text.contains("My shots  "))
            #expect(try program.run(["feeds", "list", "--json"]).text.contains("\"new\":0"))
        }

        @Test func `all known feeds open as one, and a failed feed is a cell`() throws {
            defer { program.remove() }
            let none = try program.run(["--all"])
            #expect(none.status == .exited(2) && none.errors.contains("There are no known feeds"))
            let list = ".config/termgallery/feeds"
            mkdir("\(program.home)/.config", 0o700)
            mkdir("\(program.home)/.config/termgallery", 0o700)
            _ = try program.write(repeatElement(UInt8(ascii: "a"), count: 1 << 20 + 1), to: list)
            let large = try program.run(["fetch", "--all"])
            #expect(large.status == .exited(66) && large.errors.contains("is larger than 1 MiB"))
            unlink("\(program.home)/\(list)")
            for name in ["a", "b"] {
                let feed = try writeFeed(name, 1...2)
                #expect(try program.run(["feeds", "add", feed]).status == .exited(0))
            }
            _ = try program.run(["feeds", "add", "\(program.home)/gone.xml", "Gone"])

            let terminal = try program.openGallery(["--all"])
            try terminal.expectPosition("1/5")
            try terminal.expect("Gone")
            terminal.type("q")
            try terminal.expectEnd(.exited(0))

            #expect(try program.run(["feeds", "remove", "Gone"]).status == .exited(0))
            #expect(try program.run(["feeds", "remove", "Gone"]).status == .exited(1))
            #expect(try program.run(["feeds"]).lines.count == 2)
        }
    }
}
