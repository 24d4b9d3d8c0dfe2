import Decoders
import Glibc
import TerminalUI
import Testing
import VirtualTerminal

extension EndToEnd {
    @Suite struct FolderTests {
        private let program = TestProgram()
        private static let backspace = "\u{7F}"

        /// Makes folders of images in the home; each path has a number of images.
        private func add(_ folders: [(path: String, count: Int)]) throws -> String {
            var number = 0
            for folder in folders {
                var path = program.home
                for part in "tree/\(folder.path)".split(separator: "/") {
                    path += "/\(part)"
                    mkdir(path, 0o700)
                }
                for index in 0..<folder.count {
                    number += 1
                    let pixels = SamplePictures.pixels(number: number)
                    let bytes = try PNGEncoder.encode(pixels)
                    try program.write(bytes, to: "tree/\(folder.path)/\(index).png")
                }
            }
            return "\(program.home)/tree"
        }

        /// Opens the gallery with folders of images, and waits for the position of the selection.
        private func open(
            _ folders: [(path: String, count: Int)],
            at position: String,
            size: ScreenSize = ScreenSize(columns: 80, rows: 24)
        ) throws -> PseudoTerminal {
            let terminal = try program.openGallery([try add(folders)], size: size)
            try terminal.expectPosition(position)
            return terminal
        }

        private func remove(_ path: String) {
            let folder = "\(program.home)/tree/\(path)"
            for name in fileNames(under: folder) { unlink("\(folder)/\(name)") }
            rmdir(folder)
        }

        private func quit(_ terminal: PseudoTerminal) throws {
            terminal.type("q")
            try terminal.expectEnd(.exited(0))
        }

        @Test func `folders are entered and left, and the folder that was left is selected`()
            throws
        {
            defer { program.remove() }
            let terminal = try open(
                [("", 1), ("one", 1), ("two", 5), ("two/deep", 3)],
                at: "1/3"
            )
            try terminal.expect("the number of images") { screen in
                screen.text.contains("two/") && screen.text.contains("5 ")
            }

            terminal.type("l")
            try terminal.expectPosition("2/3")
            terminal.type("\r")
            try terminal.expectPosition("1/6")
            try terminal.expect("deep/")
            terminal.type(" ")
            try terminal.expectPosition("1/3")
            try terminal.expect("2.png")

            terminal.type(Self.backspace)
            try terminal.expectPosition("1/6")
            terminal.type("l")
            try terminal.expectPosition("2/6")
            terminal.type(Self.backspace)
            try terminal.expectPosition("2/3")
            terminal.type(Self.backspace)
            try terminal.expect("this is the folder that was opened first")
            try quit(terminal)
        }

        @Test func `the cover of a folder is drawn from its images`() throws {
            defer { program.remove() }
            let terminal = try open([("", 0), ("one", 1)], at: "1/1")

            try terminal.expect("the cover") { screen in screen.text.contains("▀") }
            try terminal.expect("1 image")
            try quit(terminal)
        }

        @Test func `a folder with only folders says so and shows them`() throws {
            defer { program.remove() }
            let root = try add([("", 0), ("x.jpg", 2), ("#recycle", 1)])
            let terminal = try program.openGallery([root])

            try terminal.expect("x.jpg/")
            try terminal.expect("no images, only folders")
            terminal.type("\r")
            try terminal.expectPosition("1/2")
            try quit(terminal)
        }

        @Test func `a deleted folder cannot be entered, and the gallery stays where it is`() throws
        {
            defer { program.remove() }
            let terminal = try open([("", 1), ("gone", 1)], at: "1/2")

            remove("gone")
            terminal.type("\r")

            try terminal.expect("No such file or directory")
            try terminal.expectPosition("1/2")
            try quit(terminal)
        }

        @Test(arguments: [Self.backspace, "\u{1B}[15~"])
        func `a folder that is deleted while it is shown is left for the nearest that exists`(
            key: String
        ) throws {
            defer { program.remove() }
            let terminal = try open([("", 1), ("a", 1), ("a/b", 1), ("a/b/c", 2)], at: "1/2")
            for content in ["b/", "c/", "1.png"] {
                terminal.type("\r")
                try terminal.expect(content)
            }

            remove("a/b/c")
            remove("a/b")
            terminal.type(key)

            try terminal.expect("c no longer exists")
            try terminal.expectPosition("1/1")
            try terminal.expect("0.png")
            try quit(terminal)
        }

        @Test func `the folder of a named image can be left for its parent`() throws {
            defer { program.remove() }
            let root = try add([("", 0), ("a", 2), ("b", 3)])
            let terminal = try program.openGallery(["\(root)/b/1.png"])
            try terminal.expectPosition("2/3")

            terminal.type(Self.backspace)

            try terminal.expectPosition("2/2")
            try terminal.expect("a/")
            try quit(terminal)
        }

        @Test func `a folder that can no longer be read says so in its cell`() throws {
            defer { program.remove() }
            let terminal = try open([("", 1), ("gone", 1)], at: "1/2")
            try terminal.expect("1 image")

            remove("gone")
            terminal.type("R")

            try terminal.expect("No such file")
            try terminal.expect("✗")
            try quit(terminal)
        }

        @Test func `print, fetch, --pick and -r show no folders`() throws {
            defer { program.remove() }
            let root = try add([("", 1), ("a", 2)])

            #expect(try program.run(["fetch", root, "--jsonl"]).lines.count == 1)
            let picking = try program.openGallery(["--pick", root])
            try picking.expectPosition("1/1")
            picking.type("q")
            _ = picking.waitForEnd()
            let recursive = try program.openGallery(["-r", root])
            try recursive.expectPosition("1/3")
            try quit(recursive)
        }

        @Test func `the smallest window shows folders, and enters and leaves them`() throws {
            defer { program.remove() }
            let name = String(repeating: "n", count: 255)
            let terminal = try open(
                [("", 1), (name, 2)],
                at: "1/2",
                size: ScreenSize(columns: 20, rows: 5)
            )
            terminal.type("\r")
            try terminal.expect("0.png")
            terminal.type("l" + Self.backspace)
            try terminal.expectPosition("1/2")
            try quit(terminal)
        }
    }
}
