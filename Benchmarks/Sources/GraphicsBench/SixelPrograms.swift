import Decoders
import Foundation
import Peers

/// libsixel's programs, of Debian's package libsixel-bin.
enum LibSixel {
    /// A picture in so many colours, not dithered; nil without `img2sixel`.
    static func sixels(of pixels: PixelBuffer, colorCount: Int) -> [UInt8]? {
        let options = ["-p", "\(colorCount)", "-d", "none", "-q", "high"]
        return Scratch.run("img2sixel", options, on: try? PNGEncoder.encode(pixels))
    }

    /// The pixels that sixels paint; nil without `sixel2png`.
    static func pixels(of sixels: [UInt8]) -> PixelBuffer? {
        guard let file = Scratch.run("sixel2png", ["-i"], on: sixels, ["-o", "-"]) else {
            return nil
        }
        return try? DecoderRegistry.standard.decode(file, options: DecodingOptions()).pixels
    }
}

/// chafa's sixels, of about as many pixels: without a terminal it takes a cell for 8 by 8.
enum Chafa {
    static func sixels(of pixels: PixelBuffer) -> [UInt8]? {
        let options = ["-f", "sixel", "-s", "24x28"]
        return Scratch.run("chafa", options, on: try? PNGEncoder.encode(pixels))
    }
}

/// Runs a program on bytes, which it finds in a file.
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
