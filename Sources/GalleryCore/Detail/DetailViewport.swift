package import Decoders
package import TerminalUI

/// The visible part of an image in the image view, and its scale.
package struct DetailViewport: Hashable, Sendable {
    /// The maximum size of an image in the image view.
    ///
    /// An image of 4096 × 4096 pixels takes 64 MiB. It has 16 times as many pixels as a 250-column
    /// screen can show.
    package static let largestImage = PixelSize(width: 4096, height: 4096)

    /// A number that identifies the opened image and prevents cells rendered for an earlier image
    /// from being shown.
    package private(set) var serial: Int
    /// The full size of the image after rotation.
    package private(set) var imageSize: PixelSize
    /// The rotation of the image in the view.
    ///
    /// The file is not changed.
    private(set) var turn = Orientation.upright
    /// The number of available columns and rows.
    package private(set) var box: ScreenSize
    /// The size of a cell in pixels.
    package private(set) var cellPixels: PixelSize
    /// The scale relative to the scale at which the image fits the screen.
    ///
    /// The value is less than 1 only if the image must be enlarged to fit the screen.
    package private(set) var zoom = 1.0
    /// The point of the image in the middle of the box, in relative coordinates from 0 to 1.
    private var centerX = 0.5
    private var centerY = 0.5

    init(
        serial: Int,
        imageSize: PixelSize,
        box: ScreenSize,
        cellPixels: PixelSize = ScreenCapabilities.usualCellPixels
    ) {
        self.serial = serial
        self.imageSize = imageSize
        self.box = box
        self.cellPixels = cellPixels
    }

    /// Returns a copy of the viewport for another image of the same size, or nil if the sizes
    /// differ.
    ///
    /// The other image may be a newer version of the file.
    func of(_ storedSize: PixelSize, serial: Int) -> DetailViewport? {
        guard turn.apply(to: storedSize) == imageSize else { return nil }
        var viewport = DetailViewport(
            serial: serial,
            imageSize: imageSize,
            box: box,
            cellPixels: cellPixels
        )
        (viewport.zoom, viewport.centerX, viewport.centerY) = (zoom, centerX, centerY)
        viewport.turn = turn
        return viewport
    }

    /// The number of terminal pixels per image pixel.
    ///
    /// If the image is enlarged to fit the screen, the scale is at most 4.
    package var scale: Double { min(fitScale * zoom, Self.largestScale) }

    /// Whether the whole image is visible.
    package var showsWholeImage: Bool { zoom <= 1 }

    /// Whether the image is scaled to fit the screen.
    var isFitted: Bool { zoom == 1 }

    /// The visible part of the image, in image pixels.
    ///
    /// It is always inside the image and has at least one pixel.
    var crop: PixelRect {
        let width = Self.visible(boxPixels.width, scale, imageSize.width)
        let height = Self.visible(boxPixels.height, scale, imageSize.height)
        let left = Int((centerX * Double(imageSize.width) - Double(width) / 2).rounded())
        let top = Int((centerY * Double(imageSize.height) - Double(height) / 2).rounded())
        return PixelRect(
            x: max(0, min(left, imageSize.width - width)),
            y: max(0, min(top, imageSize.height - height)),
            width: width,
            height: height
        )
    }

    /// Returns the visible part of the image in pixels of a copy that was loaded at `size`.
    func crop(of size: PixelSize) -> PixelRect {
        let crop = crop
        guard size != imageSize, !imageSize.isEmpty else { return crop }
        let horizontal = Double(size.width) / Double(imageSize.width)
        let vertical = Double(size.height) / Double(imageSize.height)
        let left = Int((Double(crop.x) * horizontal).rounded())
        let top = Int((Double(crop.y) * vertical).rounded())
        let right = Int((Double(crop.x + crop.width) * horizontal).rounded())
        let bottom = Int((Double(crop.y + crop.height) * vertical).rounded())
        return PixelRect(
            x: min(left, size.width - 1),
            y: min(top, size.height - 1),
            width: max(1, right - left),
            height: max(1, bottom - top)
        )
    }

    /// The size of the visible part on the screen, in terminal pixels.
    var outputSize: PixelSize {
        let size = crop
        return PixelSize(
            width: max(1, min(boxPixels.width, Int((Double(size.width) * scale).rounded()))),
            height: max(1, min(boxPixels.height, Int((Double(size.height) * scale).rounded())))
        )
    }

    /// The size of the visible part in terminal pixels, before the image is rotated.
    var storedOutputSize: PixelSize { turn.apply(to: outputSize) }

    mutating func resize(to box: ScreenSize, cellPixels: PixelSize) {
        self.box = box
        self.cellPixels = cellPixels
        settle()
    }

    mutating func zoomIn() {
        guard fitScale * zoom < Self.largestScale else { return }
        // Zooming in from a smaller scale stops at the fitted image.
        zoom = zoom < 0.99 ? min(1, zoom * Self.zoomStep) : zoom * Self.zoomStep
        settle()
    }

    mutating func zoomOut() {
        guard zoom > 1 else { return }
        zoom = zoom / Self.zoomStep < 1.01 ? 1 : zoom / Self.zoomStep
        settle()
    }

    mutating func fit() {
        zoom = 1
        settle()
    }

    /// Sets the scale to one terminal pixel per image pixel.
    mutating func showActualSize() {
        zoom = 1 / fitScale
        settle()
    }

    /// Rotates the view around its center.
    ///
    /// A scale chosen by the user is kept.
    mutating func turn(_ next: Orientation) {
        let chosenScale = isFitted ? nil : scale
        turn = turn.followed(by: next)
        imageSize = next.apply(to: imageSize)
        (centerX, centerY) = next.shown(x: centerX, y: centerY)
        zoom = chosenScale.map { $0 / fitScale } ?? 1
        settle()
    }

    /// Moves the image by a number of cells to follow a mouse drag.
    mutating func drag(rows: Int, columns: Int) {
        let (width, height) = (max(1, imageSize.width), max(1, imageSize.height))
        centerX -= Double(columns * cellPixels.width) / scale / Double(width)
        centerY -= Double(rows * cellPixels.height) / scale / Double(height)
        settle()
    }

    /// Shows the part of the image at a relative position.
    ///
    /// The coordinates range from 0 to 1.
    mutating func look(atX x: Double, y: Double) {
        let size = crop
        let shownX = Double(size.width) / Double(max(1, imageSize.width))
        let shownY = Double(size.height) / Double(max(1, imageSize.height))
        centerX = shownX / 2 + x * (1 - shownX)
        centerY = shownY / 2 + y * (1 - shownY)
        settle()
    }

    /// Moves the visible part by a quarter of its own size.
    ///
    /// `halfUp` and `halfDown` move it by half of its height. Page movements, `first` and `last`
    /// are ignored.
    mutating func pan(_ movement: Movement) {
        let size = crop
        let stepX = Double(size.width) / Double(max(1, imageSize.width)) / 4
        let stepY = Double(size.height) / Double(max(1, imageSize.height)) / 4
        switch movement {
        case .left: centerX -= stepX
        case .right: centerX += stepX
        case .up: centerY -= stepY
        case .down: centerY += stepY
        case .halfUp: centerY -= 2 * stepY
        case .halfDown: centerY += 2 * stepY
        case .pageUp, .pageDown, .first, .last: return
        }
        settle()
    }

    private static let zoomStep = 1.5
    private static let largestScale = 64.0
    private static let largestWholeScale = 4.0

    private var boxPixels: PixelSize {
        PixelSize(width: box.columns * cellPixels.width, height: box.rows * cellPixels.height)
    }

    private var fitScale: Double {
        let horizontal = Double(boxPixels.width) / Double(max(1, imageSize.width))
        let vertical = Double(boxPixels.height) / Double(max(1, imageSize.height))
        return min(Self.largestWholeScale, horizontal, vertical)
    }

    private static func visible(_ box: Int, _ scale: Double, _ image: Int) -> Int {
        max(1, min(image, Int((Double(box) / scale).rounded())))
    }

    /// Limits the center to keep the visible part within the image.
    private mutating func settle() {
        let size = crop
        let halfX = Double(size.width) / Double(max(1, imageSize.width)) / 2
        let halfY = Double(size.height) / Double(max(1, imageSize.height)) / 2
        centerX = max(halfX, min(1 - halfX, centerX))
        centerY = max(halfY, min(1 - halfY, centerY))
    }
}
