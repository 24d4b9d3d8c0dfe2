import Feeds
import GalleryCore
import Glibc
import TerminalUI
import Testing
import VirtualTerminal

extension EndToEnd {
    @Suite struct WatchTests {
        private let program = TestProgram()

        private func write(_ number: Int) throws {
            let file = try SamplePictures.file(number: number)
            try program.write(file.bytes, to: "pictures/\(file.name)")
        }

        @Test
        func `images are shown when written, again when changed, and leave a trace when deleted`()
            throws
        {
            defer { program.remove() }
            let folder = try program.pictureFolder(count: 2)
            let terminal = try program.openGallery(["--watch", folder])
            try terminal.expect("both", where: showsPictures(1...2))

            try write(4)
            try terminal.expect("the new one", where: showsPictures(4...4))
            try terminal.expectPosition("1/3+")

            // Another picture in the same file.
            try program.write(SamplePictures.file(number: 5).bytes, to: "pictures/picture 4.png")
            try terminal.expect("its new content") { $0.showsPicture(5, above: "picture 4.png") }

            unlink("\(folder)/picture 1.png")
            try terminal.expect("deleted")
            rename("\(folder)/picture 2.png", "\(folder)/renamed.png")
            try terminal.expect("its new name") { $0.showsPicture(2, above: "renamed.png") }
            terminal.type("q")
            try terminal.expectEnd(.exited(0))
        }

        @Test func `an empty folder is opened and filled`() throws {
            defer { program.remove() }
            mkdir("\(program.home)/pictures", 0o700)
            let terminal = try program.openGallery(["--watch", "\(program.home)/pictures"])
            try terminal.expect("No images yet.")

            for number in 1...8 { try write(number) }

            try terminal.expect("all of them") { screen in
                (1...8).allSatisfy { screen.text.contains("picture \($0).") }
            }
            try terminal.expectNo("No images yet.")
        }

        @Test func `an image that has just changed on its server is requested again`() throws {
            defer { program.remove() }
            let server = try NginxRun(program)
            defer { server.stop() }
            let name = "www/camera.png"
            try program.write(SamplePictures.file(number: 1).bytes, to: name)
            let terminal = try program.openGallery([server.url("camera.png")])
            try terminal.expect("the picture") { $0.showsPicture(1, above: "camera.png") }

            try program.write(SamplePictures.file(number: 5).bytes, to: name)

            // nginx says since when a file is as it is, and nothing else.
            try terminal.expect("the next one") { $0.showsPicture(5, above: "camera.png") }
            let asked = server.requests
            #expect(asked.first == "/camera.png 200 ")
            #expect(asked.last?.hasPrefix("/camera.png 200 \"") == true)
            terminal.type("q")
            try terminal.expectEnd(.exited(0))
        }

        @Test(arguments: ["", "missing", "feed.txt"])
        func `only a folder can be watched`(name: String) throws {
            defer { program.remove() }
            _ = try program.feed(["a.png"])

            let path = name.isEmpty ? "" : "\(program.home)/\(name)"
            let terminal = try program.openGallery(["--watch", path])

            try terminal.expectEnd(.exited(66))
        }
    }
}
