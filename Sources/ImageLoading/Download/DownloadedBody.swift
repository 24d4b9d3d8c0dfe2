/// The bytes of a download that ended well.
public struct DownloadedBody: Hashable, Sendable {
    /// The body, complete and without content coding; empty only for a 304 that was asked for.
    public let bytes: [UInt8]
    /// The response's head.
    public let head: TransferHead

    /// Joins a body with its head.
    public init(bytes: [UInt8], head: TransferHead) {
        self.bytes = bytes
        self.head = head
    }
}
