internal import CImageCodecs

/// An encoder for 8-bit YCbCr JPEG files without alpha.
public enum JPEGEncoder {
    /// The maximum side length in pixels that libjpeg supports (JPEG_MAX_DIMENSION).
    private static let maximumSide = 65500

    /// Encodes `pixels` at a quality of 1 to 100; below 90, color has half the resolution.
    ///
    /// A quality outside this range is clamped. If `orientation` is 2 to 8, an EXIF tag is written;
    /// the pixels are not rotated. Blocks until the image is encoded.
    public static func encode(
        _ pixels: PixelBuffer,
        quality: Int,
        progressive: Bool = false,
        orientation: Int = 1
    ) throws(ImageEncodingError) -> [UInt8] {
        let coding: cic_jpeg_coding = progressive ? .progressive : .baseline
        let bytes = try encode(pixels, quality: quality, coding: coding)
        guard (2...8).contains(orientation) else { return bytes }
        return bytes.prefix(2) + exifMarker(orientation: UInt8(orientation)) + bytes.dropFirst(2)
    }

    /// Encodes `pixels` in one scan with optimized Huffman codes.
    ///
    /// The file is a few percent smaller than with standard codes, but the encoder needs a second
    /// pass.
    package static func encodeOptimized(
        _ pixels: PixelBuffer,
        quality: Int
    ) throws(ImageEncodingError) -> [UInt8] {
        try encode(pixels, quality: quality, coding: .optimized)
    }

    /// Encodes `pixels` in one pass, like tools that create data sets.
    ///
    /// Up to a quality of 95, color has half the resolution.
    package static func encodeSample(
        _ pixels: PixelBuffer,
        quality: Int
    ) throws(ImageEncodingError) -> [UInt8] {
        try encode(pixels, quality: quality, fullColorFrom: 96, coding: .baseline)
    }

    private static func encode(
        _ pixels: PixelBuffer,
        quality: Int,
        fullColorFrom fullColorQuality: Int = 90,
        coding: cic_jpeg_coding
    ) throws(ImageEncodingError) -> [UInt8] {
        try EncodedBytes.make(.jpeg, from: pixels, maximumSide: maximumSide) {
            cic_jpeg_encode(
                $0,
                Int32(min(max(1, quality), 100)),
                quality >= fullColorQuality,
                coding,
                &$1
            )
        }
    }

    /// Returns an APP1 segment with an EXIF directory that contains only the orientation.
    ///
    /// The segment must directly follow the start marker.
    private static func exifMarker(orientation: UInt8) -> [UInt8] {
        let tiff: [UInt8] =
            Array("MM".utf8) + [0, 42, 0, 0, 0, 8]
            + [0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0, 0, 0, 0, 0]
        let payload = Array("Exif".utf8) + [0, 0] + tiff
        return [0xFF, 0xE1, 0, UInt8(payload.count + 2)] + payload
    }
}

/// An encoder for 8-bit PNG files.
public enum PNGEncoder {
    /// Encodes `pixels` losslessly, as RGBA if they have alpha, otherwise as RGB.
    ///
    /// If `interlaced` is true, the file uses Adam7 interlacing. Blocks until the image is encoded.
    public static func encode(
        _ pixels: PixelBuffer,
        interlaced: Bool = false
    ) throws(ImageEncodingError) -> [UInt8] {
        try EncodedBytes.make(.png, from: pixels, maximumSide: Int(Int32.max)) {
            cic_png_encode($0, pixels.hasAlpha, interlaced, &$1)
        }
    }
}

/// An encoder for lossy WebP files; it requires libwebp.
package enum WebPEncoder {
    /// The maximum side length in pixels that libwebp supports (WEBP_MAX_DIMENSION).
    private static let maximumSide = 16_383

    /// Encodes `pixels`, including alpha, at a quality of 0 to 100.
    ///
    /// A quality outside this range is clamped. Blocks until the image is encoded.
    package static func encode(
        _ pixels: PixelBuffer,
        quality: Int
    ) throws(ImageEncodingError) -> [UInt8] {
        try EncodedBytes.make(.webP, from: pixels, maximumSide: maximumSide) {
            cic_webp_encode($0, Int32(min(max(0, quality), 100)), &$1)
        }
    }
}

/// The reason an image could not be encoded.
public enum ImageEncodingError: Error, Hashable, Sendable {
    /// The image has no pixels.
    case empty
    /// The format does not support images of this size.
    case tooLarge(PixelSize)
    /// The codec failed; the text is its error message.
    case failed(ImageFormat, String)
}

extension ImageEncodingError: CustomStringConvertible {
    /// A short description of the error.
    public var description: String {
        switch self {
        case .empty: "image has no pixels"
        case .tooLarge(let size): "\(size) is too large for the format"
        case .failed(let format, let reason): "\(format) not written: \(reason)"
        }
    }
}

/// Calls C encoders and copies their output.
enum EncodedBytes {
    /// Calls `encode` for `pixels`; throws if a side is longer than `maximumSide`.
    static func make(
        _ format: ImageFormat,
        from pixels: PixelBuffer,
        maximumSide: Int,
        encode: (cic_image, inout cic_buffer) -> cic_status
    ) throws(ImageEncodingError) -> [UInt8] {
        let size = pixels.size
        guard !size.isEmpty else { throw .empty }
        guard max(size.width, size.height) <= maximumSide else { throw .tooLarge(size) }
        var output = cic_buffer()
        defer { cic_buffer_free(&output) }
        let status = pixels.bytes.withUnsafeBufferPointer { buffer in
            buffer.baseAddress.map { start in
                let size = cic_size(width: UInt32(size.width), height: UInt32(size.height))
                return encode(cic_image(pixels: start, size: size), &output)
            } ?? .empty
        }
        guard status == .ok else { throw .failed(format, message(of: output)) }
        return Array(UnsafeBufferPointer(start: output.bytes, count: output.count))
    }

    private static func message(of output: cic_buffer) -> String {
        withUnsafeBytes(of: output.message) { message in
            String(decoding: message.prefix { $0 != 0 }, as: UTF8.self)
        }
    }
}
