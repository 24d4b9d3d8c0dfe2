import GalleryCore
import Glibc
import ImageLoading
import SystemSupport
import TerminalUI

/// Prefetches the image that a slideshow shows next.
///
/// Use this class on the UI thread only.
final class NextPicturePrefetcher {
    private let prefetcher: ImagePrefetcher

    init(manager: ImageManager, isAllowed: @escaping @Sendable () -> Bool) {
        prefetcher = ImagePrefetcher(manager: manager, isAllowed: isAllowed)
    }

    /// Prefetches an image at the size at which it will be shown.
    ///
    /// The request replaces any previous one. If `request` is nil, no image is prefetched.
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

/// A clock that triggers a refresh of the visible images at a fixed interval.
enum RefreshClock {
    /// Starts the clock, which runs until the process ends.
    ///
    /// Returns false if no thread can be started.
    static func start(every interval: Duration, mailbox: Mailbox<GalleryMail>) -> Bool {
        POSIXThread.startDetached(name: "refresh") {
            while true {
                poll(nil, 0, interval.pollMilliseconds)
                mailbox.post(.message(.refreshDue))
            }
        }
    }
}
