import Feeds
import GalleryCore
import ImageLoading
import SystemSupport
import TerminalUI

/// Loads images into the caches before they appear on the screen.
///
/// Use this class on the UI thread only. It may post messages from any thread.
final class GalleryPrefetcher {
    /// Whether images are prefetched, and where they are stored.
    enum Mode: String, CaseIterable, Sendable {
        /// Images are not prefetched. Only visible images are loaded.
        case off
        /// The bytes of the images are loaded into the disk cache.
        case disk
        /// The images are decoded at the size of the cells, so they are ready when the user
        /// scrolls.
        case memory
    }

    private let prefetcher: ImagePrefetcher
    private let destination: PrefetchOptions.Destination
    private let mailbox: Mailbox<GalleryMail>
    /// The item of each requested image.
    private var items: [String: Int] = [:]

    /// Creates a prefetcher.
    ///
    /// `isAllowed` is called before each load, on any thread.
    init(
        manager: ImageManager,
        mode: Mode,
        mailbox: Mailbox<GalleryMail>,
        isAllowed: @escaping @Sendable () -> Bool
    ) {
        prefetcher = ImagePrefetcher(manager: manager, isAllowed: isAllowed)
        destination = mode == .disk ? .disk : .memory
        self.mailbox = mailbox
    }

    var statistics: PrefetchStatistics { prefetcher.statistics }

    /// Returns the running transfers of `statistics`, with the items of their images.
    func transfers(in statistics: PrefetchStatistics) -> [PrefetchTransfer] {
        statistics.loads.compactMap { load in
            guard let item = items[load.request.url], let progress = load.progress else {
                return nil
            }
            return PrefetchTransfer(item: item, progress: progress)
        }
    }

    /// Prefetches the requested images, and cancels the prefetches of all other images.
    ///
    /// Running prefetches of the requested images continue. If `prefetch` is nil, all prefetches
    /// are cancelled.
    func load(_ prefetch: PrefetchRequest?, request: (Int) -> ImageRequest?) {
        items = [:]
        guard let prefetch else { return prefetcher.cancelAll() }
        let soon = prefetch.soon.compactMap {
            self.request($0, priority: .normal, prefetch: prefetch, request: request)
        }
        let later = prefetch.later.compactMap {
            self.request($0, priority: .low, prefetch: prefetch, request: request)
        }
        let options = PrefetchOptions(
            destination: destination,
            highestPriority: .normal,
            replacesEarlierLists: true
        )
        // The end of each prefetch changes the statistics on the screen and is not reported by any
        // other event.
        prefetcher.prefetch(soon + later, options: options) { [mailbox] _ in
            mailbox.post(.statisticsChanged)
        }
    }

    func pause() { prefetcher.isPaused = true }

    func resume() { prefetcher.isPaused = false }

    func cancelAll() { prefetcher.cancelAll() }

    private func request(
        _ item: Int,
        priority: LoadPriority,
        prefetch: PrefetchRequest,
        request: (Int) -> ImageRequest?
    ) -> ImageRequest? {
        guard var request = request(item) else { return nil }
        items[request.url] = item
        request.targetSize = prefetch.targetSize
        // The image's cell uses the same option. The option has no effect on prefetching to disk.
        request.options.insert(.stopWhenSufficient)
        request.priority = priority
        return request
    }
}

/// The permission to prefetch images, which depends on the stage of memory pressure.
enum PrefetchPermission {
    /// Returns a closure that returns whether prefetching is currently allowed.
    ///
    /// The closure may be called on any thread. Each change of the permission is posted to the
    /// mailbox, so the gallery can cancel or repeat its prefetches.
    static func watching(
        _ manager: ImageManager,
        mailbox: Mailbox<GalleryMail>
    ) -> @Sendable () -> Bool {
        let isGiven = Protected(manager.memoryStage?.allowsPrefetching ?? true)
        manager.observeMemoryStage { stage in
            isGiven.withLock { $0 = stage.allowsPrefetching }
            mailbox.post(.statisticsChanged)
        }
        return { isGiven.withLock { $0 } }
    }
}
