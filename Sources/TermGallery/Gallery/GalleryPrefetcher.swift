import GalleryCore
import ImageLoading

/// Brings pictures into the caches before they come on the screen.
///
/// Lives on the UI thread, but for what it posts to the mailbox.
final class AheadLoader {
    /// Whether, and how far, pictures are loaded before they are visible.
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

    /// Loads what is wished for and nothing else; what of it is under way goes on.
    func load(_ wish: AheadWish?, request: (Int) -> ImageRequest?) {
        guard let wish else { return prefetcher.cancelAll() }
        let soon = wish.soon.compactMap { Self.request($0, .normal, wish, request) }
        let later = wish.later.compactMap { Self.request($0, .low, wish, request) }
        let options = PrefetchOptions(
            destination: destination,
            highestPriority: .normal,
            replacesEarlierLists: true
        )
        // The figures on the screen change with every end, and nothing else tells the UI thread.
        prefetcher.prefetch(soon + later, options: options) { [mailbox] _ in
            mailbox.post(.figuresMoved)
        }
    }

    func pause() { prefetcher.isPaused = true }

    func resume() { prefetcher.isPaused = false }

    func cancelAll() { prefetcher.cancelAll() }

    private static func request(
        _ item: Int,
        _ priority: LoadPriority,
        _ wish: AheadWish,
        _ request: (Int) -> ImageRequest?
    ) -> ImageRequest? {
        guard var request = request(item) else { return nil }
        request.targetSize = wish.targetSize
        // As its cell will; for the disk it is of no effect.
        request.options.insert(.stopWhenSufficient)
        request.priority = priority
        return request
    }
}

/// Whether memory allows to load what nobody looks at yet.
enum AheadPermission {
    /// What to ask before each load ahead, on any thread.
    ///
    /// The mailbox is told of each change: the gallery takes back its wish, or wishes again.
    static func watching(
        _ manager: ImageManager,
        mailbox: Mailbox<GalleryMail>
    ) -> @Sendable () -> Bool {
        let isGiven = Protected(manager.memoryStage?.allowsPrefetching ?? true)
        manager.observeMemoryStage { stage in
            isGiven.withLock { $0 = stage.allowsPrefetching }
            mailbox.post(.figuresMoved)
        }
        return { isGiven.withLock { $0 } }
    }
}
