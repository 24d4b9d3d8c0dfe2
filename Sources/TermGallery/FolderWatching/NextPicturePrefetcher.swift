import GalleryCore
import Glibc
import ImageLoading
import SystemSupport
import TerminalUI

/// Prefetches the image that a slideshow opens next.
///
/// This class is used on the UI thread only.
final class NextPicturePrefetcher {
    private let prefetcher: ImagePrefetcher

    init(manager: ImageManager, isAllowed: @escaping @Sendable () -> Bool) {
        prefetcher = ImagePrefetcher(manager: manager, isAllowed: isAllowed)
    }

    /// Prefetches an image at the size at which it will be shown, or no image if `request` is nil.
    ///
    /// The request replaces the previous request.
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

/// Posts messages at a fixed interval that request a revalidation of the visible images.
enum RefreshClock {
    /// Starts the clock, which runs until the process ends, and returns false if no thread can be
    /// started.
    static func start(every interval: Duration, mailbox: Mailbox<GalleryMail>) -> Bool {
        POSIXThread.startDetached(name: "refresh") {
            while true {
                poll(nil, 0, interval.pollMilliseconds)
                mailbox.post(.message(.refreshDue))
            }
        }
    }
}
