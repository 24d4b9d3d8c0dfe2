import Decoders
import Feeds
import GalleryCore
import Glibc
import TerminalUI
import Testing
import VirtualTerminal

extension EndToEnd {
    @Suite struct ReloadTests {
        private let program = TestProgram()
        private static let key = "\u{1B}[15~"

        private func write(_ numbers: [Int], to name: String = "www/feed.txt") throws {
            let text = numbers.map { "\($0).png\tpicture \($0)\n" }.joined()
            try program.write(text.utf8, to: name)
        }

        private func addPictures(to folder: String) throws {
            for number in 1...9 {
                let pixels = SamplePictures.pixels(number: number)
                try program.write(PNGEncoder.encode(pixels), to: "\(folder)/\(number).png")
            }
        }

        // Five tenths of a PNG cannot be decoded; of eight tenths of a JPEG, the upper part is shown.
        @Test(arguments: [(1, 5, "truncated PNG"), (3, 8, "◐")])
        func `a file that is still being written is shown when it is complete`(
            number: Int,
            part: Int,
            sign: String
        ) throws {
            defer { program.remove() }
            let folder = try program.pictureFolder(count: 3)
            let file = try SamplePictures.file(number: number)
            try program.write(
                file.bytes.prefix(file.bytes.count * part / 10),
                to: "pictures/\(file.name)"
            )
            let terminal = try program.openGallery([folder])
            try terminal.expect(sign)

            try program.write(file.bytes, to: "pictures/\(file.name)")

            try terminal.expect("the whole image") { $0.showsPicture(number, above: file.name) }
            try terminal.expectNo(sign)
            terminal.type("q")
            try terminal.expectEnd(.exited(0))
        }

        @Test(arguments: ["r", Self.key])
        func `r and F5 reload a file on the screen that has changed`(key: String) throws {
            defer { program.remove() }
            let folder = try program.pictureFolder(count: 2)
            let terminal = try program.openGallery([folder])
            try terminal.expect("the image") { $0.showsPicture(1, above: "picture 1.png") }

            let other = try SamplePictures.file(number: 5)
            try program.write(other.bytes, to: "pictures/picture 1.png")
            terminal.type(key)

            try terminal.expect("its new content") { $0.showsPicture(5, above: "picture 1.png") }
            terminal.type("q")
            try terminal.expectEnd(.exited(0))
        }

        @Test func `F5 asks the server whether its feed has changed`() throws {
            defer { program.remove() }
            let server = try NginxRun(program)
            defer { server.stop() }
            try addPictures(to: "www")
            try write([1, 2, 3])
            let terminal = try program.openGallery([server.url("feed.txt")])
            try terminal.expectPosition("1/3")
            terminal.type("m")
            try terminal.expectPosition("2/3")

            terminal.type(Self.key)
            try terminal.expect("nothing new")
            let asked = server.requests.filter { $0.hasPrefix("/feed.txt") }
            #expect(asked.count == 2)
            #expect(asked.first == "/feed.txt 200 ")
            #expect(asked.last?.hasPrefix("/feed.txt 304 \"") == true)

            try write([5, 6, 7, 1, 2])
            terminal.type(Self.key)
            try terminal.expect("3 new, 1 gone")
            try terminal.expectPosition("5/5")
            terminal.type("h")
            try terminal.expectPosition("4/5")
            try terminal.expect("◆  picture 1")
            terminal.type("l")
            try terminal.expectPosition("5/5")

            unlink("\(program.home)/www/feed.txt")
            terminal.type(Self.key)
            try terminal.expect("not read again: ")
            try terminal.expectPosition("5/5")
            terminal.type("q")
            try terminal.expectEnd(.exited(0))
        }

        @Test func `F5 reads a file again; a removed image stays open until it is left`() throws {
            defer { program.remove() }
            mkdir("\(program.home)/files", 0o700)
            try addPictures(to: "files")
            try write([1, 2, 3], to: "files/feed.txt")
            let terminal = try program.openGallery(["\(program.home)/files/feed.txt"])
            try terminal.expectPosition("1/3")

            terminal.type("\r")
            try terminal.expect("fit, ")
            try write([2, 3, 4, 5], to: "files/feed.txt")
            terminal.type(Self.key)
            try terminal.expect("this image is no longer in the feed")
            try terminal.expectPosition("1/3")
            terminal.type("n")
            try terminal.expectPosition("1/4")
            terminal.type("qq")
            try terminal.expectEnd(.exited(0))
        }
    }
}
