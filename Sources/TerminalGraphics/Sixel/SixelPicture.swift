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
        var source = Source(pixels, colorLimit: budget.sixelColorLimit)
        let most = Double(pixels.size.pixelCount) * bytesPerPixel
        var expected = efforts.indices.map { most * exp(-0.16 * Double($0)) }
        // A part of the picture tells how much dearer or cheaper it is than most; where most fit at
        // the first try, it isn't asked.
        let level = BudgetSearch(limit: budget.byteLimit, expected: expected).first
        if level > 0 {
            let share = source.share(ofExpected: expected[level], efforts[level])
            expected = expected.map { $0 * share }
        }
        let search = BudgetSearch(limit: budget.byteLimit, expected: expected)
        return search.finest { level in
            let bytes = source.sixels(efforts[level]).bytes
            return (EncodedPicture(payload: bytes, form: .sixel, size: pixels.size), bytes.count)
        }
    }

    /// A picture, and what its tries have in common.
    private struct Source {
        let pixels: PixelBuffer
        let colorLimit: Int
        private let histogram: ColorHistogram
        private var colors: [Int: Colors] = [:]

        init(_ pixels: PixelBuffer, colorLimit: Int) {
            self.pixels = pixels
            self.colorLimit = colorLimit
            histogram = ColorHistogram(pixels)
        }

        /// By how much the bytes differ from the expected ones, judged by every fourth band; 1 if
        /// there are too few to judge by.
        mutating func share(ofExpected byteCount: Double, _ effort: Effort) -> Double {
            let bandByteCount = pixels.size.width * SixelPixels.bandHeight * 4
            let bandCount = pixels.size.height / SixelPixels.bandHeight
            guard bandCount >= 16, effort.side == 1 else { return 1 }
            var bytes: [UInt8] = []
            bytes.reserveCapacity(pixels.bytes.count / 4 + bandByteCount)
            for band in stride(from: 1, to: bandCount, by: 4) {
                bytes += pixels.bytes[(band * bandByteCount)...].prefix(bandByteCount)
            }
            let height = bytes.count / (pixels.size.width * 4)
            let size = PixelSize(width: pixels.size.width, height: height)
            let part = sixels(PixelBuffer(size: size, bytes: bytes, hasAlpha: false), effort)
            let rest = Double(part.bytes.count - part.headByteCount)
            let whole = rest * Double(pixels.size.height) / Double(height)
            return (Double(part.headByteCount) + whole) / byteCount
        }

        mutating func sixels(_ effort: Effort) -> SixelWriter.Output {
            guard effort.side > 1 else { return sixels(pixels, effort) }
            var mosaic = Source(pixels.mosaic(side: effort.side), colorLimit: colorLimit)
            return mosaic.sixels(mosaic.pixels, effort)
        }

        private mutating func sixels(_ part: PixelBuffer, _ effort: Effort) -> SixelWriter.Output {
            let colors = colors(min(effort.colorCount, colorLimit))
            let mapped = SixelPixels(
                part,
                palette: colors.palette.palette,
                histogram: histogram,
                nearest: colors.nearest,
                byteWeight: effort.thrift * colors.error,
                // A grain inside of squares would cost what they are to save.
                diffusion: effort.side == 1 ? diffusion : 0
            )
            return SixelWriter.controlString(mapped, palette: colors.palette)
        }

        private mutating func colors(_ count: Int) -> Colors {
            if let known = colors[count] { return known }
            let found = Colors(histogram, count: count)
            colors[count] = found
            return found
        }
    }

    /// A palette, and how it suits the picture that it is made for.
    private struct Colors {
        let palette: SixelPalette
        /// The nearest colour of each point of the histogram.
        let nearest: [UInt8]
        /// The mean squared distance of a pixel from its colour.
        let error: Float

        init(_ histogram: ColorHistogram, count: Int) {
            palette = SixelPalette(rounding: Palette(of: histogram, count: count))
            nearest = palette.palette.nearest(to: histogram)
            error = palette.palette.meanSquaredError(of: histogram, nearest)
        }
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
