internal import Decoders
internal import Glibc

/// A picture as a file, and how far it is from the original.
struct PNGPicture {
    /// How hard rows of samples are deflated: higher levels take ten times as long for a twentieth
    /// less.
    private static let sampleLevel = 6
    /// The same for indices, of which there are a third as many.
    static let indexLevel = 9

    let picture: EncodedPicture
    /// The sum of the squared differences of all samples.
    let squaredError: Double

    init(file: [UInt8]?, size: PixelSize, squaredError: Double) {
        // Without memory for it there is nothing to send.
        picture = EncodedPicture(payload: file ?? [], form: .png, size: size)
        self.squaredError = squaredError
    }

    /// The mean squared difference of a sample.
    func meanError(in pixels: PixelBuffer) -> Double {
        squaredError / Double(pixels.size.pixelCount * 3)
    }

    // MARK: - Nearly exact

    /// The steps that are tried.
    ///
    /// Odd ones round to both sides alike, and take fewer bytes for the same error.
    private static let steps = [1, 3, 5, 7, 9, 11, 13, 15, 17, 21, 25, 29, 33, 41, 51, 63]
    /// What a pixel of a photograph takes without loss.
    private static let bytesPerPixel = 1.4

    /// RGB at the smallest step at which it is within `limit`, or at the largest there is.
    static func nearLossless(_ pixels: PixelBuffer, limit: Int) -> PNGPicture {
        let search = BudgetSearch(last: steps.count - 1, limit: limit, shrinkage: 0.18)
        let expected = Double(pixels.size.pixelCount) * bytesPerPixel * 4 / 3
        let first = log(max(1, expected / Double(max(1, limit)))) / search.shrinkage
        return search.finest(first: Int(first)) { level in
            let rows = NearLosslessRows(pixels, step: steps[level])
            let file = PNGWriter.rgb(
                filteredRows: rows.bytes,
                size: pixels.size,
                level: sampleLevel
            )
            let picture = PNGPicture(
                file: file,
                size: pixels.size,
                squaredError: Double(rows.squaredError)
            )
            return (picture, picture.picture.byteCountOnLine)
        }
    }

    // MARK: - Palette

    private static let colorCounts = [256, 192, 128, 96, 64, 48, 32, 24, 16, 12, 8, 6, 4, 3, 2]

    /// The most colours with which a palette PNG is within `limit`.
    static func palette(_ pixels: PixelBuffer, limit: Int) -> PNGPicture {
        let histogram = ColorHistogram(pixels)
        let search = BudgetSearch(last: colorCounts.count - 1, limit: limit, shrinkage: 0.13)
        let expected = Double(pixels.size.pixelCount) * 0.5 * 4 / 3
        let first = log(max(1, expected / Double(max(1, limit)))) / search.shrinkage
        return search.finest(first: Int(first)) { level in
            let palette = Palette(of: histogram, count: colorCounts[level])
            let picture = IndexedPixels(pixels, palette: palette, histogram: histogram)
                .file(level: indexLevel)
            return (picture, picture.picture.byteCountOnLine)
        }
    }
}

/// A picture's pixels as the nearest colours of a palette.
private struct IndexedPixels {
    private let size: PixelSize
    private var indices: [UInt8] = []
    private var palette: [UInt8] = []
    private var squaredError = 0

    init(_ pixels: PixelBuffer, palette: Palette, histogram: ColorHistogram) {
        size = pixels.size
        let nearest = palette.nearest(to: histogram)
        for color in palette.colors {
            let rounded = color.rounded(.toNearestOrAwayFromZero)
            self.palette += [UInt8(rounded.x), UInt8(rounded.y), UInt8(rounded.z)]
        }
        indices.reserveCapacity(size.pixelCount)
        pixels.bytes.withUnsafeBufferPointer { bytes in
            for start in stride(from: 0, to: bytes.count, by: 4) {
                let (red, green, blue) = (bytes[start], bytes[start + 1], bytes[start + 2])
                let bin = ColorHistogram.bin(red, green, blue)
                let index = nearest[Int(histogram.pointOfBin[bin])]
                indices.append(index)
                squaredError +=
                    Self.square(red, self.palette[Int(index) * 3])
                    + Self.square(green, self.palette[Int(index) * 3 + 1])
                    + Self.square(blue, self.palette[Int(index) * 3 + 2])
            }
        }
    }

    private static func square(_ one: UInt8, _ other: UInt8) -> Int {
        (Int(one) - Int(other)) * (Int(one) - Int(other))
    }

    func file(level: Int) -> PNGPicture {
        let file = PNGWriter.indexed(indices, palette: palette, size: size, level: level)
        return PNGPicture(
            file: file,
            size: size,
            squaredError: Double(squaredError)
        )
    }
}
