public import Decoders
internal import Glibc

/// Chooses how a picture's pixels travel, and writes them so.
public enum PictureEncoder {
    /// The picture that is nearest to `pixels` within the budget, or the smallest if none is.
    ///
    /// Alpha is ignored: the caller has blended it. An empty picture has an empty payload. Blocks for
    /// some milliseconds for a thumbnail, for a large picture as much longer as it has more pixels.
    public static func encode(
        _ pixels: PixelBuffer,
        for graphics: GraphicsProtocol,
        budget: GraphicsBudget
    ) -> EncodedPicture {
        guard !pixels.size.isEmpty else {
            let form: EncodedPicture.Form = graphics == .sixel ? .sixel : .rgb
            return EncodedPicture(payload: [], form: form, size: pixels.size)
        }
        let pixels =
            pixels.hasAlpha
            ? PixelBuffer(size: pixels.size, bytes: pixels.bytes, hasAlpha: false) : pixels
        let limit = max(0, budget.byteLimit)
        return switch graphics {
        case .kittyPlaceholders, .kitty: lossless(pixels, limit) ?? nearest(pixels, limit)
        case .iterm:
            fewColors(pixels, limit) ?? jpeg(pixels, limit) ?? nearest(pixels, limit)
        case .sixel: SixelPicture.encode(pixels, budget: budget)
        }
    }

    // MARK: - Without loss

    /// The smallest of the forms that keep every pixel and cost little to try; nil if none fits.
    private static func lossless(_ pixels: PixelBuffer, _ limit: Int) -> EncodedPicture? {
        [samples(pixels, limit), fewColors(pixels, limit)].compactMap { $0 }
            .min { $0.byteCountOnLine < $1.byteCountOnLine }
    }

    /// Up to 256 colours as a palette PNG.
    private static func fewColors(_ pixels: PixelBuffer, _ limit: Int) -> EncodedPicture? {
        guard let colors = ExactColors(pixels, limit: 256) else { return nil }
        let file = PNGWriter.indexed(
            colors.indices,
            palette: colors.palette,
            size: pixels.size,
            level: PNGPicture.indexLevel
        )
        return file.flatMap { fitting($0, .png, pixels.size, limit) }
    }

    /// A few pixels as they are: a file's chunks would be longer.
    private static func samples(_ pixels: PixelBuffer, _ limit: Int) -> EncodedPicture? {
        guard pixels.size.pixelCount <= 4096 else { return nil }
        let samples = pixels.bytes.enumerated().filter { $0.offset % 4 != 3 }.map(\.element)
        guard let stream = PNGWriter.zlibStream(of: samples, level: PNGPicture.indexLevel),
            stream.count < samples.count
        else { return fitting(samples, .rgb, pixels.size, limit) }
        return fitting(stream, .zlibRGB, pixels.size, limit)
    }

    private static func fitting(
        _ payload: [UInt8],
        _ form: EncodedPicture.Form,
        _ size: PixelSize,
        _ limit: Int
    ) -> EncodedPicture? {
        let picture = EncodedPicture(payload: payload, form: form, size: size)
        return picture.byteCountOnLine <= limit ? picture : nil
    }

    // MARK: - With loss

    /// An error that nobody sees at a terminal's size: about that of a step of 7.
    private static let unseenError = 6.0

    /// The best of RGB that is nearly exact, a palette, and half as many pixels each way.
    ///
    /// The first is so good at a local terminal's budget that the others are not tried, nor are they
    /// where somebody waits.
    private static func nearest(_ pixels: PixelBuffer, _ limit: Int) -> EncodedPicture {
        let exact = PNGPicture.nearLossless(pixels, limit: limit)
        if PNGPicture.isWaitedFor(pixels, limit: limit), exact.picture.byteCountOnLine <= limit {
            return exact.picture
        }
        var error = PictureError.between(exact.samples, pixels)
        guard exact.picture.byteCountOnLine > limit || error > unseenError else {
            return exact.picture
        }
        var best = exact.picture
        let others = [
            PNGPicture.palette(pixels, limit: limit), HalfSize.picture(pixels, limit: limit),
        ]
        for other in others.compactMap({ $0 }) {
            let otherError = PictureError.between(other.samples, pixels)
            let fits = other.picture.byteCountOnLine <= limit
            let isBetter =
                best.byteCountOnLine <= limit
                ? fits && otherError < error
                : other.picture.byteCountOnLine < best.byteCountOnLine
            if isBetter { (best, error) = (other.picture, otherError) }
        }
        return best
    }

    /// The qualities that are tried, from the one whose loss nobody sees at a terminal's size.
    private static let qualities = [95, 90, 85, 80, 72, 64, 55, 45, 35, 25, 15, 8]

    /// Nil where the format can't hold the picture.
    private static func jpeg(_ pixels: PixelBuffer, _ limit: Int) -> EncodedPicture? {
        // Most fit at the best.
        let search = BudgetSearch(
            limit: limit,
            expected: qualities.indices.map { Double(limit) * exp(-0.2 * Double($0)) }
        )
        return search.finest { level in
            let file = try? JPEGEncoder.encodeOptimized(pixels, quality: qualities[level])
            let picture = file.map {
                EncodedPicture(payload: $0, form: .jpeg, size: pixels.size)
            }
            return (picture, picture?.byteCountOnLine ?? 0)
        }
    }
}
