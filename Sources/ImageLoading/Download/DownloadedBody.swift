/// The bytes of a download that ended well.
public struct DownloadedBody: Hashable, Sendable {
    /// The body, complete unless `isPartial`, and without content coding; empty only for a 304 that
    /// was asked for.
    public let bytes: [UInt8]
    /// The response's head; of a body whose beginning was there before, that of the whole: a 200
    /// with the whole length.
    public let head: TransferHead
    /// Whether it is only as much as had come when the caller said that this is enough
    /// (`DownloadHandle.suffice`).
    public internal(set) var isPartial = false
    /// Of the attempt that brought it, without what it waited for before; nil if made by hand.
    var times: ExchangeTimes?

    /// Joins a body with its head.
    public init(bytes: [UInt8], head: TransferHead) {
        self.bytes = bytes
        self.head = head
    }

    /// Its times; of one without, a moment.
    func times(or now: Int) -> ExchangeTimes {
        times ?? ExchangeTimes(request: now, response: now)
    }
}
