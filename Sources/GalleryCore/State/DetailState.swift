internal import Decoders
internal import ImageLoading

/// The picture that is looked at alone.
struct DetailState: Equatable, Sendable {
    let item: Int
    let feedItem: FeedItem
    private(set) var load: LoadState
    private(set) var image: DecodedImage?
    private(set) var viewport: DetailViewport?
    /// The latest art; of an earlier viewport until the next one is made.
    private(set) var art: CellArt?
    /// Whether the art is of what has come so far.
    private(set) var isPreview = false
    private var box: ScreenSize
    /// Grows with every picture, so that no two viewports of a session are equal by accident.
    private(set) var serial: Int

    init(item: Int, feedItem: FeedItem, box: ScreenSize, serial: Int) {
        self.item = item
        self.feedItem = feedItem
        self.box = box
        self.serial = serial
        load = feedItem.problem.map { .failed($0) } ?? .asked
    }

    /// Takes news of the load; returns what to do.
    mutating func apply(_ update: DetailUpdate) -> [Effect] {
        guard feedItem.problem == nil else { return [] }
        switch update {
        case .progress(let progress):
            if load.isPending { load = .loading(progress) }
        case .preview(let image):
            guard load.isPending else { return [] }
            isPreview = true
            return show(image)
        case .image(let image, let source):
            load = .loaded(source)
            isPreview = false
            return show(image)
        case .failed(let error):
            load = .failed(error.description)
        case .art(let art, let viewport):
            if viewport == self.viewport { self.art = art }
        }
        return []
    }

    /// Starts over; what is shown stays until the next picture is there.
    mutating func restart() -> Bool {
        guard feedItem.problem == nil else { return false }
        load = .asked
        isPreview = false
        return true
    }

    mutating func cancel() {
        if load.isPending { load = .failed("cancelled") }
    }

    /// Changes the viewport; returns what to draw if it is another one then.
    mutating func look(_ change: (inout DetailViewport) -> Void) -> [Effect] {
        guard var next = viewport else { return [] }
        change(&next)
        guard next != viewport else { return [] }
        viewport = next
        return draw()
    }

    mutating func resize(to box: ScreenSize) -> [Effect] {
        self.box = box
        return look { $0.resize(to: box) }
    }

    /// The art once more, in another look.
    func draw() -> [Effect] {
        guard let image, let viewport else { return [] }
        return [.renderDetail(image.pixels, viewport)]
    }

    /// A picture in place of its preview is looked at where the preview was.
    private mutating func show(_ image: DecodedImage) -> [Effect] {
        let isSameSize = self.image?.pixels.size == image.pixels.size
        self.image = image
        serial += 1
        if isSameSize, let viewport {
            self.viewport = viewport.moved(to: serial)
        } else {
            viewport = DetailViewport(serial: serial, imageSize: image.pixels.size, box: box)
        }
        return draw()
    }
}
