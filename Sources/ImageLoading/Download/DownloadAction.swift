/// What `DownloadQueue` decided; its owner carries actions out in the order they were given.
enum DownloadAction: Sendable {
    /// Hand this to the transport.
    case start(TransferRequest)
    /// Tell the transport to stop.
    case cancel(TransferID)
    /// Tell a listener how it goes.
    case notify(ListenerID, DownloadEvent)
    /// Tell a listener how it ended. The last action that names this listener.
    case finish(ListenerID, Result<DownloadedBody, ImageLoadingError>)
}
