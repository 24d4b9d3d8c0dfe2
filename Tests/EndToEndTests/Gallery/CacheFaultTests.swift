import DemoServer
import Feeds
import GalleryCore
import Glibc
import PropertyRuns
import TerminalUI
import Testing
import VirtualTerminal

extension EndToEnd {
    /// Folders of the disk cache that something is wrong with, under a gallery.
    @Suite struct CacheFaultTests {
        private let program = TestProgram()
        private var folder: String { "\(program.home)/cache" }

        /// The object at the cache's path before the gallery starts.
        enum Place: String, CaseIterable {
            case file, nothingCanBeMade, loop, everybodys, full

            /// A sanitizer needs a file of its own before `main`.
            static let possible = allCases.filter { !PropertyRuns.isSanitized || $0 != .full }

            func prepare(_ folder: String, _ program: TestProgram) throws {
                switch self {
                case .file: try program.write([1, 2, 3], to: "cache")
                case .nothingCanBeMade: symlink("/proc/self/nothing", folder)
                case .loop: symlink(folder, folder)
                case .everybodys:
                    mkdir(folder, 0o700)
                    chmod(folder, 0o777)
                // Each file may hold a block at most.
                case .full: break
                }
            }
        }

        @Test(arguments: Place.possible)
        func `every image is drawn, and an unusable cache is reported`(
            place: Place
        ) throws {
            let server = try PictureServer()
            defer {
                server.stop()
                program.remove()
            }
            try place.prepare(folder, program)
            let feed = try program.feed(server.lines(1...8))
            let limit = place == .full ? "ulimit -f 0; " : ""
            let terminal = try PseudoTerminal(
                "/bin/sh",
                ["-c", "\(limit)exec '\(program.path)' --cache-dir '\(folder)' '\(feed)'"],
                environment: program.environment(colorTerm: "truecolor")
            )

            for number in 1...8 {
                try terminal.expect("picture \(number)") {
                    $0.shows("↓", after: "Picture \(number)")
                }
            }
            if place == .everybodys {
                #expect(terminal.hasWritten("is disabled: other users can write to it"))
            } else {
                terminal.resize(to: ScreenSize(columns: 100, rows: 50))
                terminal.type("s")
                try terminal.expect("not kept on disk")
                terminal.type("s")
            }
            terminal.type("q")
            try terminal.expectEnd(.exited(0))
            #expect(terminal.screen.isRestored)
        }

        @Test func `changes to the cache folder while paging cost no image`() throws {
            let server = try PictureServer()
            defer {
                server.stop()
                program.remove()
            }
            let feed = try program.feed(server.lines(1...40))
            // Nothing is there before its page is.
            let terminal = try program.openGallery([
                "--prefetch", "off", "--cache-dir", folder, feed,
            ])
            try terminal.expect("the first page") { $0.shows("↓", after: "Picture 8") }

            for name in fileNames(under: folder) { unlink("\(folder)/\(name)") }
            rmdir(folder)
            terminal.type("\u{1B}[6~")
            try terminal.expect("a page without a folder") { $0.shows("↓", after: "Picture 16") }

            for name in fileNames(under: folder) { try program.write([0], to: "cache/\(name)") }
            terminal.type("\u{1B}[6~")
            try terminal.expect("a page over damaged files") { screen in
                screen.showsLoaded("Picture 24")
            }

            rename(folder, folder + "-before")
            try program.write([1], to: "cache")
            terminal.type("\u{1B}[6~c\u{1B}[H")
            try terminal.expect("the first page again") { screen in
                (1...8).allSatisfy { screen.showsLoaded("Picture \($0)") }
            }
            terminal.type("q")
            try terminal.expectEnd(.exited(0))
        }
    }
}

extension VirtualScreen {
    /// Whether a picture is there, wherever it came from.
    fileprivate func showsLoaded(_ caption: String) -> Bool {
        "●■↓".contains { shows($0, after: caption) }
    }
}
