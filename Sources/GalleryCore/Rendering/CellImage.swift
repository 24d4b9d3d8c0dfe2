public import Decoders

/// An image as terminal cells.
///
/// It is as large as the image needs inside the box it was made for; whoever draws it centres it.
/// Nine bytes a cell: 1.4 kB for a thumbnail.
public struct CellImage: Hashable, Sendable {
    /// Cells from left to right.
    public let columns: Int
    /// Cells from top to bottom.
    public let rows: Int
    private let symbols: SymbolSet
    /// Which pixels of each cell are in the foreground, or its ASCII character.
    private let patterns: [UInt8]
    /// Foreground and background of each cell.
    private let colors: [CellColor]
    /// The image in pixels; nil where the terminal shows none, or they are not worth it yet.
    public private(set) var pixelImage: PixelImage?

    /// Marks it as a frame of an animation.
    mutating func becomeAnimationFrame() { pixelImage?.isAnimationFrame = true }

    /// Lays an image into a box of cells: whole, in its own aspect ratio, enlarged to four times
    /// its size at most.
    ///
    /// In every set of symbols, and in pixels, the image takes the same cells.
    public init(_ pixels: PixelBuffer, box: ScreenSize, capabilities: ScreenCapabilities) {
        self.init(pixels, of: pixels.size, box: box, capabilities: capabilities)
    }

    /// As the public one, for what was loaded of an image that is `imageSize` large itself.
    ///
    /// A preview is drawn over a plain backdrop, since what has not come of it is transparent, and
    /// in cells alone, since the next one comes soon.
    init(
        _ pixels: PixelBuffer,
        of imageSize: PixelSize,
        box: ScreenSize,
        capabilities: ScreenCapabilities,
        isPreview: Bool = false
    ) {
        let shown = capabilities.pixels(for: imageSize, in: box)
        let layout = capabilities.halfCells(shown, in: box)
        let size = capabilities.symbols.grid.pixels(filling: layout, of: pixels.size)
        self.init(
            scaled: pixels.size.isEmpty ? pixels : pixels.resampled(to: size),
            capabilities: capabilities,
            backdrop: isPreview ? capabilities.backdrop.pendingOnly : nil
        )
        guard capabilities.graphics != nil, !isPreview, !pixels.size.isEmpty else { return }
        pixelImage = PixelImage(
            pixels,
            pictureSize: shown,
            box: ScreenSize(columns: columns, rows: rows),
            cellPixels: capabilities.cellPixels,
            backdrop: capabilities.pixelBackdrop(on: ThemeColors(capabilities).card)
        )
    }

    /// Renders an image that has its size in the symbols' pixels already.
    init(
        scaled pixels: PixelBuffer,
        capabilities: ScreenCapabilities,
        backdrop: Backdrop? = nil
    ) {
        symbols = capabilities.symbols
        let grid = symbols.grid
        columns = pixels.size.width / grid.columns
        rows = (pixels.size.height + grid.rows - 1) / grid.rows
        let renderer = CellRenderer(pixels, capabilities: capabilities, backdrop: backdrop)
        var patterns: [UInt8] = []
        var colors: [CellColor] = []
        patterns.reserveCapacity(columns * rows)
        colors.reserveCapacity(columns * rows * 2)
        for row in 0..<rows {
            for column in 0..<columns {
                let cell = renderer.cell(row: row, column: column)
                patterns.append(cell.pattern)
                colors.append(cell.foreground)
                colors.append(cell.background)
            }
        }
        self.patterns = patterns
        self.colors = colors
    }

    /// The cell at a place inside the image.
    public subscript(row: Int, column: Int) -> FrameCell {
        let index = row * columns + column
        var cell = FrameCell(foreground: colors[index * 2], background: colors[index * 2 + 1])
        cell.scalar = symbols.glyph(patterns[index])
        return cell
    }
}

extension CellImage {
    /// Renders the part of an image that a viewport shows.
    ///
    /// Takes milliseconds with a large image: call it off the UI thread.
    public init(
        _ pixels: PixelBuffer,
        viewport: DetailViewport,
        capabilities: ScreenCapabilities
    ) {
        guard !pixels.size.isEmpty else {
            self.init(pixels, box: viewport.box, capabilities: capabilities)
            return
        }
        let turn = viewport.turn
        let shownSize = turn.apply(to: pixels.size)
        // Turned last, when it is small.
        let crop = turn.stored(viewport.crop(of: shownSize), in: pixels.size)
        let resampled = { (size: PixelSize) in
            turn.apply(to: pixels.resampled(to: turn.apply(to: size), from: crop))
        }
        let grid = capabilities.symbols.grid
        guard capabilities.graphics != nil else {
            let layout = capabilities.halfCells(viewport.outputSize, in: viewport.box)
            let scaled = resampled(grid.pixels(filling: layout))
            self.init(scaled: scaled, capabilities: capabilities)
            return
        }
        // An image that was loaded at the size of the screen is shown pixel for pixel: its sides are those
        // but for rounding, and there are cells for all of it.
        let isWhole = viewport.showsWholeImage && shownSize.isNearly(viewport.outputSize)
        let shown = isWhole ? turn.apply(to: pixels) : resampled(viewport.outputSize)
        let layout = capabilities.halfCells(shown.size, in: viewport.box, rounding: .up)
        // Until the pixels are there.
        let scaled = shown.roughlyResampled(to: grid.pixels(filling: layout))
        self.init(scaled: scaled, capabilities: capabilities)
        pixelImage = PixelImage(
            shown,
            pictureSize: shown.size,
            box: ScreenSize(columns: columns, rows: rows),
            cellPixels: capabilities.cellPixels,
            backdrop: capabilities.pixelBackdrop(on: ThemeColors(capabilities).ground)
        )
    }
}

extension PixelSize {
    /// Whether the sides are the same but for rounding.
    fileprivate func isNearly(_ other: PixelSize) -> Bool {
        abs(width - other.width) <= 1 && abs(height - other.height) <= 1
    }
}
