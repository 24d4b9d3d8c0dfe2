/// An image that is part of a resource on a web server, such as a member of an archive.
///
/// The engine requests the part like any other resource, with the same rules for permitted
/// addresses, per-host limits, retries, progress and byte counts. The scheme of such an image's URL
/// ends with `+http` or `+https`, as in `archive+https://host/a.zip`, so the engine can read the
/// host of the resource from the URL.
public struct NetworkPart: Sendable {
    /// The `http` or `https` URL of the resource.
    public var url: String
    /// The range of bytes to request; must not be empty.
    public var range: Range<Int>
    /// The length of the image file in bytes; it may differ from the length of the range.
    public var byteCount: Int
    /// The strong entity tag or modification date of the known version of the resource, for
    /// `If-Range`; nil if the server sends neither.
    public var validator: String?
    /// The length of the known version of the resource in bytes, or nil if unknown.
    public var resourceByteCount: Int?
    /// The name of the resource in error messages, such as "the archive".
    public var resourceName: String
    /// A function that creates an extractor for this part.
    ///
    /// The extractor converts the bytes of the range to the bytes of the image.
    public var makeExtractor: @Sendable () -> any ImageDataExtractor

    /// Creates a description of a part.
    public init(
        of url: String,
        range: Range<Int>,
        byteCount: Int,
        validator: String?,
        resourceByteCount: Int?,
        resourceName: String,
        makeExtractor: @escaping @Sendable () -> any ImageDataExtractor
    ) {
        self.url = url
        self.range = range
        self.byteCount = byteCount
        self.validator = validator
        self.resourceByteCount = resourceByteCount
        self.resourceName = resourceName
        self.makeExtractor = makeExtractor
    }

    /// Returns whether a response comes from the known version of the resource.
    ///
    /// `answered` is the validator in the response. `total` is the length of the resource according
    /// to the response.
    func isOfKnownVersion(_ answered: String?, _ total: Int?) -> Bool {
        EntityValidator.isSame(answered, as: validator)
            && (resourceByteCount == nil || total == nil || total == resourceByteCount)
    }
}

/// Converts the received bytes of a `NetworkPart` to the bytes of its image.
///
/// An extractor is used by one thread at a time.
public protocol ImageDataExtractor {
    /// Converts the next received bytes to bytes of the image; ignores bytes after the image.
    ///
    /// The total number of returned bytes must not exceed `NetworkPart.byteCount`. If the method
    /// throws an error, the load ends.
    mutating func extract(from bytes: [UInt8]) throws(ImageLoadingError) -> [UInt8]

    /// Checks the image after all bytes of the range have been received.
    ///
    /// The engine has already checked the number of bytes.
    func finish() throws(ImageLoadingError)
}
