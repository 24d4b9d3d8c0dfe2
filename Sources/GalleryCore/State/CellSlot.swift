internal import Decoders
internal import ImageLoading

/// What is known of the file behind an image.
struct FileFacts: Equatable, Sendable {
    /// As the feed says, until the file is there.
    private(set) var size: PixelSize?
    private(set) var format: String?
    /// The bytes of the whole file.
    private(set) var byteCount: Int?
    /// More than 1 if it is animated.
    private(set) var frameCount = 1
    /// What is wrong with it, though there is an image.
    private(set) var damage: ImageDecodingError?

    init(size: PixelSize? = nil) {
        self.size = size
    }

    /// Takes what an event tells.
    mutating func take(_ event: LoadEvent) {
        switch event {
        case .queued, .waiting, .finished(.failure): break
        case .progress(let progress):
            if let expected = progress.expected, expected > 0 { byteCount = expected }
        case .image(let response): take(response.image)
        case .finished(.success(let response)):
            take(response.image)
            // Of a transfer that stopped early, the part that came; the memory cache knows none.
            byteCount = [byteCount ?? 0, response.byteCount].max().flatMap { $0 > 0 ? $0 : nil }
        }
    }

    private mutating func take(_ image: DecodedImage) {
        size = image.properties.size
        format = image.properties.format.displayName
        frameCount = image.properties.frameCount
        damage = image.damage
    }
}

/// One reusable cell: what it is bound to and what it has to show.
struct CellSlot: Equatable, Sendable {
    /// The item's number; nil while the slot is spare.
    var item: Int?
    var caption = ""
    var url = ""
    private(set) var targetSize = PixelSize(width: 0, height: 0)
    /// What may stand for the picture.
    private(set) var preview = CellPreview()
    private(set) var load = LoadState.asked
    /// Rendered once for each image and look, never once a frame.
    private(set) var cellImage: CellImage?
    private(set) var facts = FileFacts()
    /// How long the load took whose image is shown; nil of one that was in memory.
    private(set) var times: LoadTimes?
    /// Whether it is a file of this machine: where such an image came from says nothing.
    private(set) var isLocalFile = false
    /// Whether the server should have been asked whether the image has changed, and was not, or
    /// did not answer.
    private(set) var isStale = false
    var problem: String?
    /// The one of the item's file that is shown, or loads.
    var revision = 0
    /// Held for as long as they are shown, so that the memory cache finds them again: it keeps weak
    /// references to what it has evicted.
    private var pixels: PixelBuffer?
    /// Whether they are those of the thumbnail that a camera put into the file.
    private var isThumbnail = false
    /// The size of the image itself, of which there may be fewer pixels here.
    private var imageSize = PixelSize(width: 0, height: 0)
    /// Where the image came from that an unfinished refresh shows.
    private var known: ImageSource?
    /// Whether the cells show this item in this size, if not for good: it is being refreshed, or
    /// they are a preview.
    private var isProvisional = false
    /// Whether the image that is being refreshed stays if that fails.
    private var keepsOnFailure = false
    /// Ticks since the load began, as far as anybody asks.
    private var patience = 0

    /// Ticks of 100 ms after which a load that waits is said to wait: 100 to 200 ms, in which most
    /// of what a cache has is there.
    private static let ticksUntilSaid = 2

    /// What is there to be seen.
    var shownImage: CellImage? {
        cellImage ?? (load.isPending && load.failure == nil ? preview.placeholder : nil)
    }

    /// Whether it is time to say that the load waits.
    var saysThatItWaits: Bool { load.isPending && patience >= Self.ticksUntilSaid }

    /// Whether a tick would change `saysThatItWaits`.
    var needsTicks: Bool {
        item != nil && load.isPending && patience < Self.ticksUntilSaid
    }

    /// Whether an image is shown that is only being refreshed: how far that is concerns nobody.
    var isRefreshed: Bool { load.isPending && isProvisional && known != nil }

    /// Whether what is shown is the part of an image that had come when its transfer broke off, or what
    /// there is of a damaged one.
    var isIncomplete: Bool {
        cellImage != nil && (hasFailed || (!load.isPending && facts.damage != nil))
    }

    /// The pixels, if they are those of the thumbnail in the file.
    var thumbnail: PixelBuffer? { isThumbnail ? pixels : nil }

    /// Whether the image, loaded at another size, can have more pixels that are wanted now.
    func lacksPixels(for target: PixelSize) -> Bool {
        guard item != nil, !hasFailed, !targetSize.covers(target) else { return false }
        if preview.isNarrower(than: target) { return true }
        guard !load.isPending, let size = pixels?.size else { return true }
        // A smaller one was not reduced: these are all its pixels.
        return size.width >= targetSize.width || size.height >= targetSize.height
    }

    /// Whether bytes of the image have come, and more are to.
    var isTransferring: Bool {
        if case .loading = load { true } else { false }
    }

    /// Whether there is no image, or not all of it.
    var hasFailed: Bool {
        if case .failed = load { true } else { false }
    }

    /// Whether that is a fault.
    var isFault: Bool {
        if case .failed(let failure) = load { failure.kind != .cancelled } else { false }
    }

