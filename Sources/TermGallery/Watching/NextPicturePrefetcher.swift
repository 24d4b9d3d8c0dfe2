import GalleryCore
import Glibc
import ImageLoading

/// Loads the picture that a slideshow opens next.
///
/// Lives on the UI thread.
final class NextPicturePrefetcher {
    private let prefetcher: ImagePrefetcher

    init(manager: ImageManager, isAllowed: @escaping @Sendable () -> Bool) {
        prefetcher = ImagePrefetcher(manager: manager, isAllowed: isAllowed)
    }

    /// Loads this, at the size it will be shown at, in place of what was to be loaded before; nil for nothing.
    func load(_ request: ImageRequest?) {
        guard let request else { return prefetcher.cancelAll() }
        let options = PrefetchOptions(
            destination: .memory,
            highestPriority: .normal,
            replacesEarlierLists: true
        )
        prefetcher.prefetch([request], options: options) { _ in }
    }
}

/// Says at a fixed rate that servers are to be asked again.
enum RefreshClock {
    /// Until the process ends; false if the system has no thread left.
    static func start(every interval: Duration, mailbox: Mailbox<GalleryMail>) -> Bool {
        POSIXThread.startDetached(name: "refresh") {
            while true {
                poll(nil, 0, interval.pollMilliseconds)
                mailbox.post(.message(.refreshDue))
            }
        }
    }
}
