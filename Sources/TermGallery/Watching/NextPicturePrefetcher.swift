import GalleryCore
import Glibc
import ImageLoading
import SystemSupport
import TerminalUI

/// Loads the image that a slideshow opens next.
///
/// It is used on the UI thread only.
final class NextPicturePrefetcher {
    private let prefetcher: ImagePrefetcher

    init(manager: ImageManager, isAllowed: @escaping @Sendable () -> Bool) {
        prefetcher = ImagePrefetcher(manager: manager, isAllowed: isAllowed)
    }

    /// Loads an image at the size at which it will be shown, or nothing if `request` is nil.
    ///
    /// The request replaces the previous one.
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

/// Sends reminders at a fixed rate to revalidate the images on the screen.
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
