/// What an `ImageDownloader` keeps under its lock.
struct DownloaderState {
    var queue: DownloadQueue
    var listeners: [ListenerID: DownloadListener] = [:]
    /// Decided and not yet done.
    var pending: [DownloadAction] = []
    /// Whether a thread is at it.
    var isActing = false
    var isSuspended = false
    var width: Int
    var lastListener: UInt64 = 0

    init(queue: DownloadQueue) {
        self.queue = queue
        width = queue.width
    }
}
