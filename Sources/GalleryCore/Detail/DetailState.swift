public import Decoders
internal import ImageLoading

/// The image that is looked at alone.
struct DetailState: Equatable, Sendable {
    var item: Int
    var feedItem: FeedItem
    private(set) var load: LoadState
    /// As large as the screen shows it whole, so that it is there soon.
    private(set) var image: DecodedImage?
    /// The same with all its pixels, for zooming in.
    private var fullImage: DecodedImage?
    private var hasAskedForFullImage = false
    private(set) var viewport: DetailViewport?
    /// What was rendered last; of an earlier viewport until the next one is ready.
    private(set) var cellImage: CellImage?
    /// The viewport that shows.
    private var drawnViewport: DetailViewport?
    /// Whether the server of the image that is shown should have been asked, and was not, or did
    /// not answer.
    private(set) var isStale = false
    private(set) var facts = FileFacts()
    /// How long the load took whose image is shown; nil of one that was in memory.
    private(set) var times: LoadTimes?
    /// Where the image came from that an unfinished refresh shows.
    private var known: ImageSource?
    /// Whether that image stays if the refresh fails.
    private var keepsOnFailure = false
    private var box: DetailBox
    /// The size that `image` was loaded into.
    private var loadedSize: PixelSize
    /// Grows with every image, so that no two viewports of a session are equal by accident.
    private(set) var serial: Int

    init(item: Int, feedItem: FeedItem, box: DetailBox, serial: Int) {
        self.item = item
        self.feedItem = feedItem
        self.box = box
        self.serial = serial
        loadedSize = box.imageSize
        load = feedItem.problem == nil ? .asked : .failed(LoadFailure(of: feedItem))
    }

    /// Takes an event of the load; returns what to do.
    mutating func apply(_ event: LoadEvent) -> [Effect] {
        guard feedItem.problem == nil else { return [] }
        facts.take(event)
        switch event {
        case .queued: load.wait(for: nil)
        case .waiting(let error): load.wait(for: error)
        case .progress(let progress):
            if load.isPending { load = .loading(progress) }
        case .image(let response):
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

    /// The size of the image with all its pixels; nil before anything is known of it.
    var fullSize: PixelSize? {
        image?.properties.size.scaled(into: DetailViewport.largestImage, mode: .fit)
    }

    /// Whether `image` has as many pixels as are shown of it.
    private var isImageSufficient: Bool {
        guard let image, let viewport else { return true }
        return image.pixels.size == fullSize
            || viewport.showsWholeImage
                && (viewport.turn.swapsAxes
                    ? viewport.storedOutputSize.isInside(image.pixels.size)
                    : box.imageSize.isInside(loadedSize))
    }

    /// Takes an event of the load of all pixels; returns what to do.
    mutating func applyFullSize(_ event: LoadEvent) -> [Effect] {
        guard case .finished(let result) = event else { return [] }
        guard case .success(let response) = result else {
            // What is shown stays; zooming in asks again.
            hasAskedForFullImage = false
            return []
        }
        fullImage = response.image
        return isImageSufficient ? [] : draw()
    }

    /// Asks for all pixels, once, unless they are there.
    mutating func askForFullSize(isLarger: Bool) -> [Effect] {
        guard isLarger, !hasAskedForFullImage else { return [] }
        hasAskedForFullImage = true
        fullImage = nil
        return [.loadFullSize(item: item)]
    }

    // MARK: Drawing

    /// Shows rendered cells, unless they are of an earlier viewport.
    mutating func show(_ cellImage: CellImage, of viewport: DetailViewport) {
        guard viewport == self.viewport else { return }
        (self.cellImage, drawnViewport) = (cellImage, viewport)
    }

    /// Whether what is to be seen is rendered.
    var isDrawn: Bool { drawnViewport == viewport }

    /// Starts over; what is shown stays until the next image is there.
    ///
    /// With `keepsOnFailure` it stays for good if there is no next one.
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

    /// Changes the viewport; returns what to draw if it is another one then.
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

    /// Has the image rendered once more, in another look.
    func draw() -> [Effect] {
        guard let image, let viewport else { return [] }
        let shown = isImageSufficient ? image : fullImage ?? image
        return [.renderDetail(shown.pixels, viewport)]
    }

    /// Has a frame rendered in the image's place.
    func draw(frame: PixelBuffer) -> [Effect] {
        viewport.map { [.renderDetail(frame, $0)] } ?? []
    }

    private mutating func show(_ image: DecodedImage) -> [Effect] {
        // What a refresh confirmed is drawn already.
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

/// Where the detail view's image is shown.
struct DetailBox: Equatable, Sendable {
    /// The cells it may fill.
    let cells: ScreenSize
    let cellPixels: PixelSize
    /// The size to load an image at that fills them.
    let imageSize: PixelSize
}

/// The detail view.
extension GalleryState {
    /// The cells of the detail view: all but the status bar, and a margin where there is room.
    var detailRect: FrameRect {
        FrameRect(row: 0, column: 0, rows: max(1, screen.rows - 1), columns: detailColumns)
            .inset(rows: screen.rows >= 12 ? 1 : 0, columns: screen.columns >= 60 ? 2 : 0)
    }

    /// Where an image is shown in the detail view.
    var detailBox: DetailBox {
        let cells = ScreenSize(columns: detailRect.columns, rows: detailRect.rows)
        return DetailBox(
            cells: cells,
            cellPixels: capabilities.cellPixels,
            imageSize: capabilities.imageSize(filling: cells)
        )
    }

    /// Whether an open picture is still to be drawn.
    public var isDrawingDetail: Bool { detail.map { !$0.isDrawn } ?? false }

    /// The size in pixels that the detail view's image is loaded at first.
    public var detailTargetSize: PixelSize { detailBox.imageSize }

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

    /// Both sizes are made of one transfer, if they are asked for together; of a file, the one that
    /// is shown comes sooner if the other waits.
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
