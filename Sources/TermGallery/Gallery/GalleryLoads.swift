import Decoders
import Feeds
import GalleryCore
import ImageLoading
import TerminalUI

/// Performs the gallery's loads for cells, the image view, prefetching and animations.
///
/// `GalleryState` decides which images to load. Use this class on the UI thread only.
final class GalleryLoads {
    /// The closure that receives the load events for cells and the image view.
    ///
    /// It must be set before the first load.
    var listener: CellBindings.Listener = { _, _ in }

    private let manager: ImageManager
    private let progress: ProgressCoalescer
    private let detailRenderer: DetailRenderer
    /// The loads for folder cells.
    let covers: FolderCovers
    private let prefetcher: GalleryPrefetcher
    private let nextPicture: NextPicturePrefetcher
    private let player: AnimationPlayer
    private let kept: KeptLoads
    private let isExact: Bool
    /// The object that checks whether displayed files have changed.
    let files: LocalFileChecks
    /// The item whose image must be loaded at full size after the image at screen size is drawn.
    private var itemForFullSize: Int?
    /// The items whose files contain an embedded thumbnail that shows a different image.
    private var itemsWithUntrueThumbnails: Set<Int> = []
    private lazy var bindings = CellBindings(
        manager: manager,
        deliver: { [progress] in progress.send($0) },
        listener: { [weak self] in self?.listener($0, $1) }
    )

    init(manager: ImageManager, mailbox: Mailbox<GalleryMail>, options: GalleryOptions) {
        self.manager = manager
        progress = ProgressCoalescer(mailbox: mailbox)
        detailRenderer = DetailRenderer(mailbox: mailbox)
        covers = FolderCovers(manager: manager, mailbox: mailbox)
        let isAllowed = PrefetchPermission.watching(manager, mailbox: mailbox)
        prefetcher = GalleryPrefetcher(
            manager: manager,
            mode: options.prefetch,
            mailbox: mailbox,
            isAllowed: isAllowed
        )
        nextPicture = NextPicturePrefetcher(manager: manager, isAllowed: isAllowed)
        player = AnimationPlayer(manager: manager, mailbox: mailbox)
        kept = KeptLoads(manager: manager, mailbox: mailbox)
        isExact = options.isExact
        files = LocalFileChecks(manager: manager, mailbox: mailbox)
    }

    var prefetchStatistics: StatisticsMessage {
        let statistics = prefetcher.statistics
        return .prefetching(statistics, prefetcher.transfers(in: statistics))
    }

    /// Cancels all loads.
    func end() {
        covers.cancelAll()
        prefetcher.cancelAll()
        nextPicture.load(nil)
        player.follow(nil) { _ in nil }
        manager.cancelAll()
    }

    // MARK: Effects

    /// Loads an image's thumbnail or a folder's cover into a slot, and cancels its previous load.
    func bind(
        slot: Int,
        to item: Int,
        of state: GalleryState,
        size: PixelSize,
        retrying: Bool,
        refreshing: Bool
    ) {
        if let path = state.folderPath(of: item) {
            var options: LoadingOptions = [.stopWhenSufficient, .keptThumbnails]
            if !isExact { options.insert(.acceptThumbnail) }
            if retrying { options.insert(.retryFailed) }
            if refreshing { options.insert(.refreshCached) }
            bindings.unbind(slot)
            covers.bind(
                slot: slot,
                to: path,
                includesHidden: state.currentFeed?.folder?.includesHidden ?? false,
                look: FolderCovers.Look(filling: size, on: state.capabilities),
                options: options
            )
            return
        }
        covers.unbind(slot)
        let thumbnail = thumbnail(of: item, in: state, retrying: retrying, refreshing: refreshing)
        guard var request = thumbnail else { return }
        request.targetSize = size
        request.priority = KeptLoads.priorityOfCell(cancels: state.cancelsLoads)
        bindings.bind(slot: slot, to: request)
    }

    func unbind(slot: Int) {
        bindings.unbind(slot)
        covers.unbind(slot)
    }

    func perform(_ effect: PrefetchEffect, for state: GalleryState) {
        switch effect {
        case .load(let items):
            prefetcher.load(items) { item in
                // If an item can't be loaded, its cell reports the problem when it becomes visible.
                guard let feed = state.currentFeed, !feed.isFolder(item),
                    feed[item].problem == nil
                else { return nil }
                return thumbnail(of: item, in: state)
            }
        case .open(let item):
            let size = state.detailTargetSize
            nextPicture.load(item.flatMap { state.request(for: $0, size: size) })
        case .pause: prefetcher.pause()
        case .resume: prefetcher.resume()
        }
    }

