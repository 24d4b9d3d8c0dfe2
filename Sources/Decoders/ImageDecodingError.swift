/// Why bytes did not become a picture.
public enum ImageDecodingError: Error, Hashable, Sendable {
    /// No registered decoder knows these bytes; the text says what they look like ("HTML page").
    case unsupportedFormat(String)
    /// The file ends before the picture does.
    case truncated(ImageFormat)
    /// The file breaks the rules of its format; the text is the codec's own reason.
    case corrupt(ImageFormat, String)
    /// A kind of file within the format that is not decoded ("12-bit JPEG").
    case unsupportedFeature(ImageFormat, String)
    /// The header declares more pixels than the limit allows.
    case tooManyPixels(PixelSize, limit: Int)
    /// The header declares a side that is longer, in pixels, than the limit allows.
    case sideTooLong(PixelSize, limit: Int)
    /// Decoding would hold more bytes than the limit allows.
    case tooMuchMemory(byteCount: Int, limit: Int)
    /// Decoding has taken more processor time than the limit allows.
    case tooMuchTime(Duration, limit: Duration)
    /// A JPEG of more scans, each a pass over all of the picture, than the limit allows.
    case tooManyScans(limit: Int)
    /// A colour profile or EXIF of more bytes than the limit allows.
    case tooMuchMetadata(byteCount: Int, limit: Int)
    /// The picture has no pixels.
    case empty
    /// The caller's cancellation check said stop.
    case cancelled
}

extension ImageDecodingError {
    /// Whether the picture is refused for what it would cost: the bytes may be in order, and other
    /// `DecodingLimits` may let it pass.
    public var isLimit: Bool {
        switch self {
        case .tooManyPixels, .sideTooLong, .tooMuchMemory, .tooMuchTime, .tooManyScans,
            .tooMuchMetadata:
            true
        case .unsupportedFormat, .truncated, .corrupt, .unsupportedFeature, .empty, .cancelled:
            false
        }
    }
}
