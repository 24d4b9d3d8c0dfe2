internal import Decoders
internal import SystemSupport

/// Options for encoding an image that is written to the disk cache but has no encoded bytes of its
/// own, as in SDWebImage.
public struct ImageEncodingOptions: Hashable, Sendable {
    /// A file format that the engine can write.
    public enum Format: String, Hashable, Sendable, CaseIterable {
        /// PNG, which is lossless and supports transparency.
        case png
        /// JPEG, which is lossy and opaque.
        case jpeg
    }

    /// The format of the file.
    ///
    /// If the format is nil, an image that was decoded from a PNG and an image with an alpha
    /// channel are written as PNG, and every other image as JPEG.
    public var format: Format?
    /// The JPEG quality, 1 to 100; values outside this range are clamped.
    ///
    /// At a quality of 90 or higher, color keeps its full resolution.
    public var quality = EncodedImage.jpegQuality
    /// The size into which the image is reduced before it is written; nil keeps its size.
    public var maximumSize: PixelSize?
    /// The preferred maximum size of the file in bytes, for JPEG.
    ///
    /// The quality is lowered until the file fits; if it does not fit at quality 1, that file is
    /// used anyway. Nil means no limit. PNG ignores this option.
    public var maximumByteCount: Int?
    /// The color behind transparent pixels in a JPEG; by default white.
    public var background = ImageProcessor.Color(red: 255, green: 255, blue: 255)
    /// Whether the first frame of an animation is written.
    ///
    /// By default, animations are not written, because their other frames would be lost.
    public var writesFirstFrame = false

    /// Creates the default options.
    public init() {}
}

extension ImageEncodingOptions {
    /// Returns the bytes of an image; blocks until it is encoded.
    ///
    /// Returns nil for an image that must not be used again after a restart: an animation (unless
    /// `writesFirstFrame` is true), an image that is not final, an image from a damaged file, or
    /// the thumbnail embedded in a file. Also returns nil for an image without pixels, or with more
    /// pixels than the format can have.
    func encode(_ image: DecodedImage) -> [UInt8]? {
        guard image.animation == nil || writesFirstFrame, image.isWholeFile else { return nil }
        let pixels = reduced(image.pixels)
        switch format ?? Self.format(of: image) {
        case .png: return try? PNGEncoder.encode(pixels)  // the reasons are listed above
        case .jpeg:
            let (red, green, blue) = (background.red, background.green, background.blue)
            return jpeg(pixels.flattened(red: red, green: green, blue: blue))
        }
    }

    private static func format(of image: DecodedImage) -> Format {
        image.pixels.hasAlpha || image.properties.format == .png ? .png : .jpeg
    }

    private func reduced(_ pixels: PixelBuffer) -> PixelBuffer {
        guard let maximumSize else { return pixels }
        let size = pixels.size.scaled(into: maximumSize, mode: .fit)
        return size == pixels.size ? pixels : pixels.resampled(to: size)
    }

    /// Returns the JPEG of the highest permitted quality that fits into `maximumByteCount`, or the
    /// JPEG of quality 1 if none fits; encodes the image at most nine times.
    private func jpeg(_ pixels: PixelBuffer) -> [UInt8]? {
        // Encoding fails only for an empty or too large image.
        let encode = { (quality: Int) in try? JPEGEncoder.encode(pixels, quality: quality) }
        let highest = min(max(1, quality), 100)
        guard let best = encode(highest) else { return nil }
        guard let limit = maximumByteCount, best.count > limit else { return best }
        var (fitting, low, high) = (encode(1), 2, highest - 1)
        while low <= high {
            let middle = (low + high) / 2
            if let bytes = encode(middle), bytes.count <= limit {
                fitting = bytes
                low = middle + 1
            } else {
                high = middle - 1
            }
        }
        return fitting
    }
}
