internal import Decoders
internal import Feeds
internal import ImageLoading
import TerminalUI

/// The properties of an image file.
struct FileFacts: Equatable, Sendable {
    /// The size in pixels; until the file is loaded, the size according to the feed.
    private(set) var size: PixelSize?
    private(set) var format: String?
    /// The length of the complete file in bytes.
    private(set) var byteCount: Int?
    /// The number of frames; an animation has more than 1.
    private(set) var frameCount = 1
    /// The error in a file that is damaged but still has an image.
    private(set) var damage: ImageDecodingError?

    init(size: PixelSize? = nil) {
        self.size = size
    }

    /// Updates the properties from an event of the load.
    mutating func take(_ event: LoadEvent) {
        switch event {
        case .queued, .waiting, .finished(.failure): break
        case .progress(let progress):
            if let expected = progress.expected, expected > 0 { byteCount = expected }
        case .preview(let response): take(response.image)
        case .finished(.success(let response)):
            take(response.image)
            // For an interrupted transfer, `response.byteCount` is the received length. The memory
            // cache does not know the length.
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

/// A reusable cell: its item, and the image to show.
struct CellSlot: Equatable, Sendable {
    /// The number of the item, or nil while the slot is unbound.
    var item: Int?
    var caption = ""
    var url = ""
    private(set) var targetSize = PixelSize(width: 0, height: 0)
    /// The version of another size, and the placeholder.
    private(set) var preview = CellPreview()
    private(set) var load = LoadState.asked
    /// The rendered image, which is computed once for each image and display mode.
    private(set) var cellImage: CellImage?
    private(set) var facts = FileFacts()
    /// The duration of the load, or nil if the image was in memory.
    private(set) var times: LoadTimes?
    /// Whether the image is a local file; its source is then not shown.
    private(set) var isLocalFile = false
    /// Whether the server did not confirm the image although revalidation was required.
    private(set) var isStale = false
    var problem: String?
    /// The revision of the item's file that is shown or being loaded.
    var revision = 0
    /// The pixels of the visible image.
    ///
    /// The slot keeps a reference to them, so that the memory cache, which has weak references to
    /// evicted images, can still find the image.
    private var pixels: PixelBuffer?
    /// Whether the pixels are from the thumbnail embedded in the file.
    private var isThumbnail = false
    /// The size of the complete image, which may exceed the size of the loaded pixels.
    private var imageSize = PixelSize(width: 0, height: 0)
    /// The source of the image that stays on the screen during a refresh.
    private var known: ImageSource?
    /// Whether the visible image is temporary: a preview, or an image that is being refreshed.
    private var isProvisional = false
    /// Whether the current image remains if the refresh fails.
    private var keepsOnFailure = false
    /// The number of ticks since the load started, up to `ticksUntilSaid`.
    private var patience = 0

    /// The number of ticks of 100 ms before a placeholder is shown.
    ///
    /// Most cached images arrive within 100 to 200 ms, before the placeholder would appear.
    private static let ticksUntilSaid = 2

    /// The image or placeholder to draw.
    var shownImage: CellImage? {
        cellImage ?? (load.isPending && load.failure == nil ? preview.placeholder : nil)
    }

    /// Whether to show the user that the load is waiting.
    var saysThatItWaits: Bool { load.isPending && patience >= Self.ticksUntilSaid }

    /// Whether a tick could change `saysThatItWaits`.
    var needsTicks: Bool {
        item != nil && load.isPending && patience < Self.ticksUntilSaid
    }

    /// Whether the visible image is being refreshed; a refresh has no progress bar.
    var isRefreshed: Bool { load.isPending && isProvisional && known != nil }

    /// Whether the visible image is incomplete because its transfer was interrupted or its file is
    /// damaged.
    var isIncomplete: Bool {
        cellImage != nil && (hasFailed || (!load.isPending && facts.damage != nil))
    }

    /// The pixels if they are from the embedded thumbnail, otherwise nil.
    var thumbnail: PixelBuffer? { isThumbnail ? pixels : nil }

    /// Returns whether a larger target size requires more pixels and the image may have them.
    func lacksPixels(for target: PixelSize) -> Bool {
        guard item != nil, !hasFailed, !targetSize.covers(target) else { return false }
        if preview.isNarrower(than: target) { return true }
        guard !load.isPending, let size = pixels?.size else { return true }
        // If the image is smaller than the target size, it was not reduced, so all of its pixels
        // are loaded.
        return size.width >= targetSize.width || size.height >= targetSize.height
    }

    /// Whether a transfer is running and has received some bytes.
    var isTransferring: Bool {
        if case .loading = load { true } else { false }
    }

    /// Whether the image is missing or incomplete.
    var hasFailed: Bool {
        if case .failed = load { true } else { false }
    }

    /// Whether the image is missing or incomplete because of an error, not because the load was
    /// cancelled.
    var isFault: Bool {
        if case .failed(let failure) = load { failure.kind != .cancelled } else { false }
    }

    /// Whether a retry may succeed.
    var canRetry: Bool { (hasFailed || load.isWaitingForServer) && problem == nil }

    /// Binds the slot to an item, with known properties of its file, and returns whether the item
    /// can be loaded.
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

    /// Restarts the load of the same item and returns whether it can be loaded.
    ///
    /// The current image stays on the screen until the new one arrives. During a refresh, or a load
    /// with more pixels, the known properties also remain, so that nothing flickers. With
    /// `keepsOnFailure`, the image remains even if the load fails.
    mutating func restart(keepingLook: Bool, keepsOnFailure: Bool = false) -> Bool {
        guard item != nil, problem == nil else { return false }
        self.keepsOnFailure = keepsOnFailure
        if case .loaded(let source) = load { known = source }
        isProvisional = keepingLook && cellImage != nil
        load = .asked
        patience = 0
        return true
    }

    /// Sets the target size of the image, and whether a version of another size may be loaded.
    mutating func aim(at targetSize: PixelSize, usingVersions: Bool) {
        self.targetSize = targetSize
        preview.choose(for: usingVersions ? targetSize : nil)
    }

    mutating func unbind() {
        self = CellSlot()
    }

    /// Handles a tick of the frame timer, and renders the placeholder when it is due.
    mutating func tick(box: ScreenSize, capabilities: ScreenCapabilities) {
        guard needsTicks else { return }
        patience += 1
        if saysThatItWaits { renderPlaceholder(box: box, capabilities: capabilities) }
    }

    private mutating func renderPlaceholder(box: ScreenSize, capabilities: ScreenCapabilities) {
        guard cellImage == nil, saysThatItWaits else { return }
        preview.render(of: facts.size, box: box, capabilities: capabilities)
    }

    /// Handles an event of the load.
    mutating func apply(_ event: LoadEvent, box: ScreenSize, capabilities: ScreenCapabilities) {
        guard item != nil, problem == nil else { return }
        // The properties of a version, such as its size, differ from the properties of the image
        // itself.
        if preview.version == nil { facts.take(event) }
        switch event {
        case .queued: load.wait(for: nil)
        case .waiting(let error): load.wait(for: error)
        case .progress(let progress): if load.isPending { load = .loading(progress) }
        case .preview(let response):
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

    /// Ends a running load; an image that was being refreshed remains.
    mutating func cancel() {
        guard item != nil, load.isPending else { return }
        guard let known, isProvisional else { return fail(.cancelled, mayGoOn: false) }
        load = .loaded(known)
    }

    /// Removes the image and sets the failure.
    mutating func end(_ failure: LoadFailure) {
        (load, pixels, cellImage) = (.failed(failure), nil, nil)
    }

    /// Ends the load with a failure.
    ///
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
        // If a refresh confirmed the image, it is already drawn. A preview must be drawn again,
        // because it is drawn differently.
        let isDrawn = cellImage != nil && pixels == self.pixels && known != nil
        self.pixels = pixels
        if !isDrawn { render(box: box, capabilities: capabilities) }
    }

    /// Renders the image for another box or display mode, or renders an animation frame instead of
    /// it.
    mutating func render(
        frame: PixelBuffer? = nil,
        box: ScreenSize,
        capabilities: ScreenCapabilities
    ) {
        guard let pixels = frame ?? pixels, !pixels.size.isEmpty else {
            cellImage = nil
            return renderPlaceholder(box: box, capabilities: capabilities)
        }
        // The missing part of a preview is transparent, even if the complete image is not.
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
