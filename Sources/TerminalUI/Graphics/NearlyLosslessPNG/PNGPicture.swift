internal import Decoders
internal import Glibc

/// An image encoded as a PNG file, and the pixels that the terminal decodes from it.
struct PNGPicture {
    /// The compression level for rows of samples on a slow connection.
    ///
    /// Higher levels take ten times as long and save only a twentieth of the bytes.
    private static let sampleLevel = 6
    /// The compression level for rows of samples on a fast connection.
    ///
    /// Compared with `sampleLevel`, this level takes half the time and produces a twentieth more
    /// bytes.
    private static let fastLevel = 1
    /// The compression level for palette indices.
    ///
    /// The highest level is fast enough because an image has a third as many indices as samples.
    static let indexLevel = 9

    let picture: EncodedPicture
    /// The red, green and blue samples of each pixel.
    let samples: [UInt8]

    init(file: [UInt8]?, size: PixelSize, samples: [UInt8]) {
        // If there was not enough memory for the file, the payload is empty and nothing is sent.
        picture = EncodedPicture(payload: file ?? [], form: .png, size: size)
        self.samples = samples
    }

    // MARK: - Nearly exact

    /// The rounding steps to try, finest first.
    ///
    /// Odd steps round symmetrically and take fewer bytes for the same error.
    private static let steps = [1, 3, 5, 7, 9, 11, 13, 15, 17, 21, 25, 29, 33, 41, 51, 63]

    /// Returns an RGB file with the smallest step at which the size is within `limit`.
    ///
    /// If no step fits, the largest one is used. If the user is waiting for the image, a part of it
    /// is encoded first to correct the expected size. Encoding the whole image three times would
    /// take too long for a slightly finer step.
    static func nearLossless(_ pixels: PixelBuffer, limit: Int) -> PNGPicture {
        let isWaitedFor = isWaitedFor(pixels, limit: limit)
        let filters = RowFilters(pixels)
        var search = BudgetSearch(
            limit: limit,
            expected: steps.map { filters.expectedByteCount(step: $0) * 4 / 3 },
            isHasty: isWaitedFor
        )
        // More than one byte per pixel is allowed only for a nearby terminal.
        let deflateLevel = limit > pixels.size.pixelCount ? fastLevel : sampleLevel
        if isWaitedFor {
            let sample = RowSample.pixels(of: pixels)
            let sampleFilters = RowFilters(sample)
            let step = steps[search.first]
            let taken = nearLossless(
                sample,
                filters: sampleFilters,
                step: step,
                deflateLevel: deflateLevel
            )
            let expected = sampleFilters.expectedByteCount(step: step) * 4 / 3
            search.shareOfExpected =
                sampleMargin * Double(taken.picture.byteCountOnLine) / max(1, expected)
        }
        return search.finest { level in
            let picture = nearLossless(
                pixels,
                filters: filters,
                step: steps[level],
                deflateLevel: deflateLevel
            )
            return (picture, picture.picture.byteCountOnLine)
        }
    }

    /// Returns whether a short encoding time is more important than a small size.
    ///
    /// A short encoding time is more important for a large image on a nearby terminal: the user
    /// views a large image alone and waits for it, and sending the bytes to a nearby terminal takes
    /// no noticeable time. An image is large if it has more than 2^17 pixels. A terminal is
    /// considered nearby if `limit` allows more than one byte per pixel.
    static func isWaitedFor(_ pixels: PixelBuffer, limit: Int) -> Bool {
        limit > pixels.size.pixelCount && pixels.size.pixelCount > 1 << 17
    }

    /// The factor by which a size measured on a part of the image may be too low.
    private static let sampleMargin = 1.03

    private static func nearLossless(
        _ pixels: PixelBuffer,
        filters: RowFilters,
        step: Int,
        deflateLevel: Int
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
    /// The typical number of bytes per pixel of a photograph in 256 colors.
    private static let bytesPerIndex = 0.5
    /// The cost of an output byte when choosing the color of a pixel.
    ///
    /// The unit is the palette's mean squared error.
    private static let thrift: Float = 1

    /// Returns a palette PNG with as many colors as possible within `limit`.
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

/// A part of an image that is representative of the whole image.
///
/// The part consists of bands of rows spread over the image. Together, the bands contain an eighth
/// of the rows.
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
