import DemoServer
import Glibc
import Testing

extension EndToEnd {
    /// The keys that empty and clean the caches.
    @Suite struct CacheTests {
        private let program = TestProgram()

        @Test func `c empties the memory cache and says how much that was`() throws {
            defer { program.remove() }
            let terminal = try program.openGallery([program.pictureFolder(count: 8)])
            try terminal.expect("mem 8/")

            terminal.type("c")

            try terminal.expect("memory cache cleared: 8 images")
            terminal.type("s")
            try terminal.expect("memory: 0 images")
        }

        @Test func `C asks, and after y the disk cache is empty`() throws {
            let server = try PictureServer()
            defer {
                server.stop()
                program.remove()
            }
            let terminal = try program.openGallery([program.feed(server.lines(1...8))])
            try terminal.expect("disk 8/")
            #expect(bodies.count == 8)

            terminal.type("C")
            try terminal.expect("Empty the disk cache (8 files")
            terminal.type("n")
            try terminal.expect("the disk cache is kept")
            #expect(bodies.count == 8)

            terminal.type("C")
            try terminal.expect("Empty the disk cache (8 files")
            terminal.type("y")
            try terminal.expect("disk cache cleared: 8 files")
            #expect(bodies == [])
        }

        @Test func `x keeps what is fresh and deletes what has expired`() throws {
            let server = try PictureServer()
            defer {
                server.stop()
                program.remove()
            }
            let terminal = try program.openGallery([program.feed(server.lines(1...3))])
            try terminal.expect("disk 3/")

            terminal.type("x")
            try terminal.expect("disk cache cleaned: 0 files")
            #expect(bodies.count == 3)
        }

        @Test func `a second gallery takes the pictures from the disk`() throws {
            let server = try PictureServer()
            defer {
                server.stop()
                program.remove()
            }
            let feed = try program.feed(server.lines(1...4))
            let first = try program.openGallery([feed])
            try first.expect("↓ Picture 4")
            try first.expect("disk 4/")
            first.type("q")
            try first.expectEnd(.exited(0))

            let second = try program.openGallery([feed])

            try second.expect("■ Picture 4")
            #expect(server.counters.requests == 4)
        }

        /// What the cache holds beside its own tag.
        private var bodies: [String] {
            let others: Set = ["CACHEDIR.TAG", "leases.lock"]
            return fileNames(under: "\(program.home)/.cache").filter { !others.contains($0) }
        }
    }
}
