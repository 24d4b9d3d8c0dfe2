package import Decoders
internal import Feeds
internal import ImageLoading
import TerminalUI

/// The image that is shown in the image view.
struct DetailState: Equatable, Sendable {
    var item: Int
    var feedItem: FeedItem
    private(set) var load: LoadState
    /// The image at the size of the screen, which loads faster than the image at full size.
    private(set) var image: DecodedImage?
    /// The image at full size, for zooming in.
    private var fullImage: DecodedImage?
    private var hasAskedForFullImage = false
    private(set) var viewport: DetailViewport?
    /// The most recently rendered cells, which may belong to an earlier viewport.
    private(set) var cellImage: CellImage?
    /// The viewport of `cellImage`.
    private var drawnViewport: DetailViewport?
    /// Whether the server did not confirm the image although revalidation was required.
    private(set) var isStale = false
    private(set) var facts = FileFacts()
    /// The duration of the load, or nil if the image was in memory.
    private(set) var times: LoadTimes?
    /// The source of the image that stays on the screen during a refresh.
    private var known: ImageSource?
    /// Whether the previous image remains if the refresh fails.
    private var keepsOnFailure = false
    private var box: DetailBox
    /// The size for which `image` was loaded.
    private var loadedSize: PixelSize
    /// A number that increases with every image, so that viewports of different images are never
    /// equal.
    private(set) var serial: Int

    init(item: Int, feedItem: FeedItem, box: DetailBox, serial: Int) {
        self.item = item
        self.feedItem = feedItem
        self.box = box
        self.serial = serial
        loadedSize = box.imageSize
        load = feedItem.problem == nil ? .asked : .failed(LoadFailure(of: feedItem))
    }

    /// Handles an event of the load, and returns the effects.
    mutating func apply(_ event: LoadEvent) -> [Effect] {
        guard feedItem.problem == nil else { return [] }
        facts.take(event)
        switch event {
        case .queued: load.wait(for: nil)
        case .waiting(let error): load.wait(for: error)
        case .progress(let progress):
            if load.isPending { load = .loading(progress) }
        case .preview(let response):
            guard load.isPending else { return [] }
            return show(response.image)
        case .finished(.success(let response)):
            load = .loaded(response.source)
            isStale = response.isStale
            times = response.times
            return show(response.image)
        case .finished(.failure(let error)) where error.kind == .cancelled: cancel()
        case .finished(.failure(let error)): fail(LoadFailure(error))
        }
        return []
    }

    // MARK: All pixels

    /// The full size of the image, limited to `largestImage`; nil until it is known.
    var fullSize: PixelSize? {
        image?.properties.size.scaled(into: DetailViewport.largestImage, mode: .fit)
    }

    /// Whether `image` has enough pixels for the current viewport.
    private var isImageSufficient: Bool {
        guard let image, let viewport else { return true }
        return image.pixels.size == fullSize
            || viewport.showsWholeImage
                && (viewport.turn.swapsAxes
                    ? viewport.storedOutputSize.isInside(image.pixels.size)
                    : box.imageSize.isInside(loadedSize))
    }

    /// Handles an event of the load at full size, and returns the effects.
    mutating func applyFullSize(_ event: LoadEvent) -> [Effect] {
        guard case .finished(let result) = event else { return [] }
        guard case .success(let response) = result else {
            // The current image stays on the screen; zooming in requests the full size again.
            hasAskedForFullImage = false
            return []
        }
        fullImage = response.image
        return isImageSufficient ? [] : draw()
    }

    /// Requests the image at full size if `isLarger` is true and it has not been requested yet.
    mutating func askForFullSize(isLarger: Bool) -> [Effect] {
        guard isLarger, !hasAskedForFullImage else { return [] }
        hasAskedForFullImage = true
        fullImage = nil
        return [.loadFullSize(item: item)]
    }

    // MARK: Drawing

    /// Shows rendered cells, unless they belong to an earlier viewport.
    mutating func show(_ cellImage: CellImage, of viewport: DetailViewport) {
        guard viewport == self.viewport else { return }
        (self.cellImage, drawnViewport) = (cellImage, viewport)
    }

    /// Whether the image is rendered for the current viewport.
    var isDrawn: Bool { drawnViewport == viewport }

    /// Restarts the load.
    ///
    /// The current image stays on the screen until the next one is available.
    ///
    /// With `keepsOnFailure`, the current image also stays if the load fails.
    mutating func restart(keepsOnFailure: Bool = false) -> Bool {
        guard feedItem.problem == nil else { return false }
        self.keepsOnFailure = keepsOnFailure
        if case .loaded(let source) = load { known = source }
        load = .asked
        loadedSize = box.imageSize
        hasAskedForFullImage = false
        return true
    }

