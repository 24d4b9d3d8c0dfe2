internal import Decoders
internal import Feeds
internal import ImageLoading
import TerminalUI

/// A reusable cell: its item, and the image to show.
struct CellSlot: Equatable, Sendable {
    /// The number of the item, or nil while the slot is unbound.
    var item: Int?
    var caption = ""
    var url = ""
    private(set) var targetSize = PixelSize(width: 0, height: 0)
    /// The content mode for which the image is loaded.
    private var contentMode = ImageContentMode.fit
    /// The alternative size or the placeholder that the cell can show instead of the original
    /// image.
    private(set) var preview = CellPreview()
    private(set) var shown = ShownLoad()
    /// The rendered image.
    ///
    /// It is rendered once for each image and display mode.
    private(set) var cellImage: CellImage?
    /// The width of the tile in a justified row, or nil if all tiles have the same width.
    ///
    /// After a change, the image must be rendered again.
    var tileColumns: Int?
    /// Whether the image is a local file.
    ///
    /// For a local file, the cell does not show the source of the image.
    private(set) var isLocalFile = false
    /// The folder that the cell shows, or nil if the cell shows an image.
    private(set) var folder: FolderCell?
    var problem: String?
    /// The revision of the item's file that is shown or being loaded.
    var revision = 0
    /// The pixels of the visible image.
    ///
    /// The memory cache keeps only weak references to evicted images. The slot holds a reference to
    /// the pixels so the cache can still find the image.
    private var pixels: PixelBuffer?
    /// Whether the pixels are from the thumbnail embedded in the file.
    private var isThumbnail = false
    /// The size of the complete image, which may exceed the size of the loaded pixels.
    ///
    /// It is not used for folders.
    private var imageSize = PixelSize(width: 0, height: 0)
    /// Whether the visible image will be replaced: it is a preview, or is being refreshed.
    private var isProvisional = false
    /// The number of ticks since the load started, up to `ticksUntilSaid`.
    private var patience = 0

    /// The number of ticks of 100 ms before a placeholder is shown.
    ///
    /// Most cached images arrive within 100 to 200 ms, before the placeholder would appear.
    private static let ticksUntilSaid = 2

    var load: LoadState { shown.state }

    /// The image or placeholder to draw.
    var shownImage: CellImage? {
        cellImage ?? (load.isPending && load.failure == nil ? preview.placeholder : nil)
    }

    /// Whether the cell shows that the image is loading.
    var saysThatItWaits: Bool { load.isPending && patience >= Self.ticksUntilSaid }

    /// Whether ticks can still change `saysThatItWaits`.
    var needsTicks: Bool {
        item != nil && load.isPending && patience < Self.ticksUntilSaid
    }

    /// Whether the visible image is being refreshed.
    ///
    /// A refresh has no progress bar.
    var isRefreshed: Bool { load.isPending && isProvisional && shown.known != nil }

    /// Whether the visible image is incomplete.
    ///
    /// Its transfer was interrupted, or its file is damaged.
    var isIncomplete: Bool {
        cellImage != nil && (hasFailed || (!load.isPending && shown.facts.damage != nil))
    }

    /// The pixels if they are from the thumbnail embedded in the file, otherwise nil.
    var thumbnail: PixelBuffer? { isThumbnail ? pixels : nil }

    /// Returns whether `area` needs more pixels than are loaded and the image may have more.
    func lacksPixels(for area: ImageArea) -> Bool {
        let target = area.targetSize
        let hasMode = contentMode == .fill || area.contentMode == .fit
        guard item != nil, !hasFailed, !(hasMode && targetSize.covers(target)) else { return false }
        if preview.isNarrower(than: target) { return true }
        guard !load.isPending, let size = pixels?.size else { return true }
        // If the image is smaller than the target size, it was not reduced, so all of its pixels
        // are loaded.
        return size.width >= targetSize.width || size.height >= targetSize.height
    }

    /// Whether a transfer is running and has received data.
    var isTransferring: Bool {
        if case .loading = load { true } else { false }
    }

    /// Whether the load failed or was cancelled, so the image is missing or incomplete.
    var hasFailed: Bool {
        if case .failed = load { true } else { false }
    }

    /// Whether the image is missing or incomplete because of an error.
    ///
    /// A load that the user cancelled is not an error.
    var isFault: Bool {
        if case .failed(let failure) = load { failure.kind != .cancelled } else { false }
    }

    /// Whether the image of a local file is missing or incomplete, possibly because a program is
    /// still writing the file.
    ///
    /// Cancelled loads and unsupported formats don't count.
    var mayBeUnfinished: Bool { isLocalFile && problem == nil && shown.isDamagedOrMissing }

    /// Whether the user can retry the load.
    ///
    /// The load must have failed or be waiting for its server, and the item must be loadable.
    var canRetry: Bool { (hasFailed || load.isWaitingForServer) && problem == nil }

    /// Binds the slot to an item, and returns whether the item can be loaded.
    ///
    /// `known` contains known properties of the item's file.
    mutating func bind(
        item: Int,
        _ feedItem: FeedItem,
        _ known: FileFacts? = nil,
        isFolder: Bool = false
    ) -> Bool {
        self = CellSlot()
        self.item = item
        if isFolder { folder = FolderCell() }
        shown = ShownLoad(
            of: feedItem,
            facts: known ?? FileFacts(size: feedItem.details?.size)
        )
        preview = CellPreview(of: feedItem)
        caption = feedItem.caption
        url = feedItem.url
        isLocalFile = feedItem.isLocalFile
        problem = feedItem.problem
        revision = feedItem.revision
        return problem == nil
    }

