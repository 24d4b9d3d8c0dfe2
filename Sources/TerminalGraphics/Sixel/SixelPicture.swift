internal import Decoders
internal import Glibc

/// A picture in sixels, in as many colours as the budget allows.
enum SixelPicture {
    /// How coarsely a picture is drawn.
    private struct Effort {
        let colorCount: Int
        /// The weight of a byte against the error of the palette.
        let thrift: Float
        /// The side of the squares of one colour that the picture is made of.
        let side: Int
    }

    /// How much of an error is handed on: all of it looks grainy and takes more bytes.
    private static let diffusion: Float = 0.75

    /// Each takes about a seventh fewer bytes than the one before; with less than the last a picture
    /// would be no likeness.
    private static let efforts: [Effort] = [
        (256, 0.4, 1), (192, 0.5, 1), (128, 0.6, 1), (96, 0.8, 1), (64, 1, 1), (48, 1, 1),
        (32, 1, 1), (32, 2, 1), (24, 2, 1), (16, 2, 1), (16, 4, 1), (32, 0.5, 2), (16, 0.5, 2),
        (16, 0.5, 3),
    ].map { Effort(colorCount: $0.0, thrift: $0.1, side: $0.2) }

    /// The bytes of a pixel of a photograph in 256 colours.
    private static let bytesPerPixel = 1.1

    static func encode(_ pixels: PixelBuffer, budget: GraphicsBudget) -> EncodedPicture {
        let histogram = ColorHistogram(pixels)
        let efforts = efforts.map { effort in
            Effort(
                colorCount: min(effort.colorCount, budget.sixelColorLimit),
                thrift: effort.thrift,
                side: effort.side
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
            let effort = efforts[level]
            let bytes =
                effort.side == 1
                ? sixels(pixels, histogram, effort)
                : sixels(pixels.mosaic(side: effort.side), effort)
            let picture = EncodedPicture(payload: bytes, form: .sixel, size: pixels.size)
            return (picture, picture.byteCountOnLine)
        }
    }

    private static func sixels(_ mosaic: PixelBuffer, _ effort: Effort) -> [UInt8] {
        sixels(mosaic, ColorHistogram(mosaic), effort)
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
            byteWeight: effort.thrift * error,
            // A grain inside of squares would cost what they are to save.
            diffusion: effort.side == 1 ? diffusion : 0
        )
        return SixelWriter.controlString(mapped, palette: palette)
    }
}

extension PixelBuffer {
    /// The picture made of squares of one colour.
    fileprivate func mosaic(side: Int) -> PixelBuffer {
        let (width, height) = (size.width, size.height)
        let squares = PixelSize(
            width: (width + side - 1) / side,
            height: (height + side - 1) / side
        )
        let colors = resampled(to: squares).bytes
        var mosaic: [UInt8] = []
        mosaic.reserveCapacity(width * height * 4)
        for y in 0..<height {
            for x in 0..<width {
                let start = (y / side * squares.width + x / side) * 4
                mosaic.append(contentsOf: colors[start..<(start + 4)])
            }
        }
        return PixelBuffer(size: size, bytes: mosaic, hasAlpha: false)
    }
}
