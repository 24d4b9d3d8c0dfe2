public import Decoders

/// Which part of an image the detail view shows, and how large.
public struct DetailViewport: Hashable, Sendable {
    /// The largest image the detail view holds: 4096 on the longer side is 64 MiB at most, and
    /// sixteen times what a screen of 250 columns shows.
    public static let largestImage = PixelSize(width: 4096, height: 4096)

    /// Tells one opening of an image from another, so that cells of the one before are not shown.
    public private(set) var serial: Int
    /// The size of the image with all its pixels, as it is turned.
    public private(set) var imageSize: PixelSize
    /// How the image is turned to be looked at; its file stays as it is.
    private(set) var turn = Orientation.upright
    /// The cells it may fill.
    public private(set) var box: ScreenSize
    /// The pixels of a cell.
    public private(set) var cellPixels: PixelSize
    /// How much larger than "whole image" it is shown; below 1 only for an image that would be
    /// enlarged to be shown whole.
    public private(set) var zoom = 1.0
    /// The image's point in the middle of the box, 0 to 1 each way.
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

    /// The same look at another image of the same size, such as a newer one; nil for other sizes.
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

    /// The terminal's pixels per image pixel.
    ///
    /// The whole image is enlarged to four times its size at most.
    public var scale: Double { min(fitScale * zoom, Self.largestScale) }

    /// Whether the whole image is shown.
    public var showsWholeImage: Bool { zoom <= 1 }

    /// Whether the image is as large as the box lets it be whole.
    var isFitted: Bool { zoom == 1 }

    /// The part of the image to draw, in its pixels: always inside it, at least 1×1.
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

    /// The same part of an image that was loaded at `size`, with fewer pixels or all of them.
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

    /// The size to draw it at, in the terminal's pixels.
    var outputSize: PixelSize {
        let size = crop
        return PixelSize(
            width: max(1, min(boxPixels.width, Int((Double(size.width) * scale).rounded()))),
            height: max(1, min(boxPixels.height, Int((Double(size.height) * scale).rounded())))
        )
    }

    /// The same before it is turned.
    var storedOutputSize: PixelSize { turn.apply(to: outputSize) }

    mutating func resize(to box: ScreenSize, cellPixels: PixelSize) {
        self.box = box
        self.cellPixels = cellPixels
        settle()
    }

    mutating func zoomIn() {
        guard fitScale * zoom < Self.largestScale else { return }
        // On the way up from less, the whole image is a stop.
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

    /// Shows each of the image's pixels as one of the terminal's.
    mutating func showActualSize() {
        zoom = 1 / fitScale
        settle()
    }

    /// Turns what is seen; what is in the middle stays there, and so does the scale if it was chosen.
    mutating func turn(_ next: Orientation) {
        let chosenScale = isFitted ? nil : scale
        turn = turn.followed(by: next)
        imageSize = next.apply(to: imageSize)
        (centerX, centerY) = next.shown(x: centerX, y: centerY)
        zoom = chosenScale.map { $0 / fitScale } ?? 1
        settle()
    }

    /// Moves the image by so many cells, as if it were held.
    mutating func drag(rows: Int, columns: Int) {
        let (width, height) = (max(1, imageSize.width), max(1, imageSize.height))
        centerX -= Double(columns * cellPixels.width) / scale / Double(width)
        centerY -= Double(rows * cellPixels.height) / scale / Double(height)
        settle()
    }

    /// Shows the part that lies in the image where a point lies in the box, 0 to 1 each way.
    mutating func look(atX x: Double, y: Double) {
        let size = crop
        let shownX = Double(size.width) / Double(max(1, imageSize.width))
        let shownY = Double(size.height) / Double(max(1, imageSize.height))
        centerX = shownX / 2 + x * (1 - shownX)
        centerY = shownY / 2 + y * (1 - shownY)
        settle()
    }

    /// Moves by a quarter of what is visible, or by half of it.
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

    /// Keeps the centre where half of what is visible lies on each side of it.
    private mutating func settle() {
        let size = crop
        let halfX = Double(size.width) / Double(max(1, imageSize.width)) / 2
        let halfY = Double(size.height) / Double(max(1, imageSize.height)) / 2
        centerX = max(halfX, min(1 - halfX, centerX))
        centerY = max(halfY, min(1 - halfY, centerY))
    }
}