    /// Whether asking again can help.
    var canRetry: Bool { (hasFailed || load.isWaitingForServer) && problem == nil }

    /// Binds another item, of whose file something may be known; returns whether it can be loaded.
    mutating func bind(item: Int, _ feedItem: FeedItem, _ known: FileFacts? = nil) -> Bool {
        self = CellSlot()
        self.item = item
        facts = known ?? FileFacts(size: feedItem.details?.size)
        preview = CellPreview(of: feedItem)
        caption = feedItem.caption
        url = feedItem.url
        isLocalFile = feedItem.isLocalFile
        problem = feedItem.problem
        revision = feedItem.revision
        if problem != nil { load = .failed(LoadFailure(of: feedItem)) }
        return problem == nil
    }

    /// Starts over with the same item, whose old image stays until the next one is there; returns
    /// whether it can be loaded.
    ///
    /// While it is only refreshed, or there will be more pixels of it, what is known of it stays
    /// too: nothing flickers.
    ///
    /// With `keepsOnFailure` it stays for good if there is no next one.
    mutating func restart(keepingLook: Bool, keepsOnFailure: Bool = false) -> Bool {
        guard item != nil, problem == nil else { return false }
        self.keepsOnFailure = keepsOnFailure
        if case .loaded(let source) = load { known = source }
        isProvisional = keepingLook && cellImage != nil
        load = .asked
        patience = 0
        return true
    }

    /// Says how large the image is to be, and whether a version of it may stand for it.
    mutating func aim(at targetSize: PixelSize, usingVersions: Bool) {
        self.targetSize = targetSize
        preview.choose(for: usingVersions ? targetSize : nil)
    }

    mutating func unbind() {
        self = CellSlot()
    }

    /// Counts a tick of the frame timer; what has to be waited for gets its placeholder.
    mutating func tick(box: ScreenSize, capabilities: ScreenCapabilities) {
        guard needsTicks else { return }
        patience += 1
        if saysThatItWaits { renderPlaceholder(box: box, capabilities: capabilities) }
    }

    private mutating func renderPlaceholder(box: ScreenSize, capabilities: ScreenCapabilities) {
        guard cellImage == nil, saysThatItWaits else { return }
        preview.render(of: facts.size, box: box, capabilities: capabilities)
    }

    /// Takes an event of the load.
    mutating func apply(_ event: LoadEvent, box: ScreenSize, capabilities: ScreenCapabilities) {
        guard item != nil, problem == nil else { return }
        // Of a version nobody wants to know more than that it is one.
        if preview.version == nil { facts.take(event) }
        switch event {
        case .queued: load.wait(for: nil)
        case .waiting(let error): load.wait(for: error)
        case .progress(let progress): if load.isPending { load = .loading(progress) }
        case .image(let response):
            guard load.isPending else { return }
            isProvisional = true
            show(response.image, box: box, capabilities: capabilities)
        case .finished(.success(let response)):
            load = .loaded(response.source)
            isStale = response.isStale
            times = response.times
            show(response.image, box: box, capabilities: capabilities)
        case .finished(.failure(let error)) where error.kind == .cancelled: cancel()
        case .finished(.failure(let error)): fail(LoadFailure(error), mayGoOn: error.isRetryable)
        }
    }

    /// Ends a running load; an image that was only to be refreshed stays.
    mutating func cancel() {
        guard item != nil, load.isPending else { return }
        guard let known, isProvisional else { return fail(.cancelled, mayGoOn: false) }
        load = .loaded(known)
    }

    /// Takes the image away, and says why.
    mutating func end(_ failure: LoadFailure) {
        (load, pixels, cellImage) = (.failed(failure), nil, nil)
    }

    /// What has come of an image stays if the rest may come another time.
    private mutating func fail(_ failure: LoadFailure, mayGoOn: Bool) {
        if let known, isProvisional, keepsOnFailure {
            load = .loaded(known)
            isStale = true
            return
        }
        let isPart = isProvisional && known == nil && mayGoOn
        load = .failed(failure)
        guard !isPart else { return }
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
        isThumbnail = image.isThumbnail
        // What a refresh confirmed is drawn already; a preview is drawn in another way.
        let isDrawn = cellImage != nil && pixels == self.pixels && known != nil
        self.pixels = pixels
        if !isDrawn { render(box: box, capabilities: capabilities) }
    }

    /// Renders the image again, for another box or another look; or a frame of it in its place.
    mutating func render(
        frame: PixelBuffer? = nil,
        box: ScreenSize,
        capabilities: ScreenCapabilities
    ) {
        guard let pixels = frame ?? pixels, !pixels.size.isEmpty else {
            cellImage = nil
            return renderPlaceholder(box: box, capabilities: capabilities)
        }
        // What has not come of a preview is transparent, though the image may not be.
        let isPreview = (load.isPending && isProvisional && known == nil) || hasFailed
        cellImage = CellImage(
            pixels,
            of: imageSize,
            box: box,
            capabilities: capabilities,
            isPreview: isPreview
        )
        if frame != nil { cellImage?.becomeAnimationFrame() }
    }
}
