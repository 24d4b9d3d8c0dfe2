internal import Decoders
internal import Feeds
internal import ImageLoading
import TerminalUI

/// The state of the image view: the item, its image, and the visible part of the image.
struct DetailState: Equatable, Sendable {
    var item: Int
    var feedItem: FeedItem
    private(set) var shown: ShownLoad
    /// The image at the size of the screen.
    ///
    /// It loads faster than the image at full size.
    private(set) var image: DecodedImage?
    /// The image at full size, for zooming in.
    private var fullImage: DecodedImage?
    private var hasAskedForFullImage = false
    private(set) var viewport: DetailViewport?
    /// The most recently rendered cells, possibly for an earlier viewport.
    private(set) var cellImage: CellImage?
    /// The viewport for which `cellImage` was rendered.
    private var drawnViewport: DetailViewport?
    private var box: DetailBox
    /// The size for which `image` was loaded.
    private var loadedSize: PixelSize
    /// A number that increases with every image, so viewports of different images are never equal.
    private(set) var serial: Int
    /// The last mouse position during a drag.
    private var heldAt: ScreenPlace?

    init(item: Int, feedItem: FeedItem, box: DetailBox, serial: Int) {
        self.item = item
        self.feedItem = feedItem
        self.box = box
        self.serial = serial
        loadedSize = box.imageSize
        shown = ShownLoad(of: feedItem)
    }

    var load: LoadState { shown.state }

    /// Handles an event from the load at the size of the screen, and returns the effects.
    mutating func apply(_ event: LoadEvent) -> [Effect] {
        guard feedItem.problem == nil else { return [] }
        switch shown.apply(event, hasImage: image != nil) {
        case .none: break
        case .preview(let image), .image(let image): return show(image)
        case .removal: remove()
        }
        return []
    }

    // MARK: All pixels

    /// The full size of the image, limited to `largestImage`, or nil if it is not known yet.
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

    /// Handles an event from the load at full size, and returns the effects.
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
        return [.detail(.loadFullSize(item: item))]
    }

    // MARK: Drawing

    /// Shows rendered cells, unless they were rendered for an earlier viewport.
    mutating func show(_ cellImage: CellImage, of viewport: DetailViewport) {
        guard viewport == self.viewport else { return }
        (self.cellImage, drawnViewport) = (cellImage, viewport)
    }

    /// Whether the image is rendered for the current viewport.
    var isDrawn: Bool { drawnViewport == viewport }

    /// Restarts the load, and returns the effect that loads the item.
    ///
    /// Returns an empty array if the item can't be loaded. The current image stays on the screen
    /// until the next image is available. If `refreshing` is true, the image is loaded from its
    /// source instead of the caches. If `keepsOnFailure` is true, the current image also stays if
    /// the load fails.
    mutating func restart(refreshing: Bool = false, keepsOnFailure: Bool = false) -> [Effect] {
        guard feedItem.problem == nil else { return [] }
        shown.restart(keepsOnFailure: keepsOnFailure)
        loadedSize = box.imageSize
        hasAskedForFullImage = false
        return [.detail(.open(item: item, refreshing: refreshing))]
    }

    /// Discards the properties of the file, because the file has changed.
    mutating func expectNewContent() { shown.expectNewContent() }

    /// Whether the image of a local file is missing or incomplete, possibly because a program is
    /// still writing the file.
    ///
    /// Cancelled loads and unsupported formats don't count.
    var mayBeUnfinished: Bool {
        feedItem.isLocalFile && feedItem.problem == nil && shown.isDamagedOrMissing
    }

    mutating func cancel() {
        if case .removal = shown.cancel(hasImage: image != nil) { remove() }
    }

    private mutating func remove() {
        image = nil
        fullImage = nil
        viewport = nil
        cellImage = nil
    }

    /// Applies a change to the viewport, and returns the effects that update the image.
    ///
    /// Returns an empty array if the change has no effect on the viewport.
    mutating func look(_ change: (inout DetailViewport) -> Void) -> [Effect] {
        guard var next = viewport else { return [] }
        change(&next)
        guard next != viewport else { return [] }
        viewport = next
        return draw() + askForFullSize(isLarger: !isImageSufficient)
    }

    /// Records the position of the mouse at the start of a drag.
    mutating func hold(at place: ScreenPlace) { heldAt = place }

    /// Moves the image to follow the mouse, and returns the effects that update the image.
    mutating func drag(to place: ScreenPlace) -> [Effect] {
        let start = heldAt
        heldAt = place
        // The drag may have started before the image was opened.
        guard let start else { return [] }
        return look {
            $0.drag(rows: place.row - start.row, columns: place.column - start.column)
        }
    }

    mutating func resize(to box: DetailBox) -> [Effect] {
        self.box = box
        return look { $0.resize(to: box.cells, cellPixels: box.cellPixels) }
    }

    /// Returns the effect that renders the image again, or an empty array if there is no image.
    func draw() -> [Effect] {
        guard let image, let viewport else { return [] }
        let drawn = isImageSufficient ? image : fullImage ?? image
        return [.detail(.render(drawn.pixels, viewport))]
    }

    /// Returns the effect that renders an animation frame, or an empty array if there is no
    /// viewport.
    func draw(frame: PixelBuffer) -> [Effect] {
        viewport.map { [.detail(.render(frame, $0))] } ?? []
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

struct ScreenPlace: Hashable, Sendable {
    let row: Int
    let column: Int
}

/// The area of the screen in which the image view shows an image.
struct DetailBox: Equatable, Sendable {
    /// The number of available columns and rows.
    let cells: ScreenSize
    let cellPixels: PixelSize
    /// The size of an image that fills the cells.
    let imageSize: PixelSize
}
