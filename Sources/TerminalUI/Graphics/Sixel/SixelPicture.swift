internal import Decoders
internal import Glibc

/// A namespace for encoding an image as sixels with as many colors as the budget allows.
enum SixelPicture {
    /// The number of colors and other parameters that determine the quality and size of the encoded
    /// image.
    private struct Effort {
        let colorCount: Int
        /// The weight of an output byte when choosing the color of a pixel.
        ///
        /// The weight is a multiple of the palette's mean squared error.
        let thrift: Float
        /// The side length of single-color squares in pixels, or 1 for full resolution.
        let side: Int
    }

    /// The fraction of a color error that is distributed to other pixels.
    ///
    /// If the entire error were distributed, the image would look grainy and take more bytes.
    private static let diffusion: Float = 0.75

    /// The levels to try, finest first.
    ///
    /// Each level takes about a seventh fewer bytes than the previous one. At levels coarser than
    /// the last one, an image would be unrecognizable.
    private static let efforts: [Effort] = [
        (256, 0.4, 1), (192, 0.5, 1), (128, 0.6, 1), (96, 0.8, 1), (64, 1, 1), (48, 1, 1),
        (32, 1, 1), (32, 2, 1), (24, 2, 1), (16, 2, 1), (16, 4, 1), (32, 0.5, 2), (16, 0.5, 2),
        (16, 0.5, 3),
    ].map { Effort(colorCount: $0.0, thrift: $0.1, side: $0.2) }

    /// The typical number of bytes per pixel of a photograph in 256 colors.
    private static let bytesPerPixel = 1.1

    static func encode(_ pixels: PixelBuffer, budget: GraphicsBudget) -> EncodedPicture {
        var source = Source(pixels, colorLimit: budget.sixelColorLimit)
        let most = Double(pixels.size.pixelCount) * bytesPerPixel
        var expected = efforts.indices.map { most * exp(-0.16 * Double($0)) }
        // Encoding a part of the image shows how much its size differs from the expected size. This
        // is not done if an image of the expected size fits at the finest level.
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

    /// An image, and the data shared by all attempts to encode it.
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

        /// Returns the ratio of the actual to the expected number of bytes, measured on every
        /// fourth band (six rows of pixels).
        ///
        /// Returns 1 if there are fewer than 16 bands or the image consists of single-color
        /// squares.
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
                // Distributing errors inside the squares would cost the bytes that the squares
                // save.
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

    /// A palette for an image, and the error caused by the palette.
    private struct Colors {
        let palette: SixelPalette
        /// The index of the nearest palette color for each color in the histogram.
        let nearest: [UInt8]
        /// The mean squared distance between a pixel and its palette color.
        let error: Float

        init(_ histogram: ColorHistogram, count: Int) {
            palette = SixelPalette(rounding: Palette(of: histogram, count: count))
            nearest = palette.palette.nearest(to: histogram)
            error = palette.palette.meanSquaredError(of: histogram, nearest)
        }
    }
}

extension PixelBuffer {
    /// Returns the image as single-color squares with sides of `side` pixels.
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
