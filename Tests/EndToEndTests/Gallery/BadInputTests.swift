import DemoServer
import Feeds
import GalleryCore
import Testing
import VirtualTerminal

extension EndToEnd {
    /// Feeds and pictures that are not as they should be.
    @Suite struct BadInputTests {
        private let program = TestProgram()

        @Test func `each bad image shows its reason and the good one is drawn`() throws {
            let server = try PictureServer()
            defer {
                server.stop()
                program.remove()
            }
            let good = try SamplePictures.file(number: 7)
            try program.write(good.bytes, to: "good.png")
            try program.write(good.bytes.prefix(60), to: "short.png")
            try program.write("no picture at all".utf8, to: "text.jpg")
            let feed = try program.feed([
                "gopher://example.org/a.jpg Scheme",
                "\(server.url(1, query: "status=404")) Missing",
                "\(server.url(2, query: "html=1")) Page",
                "\(server.url(3, query: "truncate=500")) Cut",
                "short.png Short",
                "text.jpg Text",
                "nowhere.png Nowhere",
                "good.png Good",
            ])

            let terminal = try program.openGallery([feed])

            try terminal.expect("unknown scheme")
            try terminal.expect("not found (404)")
            try terminal.expect("not an image")
            try terminal.expect("cut off")
            try terminal.expect("truncated PNG")
            try terminal.expect("No such file")
            for name in ["Scheme", "Missing", "Page", "Cut", "Short", "Text", "Nowhere"] {
                try terminal.expect("a cross after \(name)") { $0.shows("✗", after: name) }
            }
            try terminal.expect("the good one") { $0.showsPicture(7, above: "Good") }
        }

        @Test func `a damaged remote image is shown with a mark and a message`() throws {
            let server = try PictureServer()
            defer {
                server.stop()
                program.remove()
            }
            let terminal = try program.openGallery([
                program.feed([server.url(1, query: "corrupt=1") + " Damaged"])
            ])

            try terminal.expect("damaged")
            try terminal.expect("the mark") { $0.shows("◐", after: "Damaged") }
            try terminal.expect("▀▀▀▀▀▀")
        }

        @Test func `a missing feed is named on one line, without a screen, and ends with 66`()
            throws
        {
            defer { program.remove() }
            let terminal = try program.openGallery(["no-such-feed.txt"])

            try terminal.expectEnd(.exited(66))
            let written = String(decoding: terminal.output, as: UTF8.self)
            #expect(written.hasPrefix("termgallery: no-such-feed.txt: No such file or directory"))
            #expect(written.split(separator: "\r\n").count == 1)
            #expect(!written.contains("\u{1B}"))
        }

        @Test func `a feed that its server does not have ends the gallery with 66`() throws {
            let server = try PictureServer()
            defer {
                server.stop()
                program.remove()
            }
            let url = "http://127.0.0.1:\(server.server.port)/no-such-feed.txt"
            let terminal = try program.openGallery([url])

            try terminal.expectEnd(.exited(66))
            #expect(terminal.screen.isRestored)
            try terminal.expect("404 not found")
            try terminal.expect("no-such-feed.txt")
        }

        @Test func `escape sequences and text direction of a caption never reach the terminal`()
            throws
        {
            defer { program.remove() }
            let picture = try SamplePictures.file(number: 7).bytes
            try program.write(picture, to: "good.png")
            let odd = try program.write(picture, to: "name \u{1B}[5m\u{202E}.png")
            let feed = try program.feed([
                "good.png \u{1B}]0;owned\u{7}\u{1B}[5mA\u{9B}5m\u{202E}B\u{2066}C",
                "good.png Last",
            ])

            let terminal = try program.openGallery([feed, odd])
            try terminal.expect("three pictures") { screen in
                screen.showsPicture(7, above: "Last") && screen.count(of: "▀▀▀▀▀▀▀▀") >= 3 * 4
            }
            try terminal.expect("]0;owned")

            let forbidden = ["\u{1B}]0", "\u{1B}[5m", "\u{9B}", "\u{7}", "\u{202E}", "\u{2066}"]
            for sequence in forbidden {
                #expect(!terminal.hasWritten(sequence), "\(Array(sequence.utf8))")
            }
        }
    }
}
