import Decoders
import Measuring
import TerminalUI

/// The costs of the images with one encoding.
struct Costs {
    private let byteCounts: [Double]
    private let likenesses: [Double]
    /// The CPU time per image; nil for programs, because starting them takes most of their time.
    private let milliseconds: [Double]?

    /// Measures our own encoder.
    init(_ pictures: [Thumbnail], _ graphics: GraphicsProtocol, _ budget: GraphicsBudget) {
        var (byteCounts, likenesses, milliseconds): ([Double], [Double], [Double]) = ([], [], [])
        for picture in pictures {
            var encoded = PictureEncoder.encode(picture.pixels, for: graphics, budget: budget)
            let times = (0..<5).map { _ in
                ThreadTime.milliseconds {
                    encoded = PictureEncoder.encode(picture.pixels, for: graphics, budget: budget)
                }
            }
            milliseconds.append(times.median)
            byteCounts.append(Double(encoded.byteCountOnLine))
            let shown =
                encoded.form == .sixel
                ? LibSixel.pixels(of: encoded.payload)
                : try? DecoderRegistry.standard.decode(
                    encoded.payload,
                    options: DecodingOptions()
                ).pixels
            if let shown { likenesses.append(picture.likeness(to: shown)) }
        }
        (self.byteCounts, self.likenesses) = (byteCounts, likenesses)
        self.milliseconds = milliseconds
    }

    /// Measures a program that makes sixels; nil if the program is not installed.
    init?(_ pictures: [Thumbnail], _ sixels: (PixelBuffer) -> [UInt8]?) {
        var (byteCounts, likenesses): ([Double], [Double]) = ([], [])
        for picture in pictures {
            guard let sixels = sixels(picture.pixels) else { return nil }
            byteCounts.append(Double(sixels.count))
            guard let shown = LibSixel.pixels(of: sixels) else { continue }
            likenesses.append(picture.likeness(to: shown))
        }
        (self.byteCounts, self.likenesses, milliseconds) = (byteCounts, likenesses, nil)
    }

    /// The median of the transmitted bytes, in kilobytes.
    var kilobytes: Double { byteCounts.median / 1000 }

    /// The cells of a table row.
    var cells: [String] {
        [
            kilobytes.text(decimals: 1), ((byteCounts.max() ?? 0) / 1000).text(decimals: 1),
            likenesses.isEmpty ? "-" : likenesses.median.text(decimals: 1),
            likenesses.min()?.text(decimals: 1) ?? "-",
            milliseconds?.median.text(decimals: 1) ?? "-",
        ]
    }

    /// The cells of a program that is not installed.
    static let none = ["-", "-", "-", "-", "-"]
}
