internal import Decoders
internal import ImageLoading

/// How far the load of a cell or of the detail view is.
enum LoadState: Equatable, Sendable {
    /// Asked for; nothing is known.
    case asked
    /// Waits for a transfer.
    case queued
    /// The transfer runs.
    case loading(LoadProgress)
    /// There is an image.
    case loaded(ImageSource)
    /// There is none, and why.
    case failed(String)

    /// Whether the end is still to come.
    var isPending: Bool {
        switch self {
        case .asked, .queued, .loading: true
        case .loaded, .failed: false
        }
    }
}

/// One reusable cell: what it is bound to and what it has to show.
struct CellSlot: Equatable, Sendable {
    /// The item's number; nil while the slot is spare.
    private(set) var item: Int?
    private(set) var caption = ""
    private(set) var targetSize = PixelSize(width: 0, height: 0)
    private(set) var load = LoadState.asked
    /// Rendered once for each image and look, never once a frame.
    private(set) var cellImage: CellImage?
    private var problem: String?
    /// Held for as long as they are shown, so that the memory cache finds them again: it keeps weak
    /// references to what it has evicted.
    private var pixels: PixelBuffer?
    /// The size of the image itself, of which there may be fewer pixels here.
    private var imageSize = PixelSize(width: 0, height: 0)
    /// Where the image came from that an unfinished refresh shows.
    private var known: ImageSource?
    /// Whether the cells show this item in this size, if not for good: it is being refreshed, or
    /// they are a preview.
    private var isProvisional = false

    /// Whether the cells are those of an earlier load: they stay, dimmed, until there are others.
    var isStale: Bool { load.isPending && !isProvisional }

    /// Whether an image is shown that is only being refreshed: how far that is concerns nobody.
    var isRefreshed: Bool { load.isPending && isProvisional && known != nil }

    /// Whether the image, loaded at another size, can have more pixels that are wanted now.
    func lacksPixels(for target: PixelSize) -> Bool {
        guard item != nil, !hasFailed, !targetSize.covers(target) else { return false }
        guard !load.isPending, let size = pixels?.size else { return true }
        // A smaller one was not reduced: these are all its pixels.
        return size.width >= targetSize.width || size.height >= targetSize.height
    }

    /// Whether there is no image.
    var hasFailed: Bool {
        if case .failed = load { true } else { false }
    }

    /// Whether asking again can help.
    var canRetry: Bool { hasFailed && problem == nil }

    /// Binds another item; returns whether it can be loaded.
    mutating func bind(item: Int, _ feedItem: FeedItem) -> Bool {
        self = CellSlot()
        self.item = item
        caption = feedItem.caption
        problem = feedItem.problem
        if let problem { load = .failed(problem) }
        return problem == nil
    }

    /// Starts over with the same item, whose old image stays until the next one is there; returns
    /// whether it can be loaded.
    ///
    /// While it is only refreshed, or there will be more pixels of it, the old one is shown as it
    /// was: nothing flickers.
    mutating func restart(keepingLook: Bool) -> Bool {
        guard item != nil, problem == nil else { return false }
        if case .loaded(let source) = load { known = source }
        isProvisional = keepingLook && cellImage != nil
        load = .asked
        return true
    }

    mutating func aim(at targetSize: PixelSize) {
        self.targetSize = targetSize
    }

    mutating func unbind() {
        self = CellSlot()
    }

    /// Takes an event of the load.
    mutating func apply(_ event: LoadEvent, box: ScreenSize, capabilities: ScreenCapabilities) {
        guard item != nil, problem == nil else { return }
        switch event {
        case .queued: if load == .asked { load = .queued }
        case .progress(let progress): if load.isPending { load = .loading(progress) }
        case .image(let response):
            guard load.isPending else { return }
            isProvisional = true
            show(response.image, box: box, capabilities: capabilities)
        case .finished(.success(let response)):
            load = .loaded(response.source)
            show(response.image, box: box, capabilities: capabilities)
        case .finished(.failure(let error)) where error.kind == .cancelled: cancel()
        case .finished(.failure(let error)): fail(error.description)
        }
    }

    /// Ends a running load; an image that was only to be refreshed stays.
    mutating func cancel() {
        guard item != nil, load.isPending else { return }
        guard let known, isProvisional else { return fail("cancelled") }
        load = .loaded(known)
    }

    private mutating func fail(_ reason: String) {
        load = .failed(reason)
        pixels = nil
        cellImage = nil
    }

    private mutating func show(
        _ image: DecodedImage,
        box: ScreenSize,
        capabilities: ScreenCapabilities
    ) {
        let pixels = image.pixels
        imageSize = image.properties.size
        // What a refresh confirmed is drawn already; a preview is drawn in another way.
        let isDrawn = cellImage != nil && pixels == self.pixels && known != nil
        self.pixels = pixels
        if !isDrawn { render(box: box, capabilities: capabilities) }
    }

    /// Renders the image again, for another box or another look.
    mutating func render(box: ScreenSize, capabilities: ScreenCapabilities) {
        guard let pixels, !pixels.size.isEmpty else { return cellImage = nil }
        // What has not come of a preview is transparent, though the image may not be.
        let isPreview = load.isPending && isProvisional && known == nil
        cellImage = CellImage(
            pixels,
            of: imageSize,
            box: box,
            capabilities: capabilities,
            isPreview: isPreview
        )
    }
}