    func perform(_ effect: DetailEffect, for state: GalleryState) {
        switch effect {
        case .open(let item, let refreshing):
            itemForFullSize = nil
            let size = state.detailTargetSize
            let request = state.request(
                for: item,
                retrying: true,
                refreshing: refreshing,
                size: size
            )
            if let url = state.currentFeed?[item].url { files.note(url) }
            if let request { bindings.bindDetail(to: request) }
        case .loadFullSize(let item): itemForFullSize = item
        case .close:
            itemForFullSize = nil
            bindings.unbindDetail()
        case .render(let pixels, let viewport):
            detailRenderer.render(pixels, viewport: viewport, capabilities: state.capabilities)
        }
    }

    func perform(_ effect: LoadingEffect) {
        switch effect {
        case .cancelAll:
            covers.cancelAll()
            prefetcher.cancelAll()
            manager.cancelAll()
        case .pause: manager.isSuspended = true
        case .resume: manager.isSuspended = false
        case .keep(let slot, let load):
            if let request = bindings.request(ofSlot: slot) { kept.keep(request, as: load) }
        case .cancelKept: kept.cancelAll()
        }
    }

    /// Plays the animation that the gallery shows, or stops the current animation if there is none
    /// to show.
    func play(_ state: GalleryState) {
        player.follow(state.animationTarget) { state.request(for: $0) }
    }

    /// Loads the open image at full size.
    ///
    /// The load starts only after the terminal has received the image at screen size. That image is
    /// needed first, and both loads would compete for the processor.
    func loadFullSize(for state: GalleryState, isTerminalReady: Bool) {
        guard let item = itemForFullSize, !state.isDrawingDetail, isTerminalReady else { return }
        itemForFullSize = nil
        if let request = state.request(for: item, retrying: true) {
            bindings.bindFullSize(to: request)
        }
    }

    // MARK: Events

    func accept(_ delivery: ImageDelivery) { bindings.accept(delivery) }

    func acceptProgress(ofBinding id: Int) {
        if let delivery = progress.take(bindingID: id) { bindings.accept(delivery) }
    }

    /// Removes a load that ended after its cell left the screen.
    func endKept(_ load: Int) { kept.end(load) }

    /// Returns the animation frame to show now, or nil if there is no new frame.
    func takeFrame() -> PixelBuffer? { player.takeFrame() }

    // MARK: Thumbnails

    /// Returns the open item if the thumbnail in its file does not match `pixels`, the pixels of
    /// the open image, or nil otherwise.
    ///
    /// The item's cell must then be reloaded.
    func takeUntrueThumbnail(in state: GalleryState, against pixels: PixelBuffer) -> Int? {
        guard let (item, thumbnail) = state.thumbnailOfDetail,
            !ThumbnailCheck.isTrue(thumbnail, of: pixels)
        else { return nil }
        itemsWithUntrueThumbnails.insert(item)
        return item
    }

    /// Discards the results of all thumbnail checks.
    ///
    /// Call this method when another feed is opened.
    func forgetThumbnails() { itemsWithUntrueThumbnails = [] }

    /// Discards the results of the thumbnail checks for `items`, whose files have changed.
    func forgetThumbnails(of items: [Int]) { itemsWithUntrueThumbnails.subtract(items) }

    /// Replaces the item numbers with those in the reloaded feed.
    func renumber(_ numbers: FeedRenumbering) {
        itemsWithUntrueThumbnails = numbers(itemsWithUntrueThumbnails)
    }

    /// Returns the request for an item's thumbnail in its cell.
    ///
    /// If the feed offers the image in a size that fits the cell, the request is for that version.
    private func thumbnail(
        of item: Int,
        in state: GalleryState,
        retrying: Bool = false,
        refreshing: Bool = false
    ) -> ImageRequest? {
        let original = state.request(for: item, retrying: retrying, refreshing: refreshing)
        guard var request = original, let feed = state.currentFeed else { return nil }
        files.note(feed[item].url)
        if let version = state.version(ofItem: item) { request = request.replaced(by: version) }
        request.contentMode = state.contentMode
        request.options.formUnion(.keptThumbnails)
        if !isExact, !itemsWithUntrueThumbnails.contains(item) {
            request.options.insert(.acceptThumbnail)
        }
        return request
    }
}

extension GalleryState {
    /// Returns the request for the original image, or nil if the item does not exist.
    ///
    /// If `size` is nil, the image is loaded at full size.
    func request(
        for item: Int,
        retrying: Bool = false,
        refreshing: Bool = false,
        size: PixelSize? = nil
    ) -> ImageRequest? {
        guard let feed = currentFeed, item < feed.count else { return nil }
        var options: LoadingOptions = []
        if retrying { options.insert(.retryFailed) }
        if refreshing { options.insert(.refreshCached) }
        return feed[item].request(
            targetSize: size,
            options: options,
            origin: feed.origin(at: item)
        )
    }
}
