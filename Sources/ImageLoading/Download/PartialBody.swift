/// The beginning of a body whose transfer broke off or was given up, with what it takes to go on.
public struct PartialBody: Hashable, Sendable {
    /// The first bytes of the body, never empty.
    public var bytes: [UInt8]
    /// What the server must still have for the rest to fit (RFC 9110 13.1.5): a strong entity tag,
    /// or a date of last change; goes into `If-Range` as it is.
    public var validator: String
    /// The length of the whole body in bytes; nil if it was not announced.
    public var totalByteCount: Int?
    /// What its server said of the whole, which tells how long the beginning is good for; nil if
    /// unknown.
    var response: CachedResponse?

    /// Makes a partial body.
    public init(bytes: [UInt8], validator: String, totalByteCount: Int?) {
        self.bytes = bytes
        self.validator = validator
        self.totalByteCount = totalByteCount
    }
}
