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
    /// Call `wakeUp` when the uptime has come to this.
    case wake(at: Duration)
    /// Hand on what a later download can go on from.
    case keepPartial(DownloadRequest, PartialBody)
    /// Hand on a body whose listeners have all left.
    case keepBody(DownloadRequest, DownloadedBody)
    /// Tell those who watch; the text is a URL, or a host.
    case trace(TraceEvent.Kind, String)
}