    mutating func cancel() {
        guard load.isPending else { return }
        guard let known, image != nil else { return fail(.cancelled) }
        load = .loaded(known)
    }

    private mutating func fail(_ failure: LoadFailure) {
        if let known, image != nil, keepsOnFailure {
            load = .loaded(known)
            isStale = true
            return
        }
        load = .failed(failure)
        (image, fullImage, viewport, cellImage) = (nil, nil, nil, nil)
    }

    /// Applies a change to the viewport, and returns the effects that update the image; none if the
    /// change has no effect on the viewport.
    mutating func look(_ change: (inout DetailViewport) -> Void) -> [Effect] {
        guard var next = viewport else { return [] }
        change(&next)
        guard next != viewport else { return [] }
        viewport = next
        return draw() + askForFullSize(isLarger: !isImageSufficient)
    }

    mutating func resize(to box: DetailBox) -> [Effect] {
        self.box = box
        return look { $0.resize(to: box.cells, cellPixels: box.cellPixels) }
    }

    /// Renders the image again.
    func draw() -> [Effect] {
        guard let image, let viewport else { return [] }
        let shown = isImageSufficient ? image : fullImage ?? image
        return [.renderDetail(shown.pixels, viewport)]
    }

    /// Renders a frame of an animation.
    func draw(frame: PixelBuffer) -> [Effect] {
        viewport.map { [.renderDetail(frame, $0)] } ?? []
    }

    private mutating func show(_ image: DecodedImage) -> [Effect] {
        // An image that a refresh confirmed is already drawn.
        let isDrawn = image == self.image
        self.image = image
        guard let size = fullSize, !isDrawn else { return [] }
        let asked = askForFullSize(isLarger: image.pixels.size != size)
        serial += 1
        viewport =
            viewport?.of(size, serial: serial)
            ?? DetailViewport(
                serial: serial,
                imageSize: size,
                box: box.cells,
                cellPixels: box.cellPixels
            )
        return draw() + asked
    }
}

/// The area of the image in the image view, and the size in pixels that fills it.
struct DetailBox: Equatable, Sendable {
    /// The available cells.
    let cells: ScreenSize
    let cellPixels: PixelSize
    /// The size of an image that fills the cells.
    let imageSize: PixelSize
}

/// Opening and closing the image view.
extension GalleryState {
    /// The cells of the image view: the whole screen except the status bar, with a margin if there
    /// is space.
    var detailRect: FrameRect {
        FrameRect(row: 0, column: 0, rows: max(1, screen.rows - 1), columns: detailColumns)
            .inset(rows: screen.rows >= 12 ? 1 : 0, columns: screen.columns >= 60 ? 2 : 0)
    }

    /// The area of the image in the image view.
    var detailBox: DetailBox {
        let cells = ScreenSize(columns: detailRect.columns, rows: detailRect.rows)
        return DetailBox(
            cells: cells,
            cellPixels: capabilities.cellPixels,
            imageSize: capabilities.imageSize(filling: cells)
        )
    }

    /// Whether an image is open but not rendered yet.
    package var isDrawingDetail: Bool { detail.map { !$0.isDrawn } ?? false }

    /// The size in pixels at which the image view first loads an image.
    package var detailTargetSize: PixelSize { detailBox.imageSize }

    mutating func openDetail() -> [Effect] {
        guard case .success(let feed)? = feed, let item = selectedItem else { return [] }
        let hadLoad = detail != nil
        rememberSerial()
        heldAt = nil
        let feedItem = feed[item]
        detail = DetailState(
            item: item,
            feedItem: feedItem,
            box: detailBox,
            serial: lastDetailSerial
        )
        guard feedItem.problem == nil else { return hadLoad ? [.closeDetail] : [] }
        return [.openDetail(item: item, refreshing: false)] + askForFullSizeAtOnce(of: feedItem)
    }

    /// For an image on a server, requests the full size immediately, because two simultaneous
    /// requests share one transfer.
    ///
    /// For a local file, the full size is requested later, so that the image at screen size is
    /// available sooner.
    private mutating func askForFullSizeAtOnce(of feedItem: FeedItem) -> [Effect] {
        guard !feedItem.isLocal, let detail,
            let size = pool.slot(ofItem: detail.item)?.facts.size
        else { return [] }
        let isLarger = !size.isInside(detailBox.imageSize)
        return self.detail?.askForFullSize(isLarger: isLarger) ?? []
    }

    mutating func closeDetail() -> [Effect] {
        rememberSerial()
        detail = nil
        return [.closeDetail]
    }

    private mutating func rememberSerial() {
        lastDetailSerial = max(lastDetailSerial, detail?.serial ?? 0)
    }
}
