/// Names one listener of a transfer: one call of `ImageDownloader.body`.
struct ListenerID: Hashable, Sendable {
    let rawValue: UInt64
}
