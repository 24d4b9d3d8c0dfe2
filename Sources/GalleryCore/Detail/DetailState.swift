internal import Decoders
internal import ImageLoading

/// The image that is looked at alone.
struct DetailState: Equatable, Sendable {
    let item: Int
    var feedItem: FeedItem
    private(set) var load: LoadState
    private(set) var image: DecodedImage?
    private(set) var viewport: DetailViewport?
    /// What was rendered last; of an earlier viewport until the next one is ready.
    private(set) var cellImage: CellImage?
    /// Whether the server of the image that is shown should have been asked, and was not, or did
    /// not answer.
    private(set) var isStale = false
    private(set) var facts = FileFacts()
    /// Where the image came from that an unfinished refresh shows.
    private var known: ImageSource?
    /// Whether that image stays if the refresh fails.
    private var keepsOnFailure = false
    private var box: ScreenSize
    private var cellPixels: PixelSize
    /// Grows with every image, so that no two viewports of a session are equal by accident.
    private(set) var serial: Int

    init(
        item: Int,
        feedItem: FeedItem,
        box: ScreenSize,
        cellPixels: PixelSize,
        serial: Int
    ) {
        self.item = item
        self.feedItem = feedItem
        self.box = box
        self.cellPixels = cellPixels
        self.serial = serial
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
            return show(response.image)
        case .finished(.failure(let error)) where error.kind == .cancelled: cancel()
        case .finished(.failure(let error)): fail(LoadFailure(error))
        }
        return []
    }

    /// Shows rendered cells, unless they are of an earlier viewport.
    mutating func show(_ cellImage: CellImage, of viewport: DetailViewport) {
        if viewport == self.viewport { self.cellImage = cellImage }
    }

    /// Starts over; what is shown stays until the next image is there.
    ///
    /// With `keepsOnFailure` it stays for good if there is no next one.
    mutating func restart(keepsOnFailure: Bool = false) -> Bool {
        guard feedItem.problem == nil else { return false }
        self.keepsOnFailure = keepsOnFailure
        if case .loaded(let source) = load { known = source }
        load = .asked
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
        (image, viewport, cellImage) = (nil, nil, nil)
    }

    /// Changes the viewport; returns what to draw if it is another one then.
    mutating func look(_ change: (inout DetailViewport) -> Void) -> [Effect] {
        guard var next = viewport else { return [] }
        change(&next)
        guard next != viewport else { return [] }
        viewport = next
        return draw()
    }

    mutating func resize(to box: ScreenSize, cellPixels: PixelSize) -> [Effect] {
        self.box = box
        self.cellPixels = cellPixels
        return look { $0.resize(to: box, cellPixels: cellPixels) }
    }

    /// Has the image rendered once more, in another look.
    func draw() -> [Effect] {
        guard let image, let viewport else { return [] }
        return [.renderDetail(image.pixels, viewport)]
    }

    /// Has a frame rendered in the image's place.
    func draw(frame: PixelBuffer) -> [Effect] {
        viewport.map { [.renderDetail(frame, $0)] } ?? []
    }

    private mutating func show(_ image: DecodedImage) -> [Effect] {
        // What a refresh confirmed is drawn already.
        let isDrawn = image == self.image
        self.image = image
        if isDrawn { return [] }
        serial += 1
        let size = image.pixels.size
        viewport =
            viewport?.of(size, serial: serial)
            ?? DetailViewport(serial: serial, imageSize: size, box: box, cellPixels: cellPixels)
        return draw()
    }
}

/// The detail view.
extension GalleryState {
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
            cellPixels: capabilities.cellPixels,
            serial: lastDetailSerial
        )
        guard feedItem.problem == nil else { return hadLoad ? [.closeDetail] : [] }
        return [.openDetail(item: item, refreshing: false)]
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
