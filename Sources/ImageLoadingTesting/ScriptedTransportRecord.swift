public import ImageLoading

/// What a `ScriptedTransport` has been asked to do.
public struct ScriptedTransportRecord: Sendable {
    /// The requests started, in order.
    public internal(set) var starts: [TransferRequest] = []
    /// The URLs of the transfers that were cancelled while they ran, in order.
    public internal(set) var cancelledURLs: [String] = []
    /// Calls of `cancel` for transfers that had ended or never started.
    public internal(set) var strayCancelCount = 0
}
