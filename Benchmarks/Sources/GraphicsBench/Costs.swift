import Decoders
import Measuring
import TerminalGraphics

/// What the pictures come to in one way of sending them.
struct Costs {
    private let byteCounts: [Double]
    private let likenesses: [Double]
    /// CPU time of a picture; nil for programs, most of whose time is starting.
    private let milliseconds: [Double]?

    /// Encoded by us.
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

    /// Encoded by a program that makes sixels; nil if it isn't there.
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

    /// The median of what goes over the line.
    var kilobytes: Double { byteCounts.median / 1000 }

    /// The cells of a table's row.
    var cells: [String] {
        [
            kilobytes.text(decimals: 1), ((byteCounts.max() ?? 0) / 1000).text(decimals: 1),
            likenesses.isEmpty ? "-" : likenesses.median.text(decimals: 1),
            likenesses.min()?.text(decimals: 1) ?? "-",
            milliseconds?.median.text(decimals: 1) ?? "-",
        ]
    }

    /// The cells of a program that isn't installed.
    static let none = ["-", "-", "-", "-", "-"]
}
