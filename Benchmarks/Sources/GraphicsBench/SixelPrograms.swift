import Decoders
import Foundation
import Peers

/// The programs of libsixel, in Debian's package libsixel-bin.
enum LibSixel {
    /// Returns an image in the given number of colors without dithering, or nil if `img2sixel` is
    /// not installed.
    static func sixels(of pixels: PixelBuffer, colorCount: Int) -> [UInt8]? {
        let options = ["-p", "\(colorCount)", "-d", "none", "-q", "high"]
        return Scratch.run("img2sixel", options, on: try? PNGEncoder.encode(pixels))
    }

    /// Returns the pixels that sixels paint, or nil if `sixel2png` is not installed.
    static func pixels(of sixels: [UInt8]) -> PixelBuffer? {
        guard let file = Scratch.run("sixel2png", ["-i"], on: sixels, ["-o", "-"]) else {
            return nil
        }
        return try? DecoderRegistry.standard.decode(file, options: DecodingOptions()).pixels
    }
}

/// The sixels of chafa with about as many pixels: without a terminal, chafa assumes cells of 8 by 8
/// pixels.
enum Chafa {
    static func sixels(of pixels: PixelBuffer) -> [UInt8]? {
        let options = ["-f", "sixel", "-s", "24x28"]
        return Scratch.run("chafa", options, on: try? PNGEncoder.encode(pixels))
    }
}

/// Runs a program on bytes, which are passed in a file.
private enum Scratch {
    static func run(
        _ program: String,
        _ options: [String],
        on input: [UInt8]?,
        _ more: [String] = []
    ) -> [UInt8]? {
        let file = FileManager.default.temporaryDirectory
            .appendingPathComponent("graphics-bench-\(UUID().uuidString).png")
        defer { try? FileManager.default.removeItem(at: file) }
        guard let input, (try? Data(input).write(to: file)) != nil else { return nil }
        let child = Program(name: program, command: [program] + options)
        guard let run = ChildRun(child, [file.path] + more, keepsOutput: true), run.exitStatus == 0
        else { return nil }
        return Array(run.output)
    }
}
