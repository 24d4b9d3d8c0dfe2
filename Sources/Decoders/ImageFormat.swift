/// The picture formats that have a decoder.
public enum ImageFormat: String, Hashable, Sendable, CustomStringConvertible {
    /// JPEG (ITU-T T.81), baseline and progressive.
    case jpeg
    /// PNG (ISO/IEC 15948).
    case png

    /// "JPEG" or "PNG".
    public var description: String { rawValue.uppercased() }
}

extension ImageFormat {
    /// The format whose magic bytes `bytes` start with, or nil.
    ///
    /// Names and content types are never asked: half of all ".jpg" errors are HTML pages.
    public init?(magicOf bytes: [UInt8]) {
        if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
            self = .jpeg
        } else if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            self = .png
        } else {
            return nil
        }
    }
}
