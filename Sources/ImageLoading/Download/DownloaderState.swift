/// What an `ImageDownloader` keeps under its lock.
struct DownloaderState {
    var queue: DownloadQueue
    var listeners: [ListenerID: DownloadListener] = [:]
    var pending = PendingActions<DownloadAction>()
    var isSuspended = false
    var width: Int
    var lastListener: UInt64 = 0

    init(queue: DownloadQueue) {
        self.queue = queue
        width = queue.width
    }
}
