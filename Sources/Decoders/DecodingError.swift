/// Why bytes did not become a picture.
public enum DecodingError: Error, Hashable, Sendable {
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
    /// Decoding would hold more bytes than the limit allows.
    case tooMuchMemory(byteCount: Int, limit: Int)
    /// The picture has no pixels.
    case empty
    /// The caller's cancellation check said stop.
    case cancelled
}

extension DecodingError: CustomStringConvertible {
    /// A short reason that fits into a cell of the gallery.
    public var description: String {
        switch self {
        case .unsupportedFormat(let kind): "not a picture: \(kind)"
        case .truncated(let format): "truncated \(format)"
        case .corrupt(let format, let reason): "corrupt \(format): \(reason)"
        case .unsupportedFeature(let format, let feature): "\(format): \(feature) not supported"
        case .tooManyPixels(let size, let limit):
            "too many pixels: \(size), limit \(limit / 1_000_000) MP"
        case .tooMuchMemory(let byteCount, let limit):
            "needs \(byteCount >> 20) MiB to decode, limit \(limit >> 20) MiB"
        case .empty: "picture has no pixels"
        case .cancelled: "cancelled"
        }
    }
}
