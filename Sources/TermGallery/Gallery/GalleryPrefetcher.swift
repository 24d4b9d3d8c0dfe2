import GalleryCore
import ImageLoading

/// Brings images into the caches before they come on the screen.
///
/// Lives on the UI thread, but for what it posts to the mailbox.
final class GalleryPrefetcher {
    /// Whether, and how far, images are prefetched.
    enum Mode: String, CaseIterable, Sendable {
        /// Only what is visible is loaded.
        case off
        /// The bytes come into the disk cache.
        case disk
        /// Decoded at the cells' size, so that they are there as the screen moves.
        case memory
    }

    private let prefetcher: ImagePrefetcher
    private let destination: PrefetchOptions.Destination
    private let mailbox: Mailbox<GalleryMail>

    /// `isAllowed` is asked before each load, on any thread.
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

    /// Prefetches what is requested and nothing else; what of it is under way goes on.
    func load(_ prefetch: PrefetchRequest?, request: (Int) -> ImageRequest?) {
        guard let prefetch else { return prefetcher.cancelAll() }
        let soon = prefetch.soon.compactMap { Self.request($0, .normal, prefetch, request) }
        let later = prefetch.later.compactMap { Self.request($0, .low, prefetch, request) }
        let options = PrefetchOptions(
            destination: destination,
            highestPriority: .normal,
            replacesEarlierLists: true
        )
        // The statistics on the screen change with every end, and nothing else tells the UI thread.
        prefetcher.prefetch(soon + later, options: options) { [mailbox] _ in
            mailbox.post(.statisticsChanged)
        }
    }

    func pause() { prefetcher.isPaused = true }

    func resume() { prefetcher.isPaused = false }

    func cancelAll() { prefetcher.cancelAll() }

    private static func request(
        _ item: Int,
        _ priority: LoadPriority,
        _ prefetch: PrefetchRequest,
        _ request: (Int) -> ImageRequest?
    ) -> ImageRequest? {
        guard var request = request(item) else { return nil }
        request.targetSize = prefetch.targetSize
        // As its cell will; for the disk it is of no effect.
        request.options.insert(.stopWhenSufficient)
        request.priority = priority
        return request
    }
}

/// Whether memory allows prefetching.
enum PrefetchPermission {
    /// What to ask before each prefetch, on any thread.
    ///
    /// The mailbox is told of each change: the gallery takes its request back, or repeats it.
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
