/// Why pixels did not become a file.
public enum ImageEncodingError: Error, Hashable, Sendable {
    /// The picture has no pixels.
    case empty
    /// The format can't hold a picture of this size.
    case tooLarge(PixelSize)
    /// The codec gave up; the text is its own reason.
    case failed(ImageFormat, String)
}

extension ImageEncodingError: CustomStringConvertible {
    /// A short reason.
    public var description: String {
        switch self {
        case .empty: "picture has no pixels"
        case .tooLarge(let size): "\(size) is too large for the format"
        case .failed(let format, let reason): "\(format) not written: \(reason)"
        }
    }
}
