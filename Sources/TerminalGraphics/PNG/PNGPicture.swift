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
    ///
    /// Of a picture that is waited for, a sample shows how far what is expected is off: encoding the
    /// whole three times takes longer than a finer step is worth.
    static func nearLossless(_ pixels: PixelBuffer, limit: Int) -> PNGPicture {
        let isWaitedFor = isWaitedFor(pixels, limit: limit)
        let filters = RowFilters(pixels)
        var search = BudgetSearch(
            limit: limit,
            expected: steps.map { filters.expectedByteCount(step: $0) * 4 / 3 },
            isHasty: isWaitedFor
        )
        // More than a byte a pixel is allowed only where the terminal is near.
        let deflateLevel = limit > pixels.size.pixelCount ? fastLevel : sampleLevel
        if isWaitedFor {
            let sample = RowSample.pixels(of: pixels)
            let sampleFilters = RowFilters(sample)
            let step = steps[search.first]
            let taken = nearLossless(sample, sampleFilters, step: step, deflateLevel)
            let expected = sampleFilters.expectedByteCount(step: step) * 4 / 3
            search.shareOfExpected =
                sampleMargin * Double(taken.picture.byteCountOnLine) / max(1, expected)
        }
        return search.finest { level in
            let picture = nearLossless(pixels, filters, step: steps[level], deflateLevel)
            return (picture, picture.picture.byteCountOnLine)
        }
    }

    /// Whether a picture is so large that encoding it is what one waits for, and the terminal so near
    /// that its bytes are not: the one that is looked at alone.
    static func isWaitedFor(_ pixels: PixelBuffer, limit: Int) -> Bool {
        limit > pixels.size.pixelCount && pixels.size.pixelCount > 1 << 17
    }

    /// What a sample may be off by.
    private static let sampleMargin = 1.03

    private static func nearLossless(
        _ pixels: PixelBuffer,
        _ filters: RowFilters,
        step: Int,
        _ deflateLevel: Int
    ) -> PNGPicture {
        let rows = NearLosslessRows(pixels, filters, step: step)
        let file = PNGWriter.rgb(
            filteredRows: rows.bytes,
            size: pixels.size,
            level: deflateLevel
        )
        return PNGPicture(file: file, size: pixels.size, samples: rows.samples)
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

/// Bands of a picture, spread over its height: an eighth of it.
private enum RowSample {
    private static let bandCount = 6
    private static let share = 8

    static func pixels(of picture: PixelBuffer) -> PixelBuffer {
        let (width, height) = (picture.size.width, picture.size.height)
        let rows = max(1, height / share / bandCount)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(rows * bandCount * width * 4)
        for band in 0..<bandCount {
            let top = (height - rows) * (2 * band + 1) / (2 * bandCount)
            bytes += picture.bytes[(top * width * 4)..<((top + rows) * width * 4)]
        }
        let size = PixelSize(width: width, height: rows * bandCount)
        return PixelBuffer(size: size, bytes: bytes, hasAlpha: false)
    }
}
