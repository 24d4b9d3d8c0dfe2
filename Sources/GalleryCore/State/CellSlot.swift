internal import Decoders
internal import Feeds
internal import ImageLoading
import TerminalUI

/// The properties of the file of an image.
struct FileFacts: Equatable, Sendable {
    /// The size from the feed, until the file is loaded.
    private(set) var size: PixelSize?
    private(set) var format: String?
    /// The length of the complete file in bytes.
    private(set) var byteCount: Int?
    /// The number of frames; more than 1 for an animation.
    private(set) var frameCount = 1
    /// The damage of a file that nevertheless has an image.
    private(set) var damage: ImageDecodingError?

    init(size: PixelSize? = nil) {
        self.size = size
    }

    /// Updates the properties from an event.
    mutating func take(_ event: LoadEvent) {
        switch event {
        case .queued, .waiting, .finished(.failure): break
        case .progress(let progress):
            if let expected = progress.expected, expected > 0 { byteCount = expected }
        case .image(let response): take(response.image)
        case .finished(.success(let response)):
            take(response.image)
            // For an interrupted transfer this is the received length; the memory cache does not know
            // it.
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

/// One reusable cell: its item, and what to show.
struct CellSlot: Equatable, Sendable {
    /// The number of the item; nil while the slot is unbound.
    var item: Int?
    var caption = ""
    var url = ""
    private(set) var targetSize = PixelSize(width: 0, height: 0)
    /// The alternatives to the image.
    private(set) var preview = CellPreview()
    private(set) var load = LoadState.asked
    /// The rendered image, which is computed once for each image and display mode.
    private(set) var cellImage: CellImage?
    private(set) var facts = FileFacts()
    /// The duration of the load; nil for an image that was in memory.
    private(set) var times: LoadTimes?
    /// Whether the image is a local file, whose source is not shown.
    private(set) var isLocalFile = false
    /// Whether the server did not confirm the image although revalidation was required.
    private(set) var isStale = false
    var problem: String?
    /// The revision of the item's file that is shown or loaded.
    var revision = 0
    /// The pixels are kept while they are shown, so that the memory cache, which has weak
    /// references to evicted images, finds them again.
    private var pixels: PixelBuffer?
    /// Whether the pixels are from the thumbnail in the file.
    private var isThumbnail = false
    /// The size of the image itself, which may have more pixels than were loaded.
    private var imageSize = PixelSize(width: 0, height: 0)
    /// The source of the image that is shown until a refresh finishes.
    private var known: ImageSource?
    /// Whether the shown image is temporary: a preview, or an image that is being refreshed.
    private var isProvisional = false
    /// Whether the current image remains if the refresh fails.
    private var keepsOnFailure = false
    /// The number of ticks since the load started, up to a limit.
    private var patience = 0

    /// The number of ticks of 100 ms before a placeholder is shown: most cached images arrive
    /// within 100 to 200 ms.
    private static let ticksUntilSaid = 2

    /// The image or placeholder to draw.
    var shownImage: CellImage? {
        cellImage ?? (load.isPending && load.failure == nil ? preview.placeholder : nil)
    }

    /// Whether to show that the load is waiting.
    var saysThatItWaits: Bool { load.isPending && patience >= Self.ticksUntilSaid }

    /// Whether a tick could change `saysThatItWaits`.
    var needsTicks: Bool {
        item != nil && load.isPending && patience < Self.ticksUntilSaid
    }

    /// Whether the shown image is being refreshed, which needs no progress bar.
    var isRefreshed: Bool { load.isPending && isProvisional && known != nil }

    /// Whether the shown image is incomplete, because its transfer was interrupted or its file is
    /// damaged.
    var isIncomplete: Bool {
        cellImage != nil && (hasFailed || (!load.isPending && facts.damage != nil))
    }

    /// The pixels, if they are from the thumbnail in the file.
    var thumbnail: PixelBuffer? { isThumbnail ? pixels : nil }

    /// Returns whether the image can have more pixels, which another size requires.
    func lacksPixels(for target: PixelSize) -> Bool {
        guard item != nil, !hasFailed, !targetSize.covers(target) else { return false }
        if preview.isNarrower(than: target) { return true }
        guard !load.isPending, let size = pixels?.size else { return true }
        // A smaller image was not reduced, so that these are all of its pixels.
        return size.width >= targetSize.width || size.height >= targetSize.height
    }

    /// Whether a transfer has received some bytes, and is still running.
    var isTransferring: Bool {
        if case .loading = load { true } else { false }
    }

    /// Whether the image is missing or incomplete.
    var hasFailed: Bool {
        if case .failed = load { true } else { false }
    }

    /// Whether the cause is an error.
    var isFault: Bool {
        if case .failed(let failure) = load { failure.kind != .cancelled } else { false }
    }

    /// Whether a retry may succeed.
    var canRetry: Bool { (hasFailed || load.isWaitingForServer) && problem == nil }

    /// Binds another item, with known properties of its file, and returns whether it can be loaded.
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

    /// Restarts the load of the same item and returns whether it can be loaded; the current image
    /// remains until the new one arrives.
    ///
    /// During a refresh, and during a load with more pixels, the known properties remain too, so
    /// that nothing flickers. With `keepsOnFailure` the image also remains if the load fails.
    mutating func restart(keepingLook: Bool, keepsOnFailure: Bool = false) -> Bool {
        guard item != nil, problem == nil else { return false }
        self.keepsOnFailure = keepsOnFailure
        if case .loaded(let source) = load { known = source }
        isProvisional = keepingLook && cellImage != nil
        load = .asked
        patience = 0
        return true
    }

    /// Sets the size of the image, and whether another version may be used.
    mutating func aim(at targetSize: PixelSize, usingVersions: Bool) {
        self.targetSize = targetSize
        preview.choose(for: usingVersions ? targetSize : nil)
    }

    mutating func unbind() {
        self = CellSlot()
    }

    /// Processes a tick of the frame timer, and renders the placeholder when it is due.
    mutating func tick(box: ScreenSize, capabilities: ScreenCapabilities) {
        guard needsTicks else { return }
        patience += 1
        if saysThatItWaits { renderPlaceholder(box: box, capabilities: capabilities) }
    }

    private mutating func renderPlaceholder(box: ScreenSize, capabilities: ScreenCapabilities) {
        guard cellImage == nil, saysThatItWaits else { return }
        preview.render(of: facts.size, box: box, capabilities: capabilities)
    }

    /// Processes an event of the load.
    mutating func apply(_ event: LoadEvent, box: ScreenSize, capabilities: ScreenCapabilities) {
        guard item != nil, problem == nil else { return }
        // The properties of another version are irrelevant.
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

    /// Ends a running load; an image that was only being refreshed remains.
    mutating func cancel() {
        guard item != nil, load.isPending else { return }
        guard let known, isProvisional else { return fail(.cancelled, mayGoOn: false) }
        load = .loaded(known)
    }

    /// Removes the image and sets the reason.
    mutating func end(_ failure: LoadFailure) {
        (load, pixels, cellImage) = (.failed(failure), nil, nil)
    }

    /// The received part of an image remains if the rest may arrive later.
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
        // An image that a refresh confirmed is already drawn, whereas a preview is drawn
        // differently.
        let isDrawn = cellImage != nil && pixels == self.pixels && known != nil
        self.pixels = pixels
        if !isDrawn { render(box: box, capabilities: capabilities) }
    }

    /// Renders the image again for another box or display mode, or a frame in its place.
    mutating func render(
        frame: PixelBuffer? = nil,
        box: ScreenSize,
        capabilities: ScreenCapabilities
    ) {
        guard let pixels = frame ?? pixels, !pixels.size.isEmpty else {
            cellImage = nil
            return renderPlaceholder(box: box, capabilities: capabilities)
        }
        // The missing part of a preview is transparent, even if the image is not.
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
