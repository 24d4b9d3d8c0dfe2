/// Moves bytes.
///
/// The manager's only door to the network (row D19).
public protocol Transport: Sendable {
    /// Starts a transfer. Returns at once; `onEvent` is called on the transport's own thread, one
    /// event at a time, and must not block.
    func start(
        _ request: TransferRequest,
        onEvent: @escaping @Sendable (TransferEvent) -> Void
    )

    /// Ends a transfer without a `finished` event. An event that is being delivered may still
    /// arrive. Unknown and finished transfers are ignored.
    ///
    /// Callers call it after the `start` of the same transfer has returned.
    func cancel(_ id: TransferID)
}
