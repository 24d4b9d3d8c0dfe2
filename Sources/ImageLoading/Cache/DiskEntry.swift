/// What the disk cache keeps for a URL: bytes, and what must be known to use them again.
public struct DiskEntry: Hashable, Sendable {
    /// The most bytes of metadata that are stored.
    public static let maximumMetadataByteCount = 4 << 10

    /// The body as the server sent it, or its beginning; never empty.
    public var bytes: [UInt8]
    /// Whatever the one who stored the bytes noted about them, at most `maximumMetadataByteCount`
    /// bytes; empty if nothing was noted.
    public var metadata: [UInt8]

    /// Makes an entry.
    public init(bytes: [UInt8], metadata: [UInt8] = []) {
        self.bytes = bytes
        self.metadata = metadata
    }
}
