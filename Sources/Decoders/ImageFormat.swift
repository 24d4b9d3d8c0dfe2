/// The picture formats that have a decoder.
public enum ImageFormat: String, Hashable, Sendable, CustomStringConvertible {
    /// JPEG (ITU-T T.81), baseline and progressive.
    case jpeg
    /// PNG (ISO/IEC 15948).
    case png

    /// "JPEG" or "PNG".
    public var description: String { rawValue.uppercased() }
}
