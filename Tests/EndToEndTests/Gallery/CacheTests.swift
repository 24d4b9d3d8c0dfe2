import DemoServer
import Feeds
import Glibc
import TerminalUI
import Testing
import VirtualTerminal

extension EndToEnd {
    /// The keys that empty and clean the caches.
    @Suite struct CacheTests {
        private let program = TestProgram()
        /// A screen whose status bar has room for both caches in words.
        private static let wide = ScreenSize(columns: 200, rows: 24)

        @Test func `c empties the memory cache and reports the freed bytes`() throws {
            defer { program.remove() }
            let terminal = try program.openGallery([program.pictureFolder(count: 8)])
            try terminal.expect("memory 8")

            terminal.type("c")

            try terminal.expect("memory cache: 8 images")
            terminal.type("s")
            try terminal.expect("an empty cache") { screen in
                screen.text.contains(#/Memory cache.*\n.*images +0 /#)
            }
        }

        @Test func `C requires yes and then empties the disk cache`() throws {
            let server = try PictureServer()
            defer {
                server.stop()
                program.remove()
            }
            let terminal = try program.openGallery(
                [program.feed(server.lines(1...8))],
                size: Self.wide
            )
            try terminal.expect("disk 8")
            #expect(bodies.count == 8)

            terminal.type("C")
            try terminal.expect("Clear the disk cache: 8 images")
            terminal.type("no\r")
            try terminal.expect("the disk cache was not cleared")
            #expect(bodies.count == 8)

            terminal.type("C")
            try terminal.expect("Clear the disk cache: 8 images")
            terminal.type("yes\r")
            try terminal.expect("→ empty")
            #expect(bodies == [] && thumbnails == [])
        }

        @Test func `x keeps fresh entries and deletes expired ones`() throws {
            let server = try PictureServer()
            defer {
                server.stop()
                program.remove()
            }
            let terminal = try program.openGallery(
                [program.feed(server.lines(1...3))],
                size: Self.wide
            )
            try terminal.expect("disk 3")

            terminal.type("x")
            try terminal.expect("disk cache: nothing to remove from 3 images")
            #expect(bodies.count == 3)
        }

        @Test func `a second gallery takes the images from the disk`() throws {
            let server = try PictureServer()
            defer {
                server.stop()
                program.remove()
            }
            let feed = try program.feed(server.lines(1...4))
            let first = try program.openGallery([feed], size: Self.wide)
            try first.expect("the picture") { $0.shows("↓", after: "Picture 4") }
            try first.expect("disk 4")
            first.type("q")
            try first.expectEnd(.exited(0))

            let second = try program.openGallery([feed])

            try second.expect("the picture") { $0.shows("■", after: "Picture 4") }
            #expect(server.counters.requests == 4)
        }

        /// The files in the cache, without its own tag and the thumbnails.
        private var bodies: [String] {
            let others: Set = ["CACHEDIR.TAG", "leases.lock"]
            return files.filter { !others.contains($0) && !$0.hasPrefix("thumb-") }
        }

        private var thumbnails: [String] { files.filter { $0.hasPrefix("thumb-") } }

        private var files: [String] { fileNames(under: "\(program.home)/.cache") }
    }
}
