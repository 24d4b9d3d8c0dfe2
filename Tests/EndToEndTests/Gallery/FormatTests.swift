import GalleryCore
import TerminalUI
import Testing
import VirtualTerminal

extension EndToEnd {
    /// Formats beside JPEG and PNG, through the helpers that decode them.
    @Suite struct FormatTests {
        private let program = TestProgram()

        private static let files = [
            "alpha.webp", "interlaced.gif", "photo.avif", "photo.heic", "lossy.jxl", "jpeg.tiff",
            "drawing.svg", "palette.bmp", "png.ico", "rgb.qoi", "moving.apng",
        ]

        /// Fixtures of the decoders' tests.
        private func paths(_ names: [String]) -> [String] {
            let tests = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
            return names.map { "/\(tests)/DecodersTests/Fixtures/Formats/\($0)" }
        }

        @Test func `images of every format are shown`() throws {
            defer { program.remove() }

            let terminal = try program.openGallery(
                paths(Self.files),
                size: ScreenSize(columns: 120, rows: 40)
            )

            for name in Self.files {
                try terminal.expect("a picture above \(name)") { $0.isDrawn(above: name) }
            }
            terminal.type("q")
            try terminal.expectEnd(.exited(0))
        }

        @Test func `every format is printed by a helper without access to files`() throws {
            defer { program.remove() }

            let run = try program.run(["print", "--isolate", "always"] + paths(Self.files))

            let output = String(decoding: run.output, as: UTF8.self)
            #expect(run.status == .exited(0), "\(output) \(run.errors)")
        }

        @Test func `an animation plays while it is selected, and A stops it`() throws {
            defer { program.remove() }
            let terminal = try program.openGallery(paths(["moving.gif", "photo.avif"]))
            try terminal.expect("both") {
                $0.isDrawn(above: "moving.gif") && $0.isDrawn(above: "photo.avif")
            }
            // From the second picture the first stands still.
            terminal.type("l")
            try terminal.expect("2/2")
            let still = terminal.screen.colors(above: "moving.gif")

            terminal.type("h")
            try terminal.expect("another frame") { $0.colors(above: "moving.gif") != still }
            terminal.type("A")
            try terminal.expect("animations are paused")
            try terminal.expect("the picture") { $0.colors(above: "moving.gif") == still }
        }
    }
}