    /// Restarts the load of the current item, and returns whether the item can be loaded.
    ///
    /// The current image and the known properties of its file stay on the screen until the new
    /// image arrives. If `keepingLook` is true, the image also remains if the load is cancelled;
    /// use this for a refresh or for a load with more pixels. If `keepsOnFailure` is true, the
    /// image remains even if the load fails.
    mutating func restart(keepingLook: Bool, keepsOnFailure: Bool = false) -> Bool {
        guard item != nil, problem == nil else { return false }
        shown.restart(keepsOnFailure: keepsOnFailure)
        isProvisional = keepingLook && cellImage != nil
        patience = 0
        return true
    }

    /// Discards the properties of the file, because the file has changed.
    mutating func expectNewContent() { shown.expectNewContent() }

    /// Sets the area for which the image is loaded.
    ///
    /// If `usingVersions` is true, the cell may load the image in another size offered by the feed
    /// instead of the original image.
    mutating func aim(at area: ImageArea, usingVersions: Bool) {
        targetSize = area.targetSize
        contentMode = area.contentMode
        preview.choose(for: usingVersions ? targetSize : nil)
    }

    mutating func unbind() {
        self = CellSlot()
    }

    /// Handles a tick of the frame timer, and renders the placeholder when it is due.
    mutating func tick(in area: ImageArea) {
        guard needsTicks else { return }
        patience += 1
        if saysThatItWaits { renderPlaceholder(in: area) }
    }

    private mutating func renderPlaceholder(in area: ImageArea) {
        guard cellImage == nil, saysThatItWaits else { return }
        preview.render(of: shown.facts.size, in: area.with(columns: tileColumns))
    }

    // MARK: Justified rows

    /// Returns the width in columns that the image would have at the height of the area.
    ///
    /// Returns nil if the size of the image is unknown.
    func naturalColumns(in area: ImageArea) -> Double? {
        let facts = shown.facts.size ?? PixelSize(width: 0, height: 0)
        guard item != nil, folder == nil, !facts.isEmpty else { return nil }
        let height = area.capabilities.pixelSize(of: area.box).height
        let cell = max(1, area.capabilities.cellPixels.width)
        return Double(height) * Double(facts.width) / Double(facts.height) / Double(cell)
    }

    /// Handles an event from the load.
    mutating func apply(_ event: LoadEvent, in area: ImageArea) {
        guard item != nil, problem == nil else { return }
        // The properties of a version, such as its size, differ from the properties of the image
        // itself.
        let change = shown.apply(
            event,
            hasImage: isProvisional,
            takesFacts: preview.version == nil
        )
        switch change {
        case .none: break
        case .preview(let image):
            isProvisional = true
            show(image, in: area)
        case .image(let image): show(image, in: area)
        case .removal(let mayContinue): remove(mayContinue: mayContinue)
        }
    }

    /// Handles an event from the loads for a folder's cover.
    mutating func apply(_ event: CoverEvent, in area: ImageArea) {
        switch event {
        case .listed(let contents): folder?.contents = contents
        case .loaded: break
        case .finished(let cover):
            shown.end(from: .disk)
            pixels = cover
            render(in: area)
        case .unreadable(let reason): end(LoadFailure(unreadableFolder: reason))
        case .failed(let error): end(LoadFailure(error))
        }
    }

    /// Cancels a running load.
    ///
    /// If the image was being refreshed, it remains.
    mutating func cancel() {
        guard item != nil else { return }
        if case .removal = shown.cancel(hasImage: isProvisional) { remove(mayContinue: false) }
    }

    mutating func end(_ failure: LoadFailure) {
        shown.end(failure)
        remove(mayContinue: false)
    }

    /// Removes the image.
    ///
    /// If the rest of the image may arrive later (`mayContinue`), a preview remains. If the load
    /// was a refresh, the image is always removed.
    private mutating func remove(mayContinue: Bool) {
        guard !isProvisional || shown.known != nil || !mayContinue else { return }
        pixels = nil
        cellImage = nil
    }

    private mutating func show(_ image: DecodedImage, in area: ImageArea) {
        let pixels = image.pixels
        imageSize = image.properties.size
        isThumbnail = image.isThumbnail
        // If a refresh confirmed the image, it is already drawn. A preview must be drawn again,
        // because it is drawn differently.
        let isDrawn = cellImage != nil && pixels == self.pixels && shown.known != nil
        self.pixels = pixels
        if !isDrawn { render(in: area) }
    }

    /// Renders the image, or the animation frame `frame`, for an area.
    mutating func render(frame: PixelBuffer? = nil, in area: ImageArea) {
        guard let pixels = frame ?? pixels, !pixels.size.isEmpty else {
            cellImage = nil
            return renderPlaceholder(in: area)
        }
        // The missing part of a preview is transparent, even if the complete image is not.
        let isPreview = (load.isPending && isProvisional && shown.known == nil) || hasFailed
        cellImage = area.with(columns: tileColumns).image(
            pixels,
            // A cover fills its area, regardless of how many pixels it has.
            of: folder == nil ? imageSize : area.capabilities.pixelSize(of: area.box),
            isPreview: isPreview
        )
        if frame != nil { cellImage?.becomeAnimationFrame() }
    }
}
