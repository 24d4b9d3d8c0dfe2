internal import Decoders
internal import Glibc

/// A picture in sixels, in as many colours as the budget allows.
enum SixelPicture {
    /// A number of colours, and how dear a byte is against errors.
    private struct Effort {
        let colorCount: Int
        let thrift: Float
    }

    /// Each takes about a seventh fewer bytes than the one before.
    ///
    /// Below 16 colours there is less to gain by taking away colours than by drawing them more
    /// coarsely.
    private static let efforts: [Effort] =
        [256, 192, 128, 96, 64, 48, 32, 24, 16].map { Effort(colorCount: $0, thrift: 0.4) }
        + [1, 2, 4, 8].map { Effort(colorCount: 16, thrift: $0) }
        + [8, 4, 2].map { Effort(colorCount: $0, thrift: 8) }

    /// The bytes of a pixel of a photograph in 256 colours.
    private static let bytesPerPixel = 1.1

    static func encode(_ pixels: PixelBuffer, budget: GraphicsBudget) -> EncodedPicture {
        let histogram = ColorHistogram(pixels)
        let efforts = efforts.map { effort in
            Effort(
                colorCount: min(effort.colorCount, budget.sixelColorLimit),
                thrift: effort.thrift
            )
        }
        let search = BudgetSearch(
            last: efforts.count - 1,
            limit: budget.byteLimit,
            shrinkage: 0.16
        )
        let expected = Double(pixels.size.pixelCount) * bytesPerPixel
        let first = log(max(1, expected / Double(max(1, budget.byteLimit)))) / search.shrinkage
        return search.finest(first: Int(first)) { level in
            let bytes = sixels(pixels, histogram, efforts[level])
            let picture = EncodedPicture(payload: bytes, form: .sixel, size: pixels.size)
            return (picture, picture.byteCountOnLine)
        }
    }

    private static func sixels(
        _ pixels: PixelBuffer,
        _ histogram: ColorHistogram,
        _ effort: Effort
    ) -> [UInt8] {
        let palette = SixelPalette(rounding: Palette(of: histogram, count: effort.colorCount))
        let nearest = palette.palette.nearest(to: histogram)
        let error = palette.palette.meanSquaredError(of: histogram, nearest)
        let mapped = SixelPixels(
            pixels,
            palette: palette.palette,
            histogram: histogram,
            nearest: nearest,
            byteWeight: effort.thrift * error
        )
        return SixelWriter.controlString(mapped, palette: palette)
    }
}
