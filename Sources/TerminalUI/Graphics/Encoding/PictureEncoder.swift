public import Decoders
internal import Glibc

/// A namespace for encoding images for a terminal in the most suitable of several formats.
public enum PictureEncoder {
    /// Returns the encoded image that is closest to `pixels` within the budget.
    ///
    /// If no encoding fits, returns the smallest one. Alpha is ignored because the caller has
    /// already blended the image. If the image is empty, so is the payload. This method takes a few
    /// milliseconds for a thumbnail, and proportionally longer for images with more pixels.
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

    // MARK: - Lossless

    /// Returns the smaller of two lossless encodings that are fast to create, or nil if neither
    /// fits.
    private static func lossless(_ pixels: PixelBuffer, _ limit: Int) -> EncodedPicture? {
        [samples(pixels, limit), fewColors(pixels, limit)].compactMap { $0 }
            .min { $0.byteCountOnLine < $1.byteCountOnLine }
    }

    /// Returns a palette PNG, or nil if the image has more than 256 colors or the file does not
    /// fit.
    private static func fewColors(_ pixels: PixelBuffer, _ limit: Int) -> EncodedPicture? {
        guard let colors = ExactColors(pixels, limit: 256) else { return nil }
        let file = PNGWriter.indexed(
            colors.indices,
            palette: colors.palette,
            size: pixels.size,
            level: PNGPicture.indexLevel
        )
        return file.flatMap { fitting($0, form: .png, size: pixels.size, limit: limit) }
    }

    /// Returns the raw RGB samples of a small image, compressed if this makes them smaller.
    ///
    /// Returns nil if the image has more than 4096 pixels or the result exceeds the limit. A PNG
    /// file of a small image would be larger because of its chunks.
    private static func samples(_ pixels: PixelBuffer, _ limit: Int) -> EncodedPicture? {
        guard pixels.size.pixelCount <= 4096 else { return nil }
        let samples = pixels.bytes.enumerated().filter { $0.offset % 4 != 3 }.map(\.element)
        guard let stream = PNGWriter.zlibStream(of: samples, level: PNGPicture.indexLevel),
            stream.count < samples.count
        else { return fitting(samples, form: .rgb, size: pixels.size, limit: limit) }
        return fitting(stream, form: .zlibRGB, size: pixels.size, limit: limit)
    }

    private static func fitting(
        _ payload: [UInt8],
        form: EncodedPicture.Form,
        size: PixelSize,
        limit: Int
    ) -> EncodedPicture? {
        let picture = EncodedPicture(payload: payload, form: form, size: size)
        return picture.byteCountOnLine <= limit ? picture : nil
    }

    // MARK: - Lossy

    /// The largest error that is invisible at the size of images in a terminal.
    ///
    /// Rounding to multiples of 7 causes an error of about this size.
    private static let unseenError = 6.0

    /// Returns the best of three encodings: nearly exact RGB, a palette, and an image with half as
    /// many pixels in each direction.
    ///
    /// With the budget of a local terminal, nearly exact RGB is so good that the others are not
    /// tried. The others are also not tried if the user is waiting for the image and nearly exact
    /// RGB fits.
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

    /// The qualities to try, best first.
    ///
    /// The loss at the first quality is invisible at the size of images in a terminal.
    private static let qualities = [95, 90, 85, 80, 72, 64, 55, 45, 35, 25, 15, 8]

    /// Returns a JPEG, or nil if the image cannot be stored as a JPEG.
    private static func jpeg(_ pixels: PixelBuffer, _ limit: Int) -> EncodedPicture? {
        // Most images fit at the best quality.
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
