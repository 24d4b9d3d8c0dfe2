internal import Decoders
internal import SystemSupport

/// Options for encoding an image that is written to the disk cache without a downloaded body.
///
/// SDWebImage has similar options.
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
    /// If nil, images with an alpha channel or from a PNG file are written as PNG, and all others
    /// as JPEG.
    public var format: Format?
    /// The JPEG quality, from 1 to 100; other values are limited to this range.
    ///
    /// At a quality of 90 or higher, color keeps its full resolution.
    public var quality = EncodedImage.jpegQuality
    /// The size that the image is scaled down to before it is written; nil keeps its size.
    public var maximumSize: PixelSize?
    /// The maximum size of a JPEG file in bytes; nil means no limit.
    ///
    /// The quality is lowered until the file is small enough. If it is too large even at quality 1,
    /// the file with quality 1 is used. PNG files have no limit.
    public var maximumByteCount: Int?
    /// The color that replaces transparency in a JPEG; white by default.
    public var background = ImageProcessor.Color(red: 255, green: 255, blue: 255)
    /// Whether the first frame of an animation is written.
    ///
    /// By default, animations are not written, because their other frames would be lost.
    public var writesFirstFrame = false

    /// Creates the default options.
    public init() {}
}

extension ImageEncodingOptions {
    /// Encodes an image; blocks until the encoding is complete.
    ///
    /// Returns nil if the image must not be used again after a restart: an animation (unless
    /// `writesFirstFrame` is true), an image that is not final, an image from a damaged file, or a
    /// thumbnail embedded in a file. Also returns nil if the image has no pixels, or more pixels
    /// than the format allows.
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

    /// Encodes an image as JPEG at the highest quality that fits into `maximumByteCount`.
    ///
    /// If no file fits, the file with quality 1 is returned. The image is encoded at most nine
    /// times.
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
