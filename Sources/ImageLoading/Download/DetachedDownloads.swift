/// What becomes of bytes that nobody waits for any more; called on any thread, must be quick.
public struct DetachedDownloads: Sendable {
    /// The beginning of a body, from which a later transfer can go on.
    public var keepPartial: @Sendable (DownloadRequest, PartialBody) -> Void
    /// A whole body whose last listener left before it was there.
    public var keepBody: @Sendable (DownloadRequest, DownloadedBody) -> Void

    /// Makes a place for detachedDownloads; by default they are dropped.
    public init(
        keepPartial: @escaping @Sendable (DownloadRequest, PartialBody) -> Void = { _, _ in },
        keepBody: @escaping @Sendable (DownloadRequest, DownloadedBody) -> Void = { _, _ in }
    ) {
        self.keepPartial = keepPartial
        self.keepBody = keepBody
    }
}
