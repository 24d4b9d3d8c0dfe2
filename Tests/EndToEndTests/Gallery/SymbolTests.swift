import Decoders
import GalleryCore
import TerminalUI
import Testing
import VirtualTerminal

extension EndToEnd {
    /// The characters that stand for pixels, through both painters and through a pipe.
    @Suite struct SymbolTests {
        private let program = TestProgram()

        @Test(
            arguments: [
                (["--symbols", "sextants", "--colors", "256"], 0x1FB00...0x1FB3B),
                (["--symbols", "octants", "--colors", "256"], 0x1CD00...0x1CDE5),
                (["--symbols", "braille", "--colors", "mono"], 0x2801...0x28FF),
                (["--symbols", "quadrants", "--dither", "diffusion"], 0x2596...0x259F),
            ] as [([String], ClosedRange<UInt32>)]
        )
        func `requested symbols are on the screen`(
            options: [String],
            characters: ClosedRange<UInt32>
        ) throws {
            defer { program.remove() }
            let terminal = try program.openGallery(
                options + [slope()],
                environment: program.environment(term: "xterm-256color")
            )

            try terminal.expect("\(options)", where: hasCells(in: characters))
            #expect(terminal.screen.unknownSequences.isEmpty)
        }

        @Test func `b draws the images in the next symbols and names them`() throws {
            defer { program.remove() }
            let terminal = try program.openGallery([slope()])
            try terminal.expect("half blocks", where: hasCells(in: 0x2580...0x2580))

            for (name, characters) in [
                ("quadrants", 0x2596...0x259F), ("sextants", 0x1FB00...0x1FB3B),
                ("octants", 0x1CD00...0x1CDE5), ("braille", 0x2801...0x28FF),
            ] as [(String, ClosedRange<UInt32>)] {
                terminal.type("b")
                try terminal.expect("images: \(name)")
                try terminal.expect(name, where: hasCells(in: characters))
            }
        }

        @Test func `print uses the requested symbols too`() throws {
            defer { program.remove() }
            let run = try program.run(["print", "--symbols", "octants", slope()])

            #expect(run.status == .exited(0) && run.errors.isEmpty)
            #expect(run.text.unicodeScalars.contains { (0x1CD00...0x1CDE5).contains($0.value) })
        }

        @Test func `doctor reports the chosen symbols`() throws {
            defer { program.remove() }
            let run = try program.run(["doctor", "--colors", "mono"])

            #expect(run.status == .exited(0) && run.errors.isEmpty)
            #expect(run.text.contains("mono colors: set by --colors"))
        }

        private func hasCells(
            in characters: ClosedRange<UInt32>
        ) -> (VirtualScreen) -> Bool {
            { screen in
                screen.frame.cells.count { characters.contains($0.scalar) } >= 3
            }
        }

        /// A picture with an edge that no half block can follow.
        private func slope() throws -> String {
            let side = 80
            let bytes = (0..<side * side).flatMap { index -> [UInt8] in
                let isAbove = index % side * 5 > index / side * 7 + 3
                return isAbove ? [250, 240, 230, 255] : [10, 30, 60, 255]
            }
            let size = PixelSize(width: side, height: side)
            let pixels = PixelBuffer(size: size, bytes: bytes, hasAlpha: false)
            return try program.write(PNGEncoder.encode(pixels), to: "slope.png")
        }
    }
}
