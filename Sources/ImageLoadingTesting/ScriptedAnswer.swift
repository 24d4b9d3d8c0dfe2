public import ImageLoading

/// A whole answer for `ScriptedTransport.answerStarts`.
public struct ScriptedAnswer: Sendable {
    /// The events to deliver, in order; the last one should be `finished`.
    public var events: [TransferEvent]

    /// Makes an answer of events.
    public init(events: [TransferEvent]) {
        self.events = events
    }

    /// A body in one piece with its length announced.
    public static func body(_ bytes: [UInt8], status: Int = 200) -> ScriptedAnswer {
        let head = TransferHead(status: status, expectedByteCount: bytes.count)
        return ScriptedAnswer(events: [.head(head), .chunk(bytes), .finished(nil)])
    }

    /// A transfer that fails before its head.
    public static func failure(_ error: ImageLoadingError) -> ScriptedAnswer {
        ScriptedAnswer(events: [.finished(error)])
    }
}
