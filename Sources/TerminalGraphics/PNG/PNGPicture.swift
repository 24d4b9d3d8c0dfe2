internal import Decoders
internal import Glibc

/// A picture as a file, and what a terminal will make of it.
struct PNGPicture {
    /// How hard rows of samples are deflated where bytes are dear: higher levels take ten times as
    /// long for a twentieth less.
    private static let sampleLevel = 6
    /// And where they are not: half the time for a twentieth more.
    private static let fastLevel = 1
    /// The same for indices, of which there are a third as many.
    static let indexLevel = 9

    let picture: EncodedPicture
    /// R, G, B of each pixel.
    let samples: [UInt8]

    init(file: [UInt8]?, size: PixelSize, samples: [UInt8]) {
        // Without memory for it there is nothing to send.
        picture = EncodedPicture(payload: file ?? [], form: .png, size: size)
        self.samples = samples
    }

    // MARK: - Nearly exact

    /// The steps that are tried.
    ///
    /// Odd ones round to both sides alike, and take fewer bytes for the same error.
    private static let steps = [1, 3, 5, 7, 9, 11, 13, 15, 17, 21, 25, 29, 33, 41, 51, 63]
    /// RGB at the smallest step at which it is within `limit`, or at the largest there is.
    static func nearLossless(_ pixels: PixelBuffer, limit: Int) -> PNGPicture {
        let filters = RowFilters(pixels)
        let search = BudgetSearch(
            limit: limit,
            expected: steps.map { filters.expectedByteCount(step: $0) * 4 / 3 }
        )
        // More than a byte a pixel is allowed only where the terminal is near.
        let deflateLevel = limit > pixels.size.pixelCount ? fastLevel : sampleLevel
        return search.finest { level in
            let rows = NearLosslessRows(pixels, filters, step: steps[level])
            let file = PNGWriter.rgb(
                filteredRows: rows.bytes,
                size: pixels.size,
                level: deflateLevel
            )
            let picture = PNGPicture(file: file, size: pixels.size, samples: rows.samples)
            return (picture, picture.picture.byteCountOnLine)
        }
    }

    // MARK: - Palette

    private static let colorCounts = [256, 192, 128, 96, 64, 48, 32, 24, 16, 12, 8, 6, 4, 3, 2]
    /// What a pixel of a photograph takes in 256 colours.
    private static let bytesPerIndex = 0.5
    /// The weight of a byte against the error of the palette.
    private static let thrift: Float = 1

    /// The most colours with which a palette PNG is within `limit`.
    static func palette(_ pixels: PixelBuffer, limit: Int) -> PNGPicture {
        let histogram = ColorHistogram(pixels)
        let most = Double(pixels.size.pixelCount) * bytesPerIndex * 4 / 3
        let search = BudgetSearch(
            limit: limit,
            expected: colorCounts.indices.map { most * exp(-0.13 * Double($0)) }
        )
        return search.finest { level in
            let palette = Palette(of: histogram, count: colorCounts[level]).rounded
            let nearest = palette.nearest(to: histogram)
            let error = palette.meanSquaredError(of: histogram, nearest)
            let mapper = IndexMapper(palette: palette, byteWeight: thrift * error)
            let indices = mapper.indices(of: pixels, histogram: histogram, nearest: nearest)
            let bytes = palette.colors.flatMap { [UInt8($0.x), UInt8($0.y), UInt8($0.z)] }
            let picture = PNGPicture(
                file: PNGWriter.indexed(
                    indices,
                    palette: bytes,
                    size: pixels.size,
                    level: indexLevel
                ),
                size: pixels.size,
                samples: indices.flatMap { bytes[(Int($0) * 3)..<(Int($0) * 3 + 3)] }
            )
            return (picture, picture.picture.byteCountOnLine)
        }
    }
}
