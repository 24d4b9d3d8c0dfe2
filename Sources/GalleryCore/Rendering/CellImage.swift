package import Decoders

/// An image as terminal cells.
///
/// It has the size of the image in its box, and the caller centers it. It requires nine bytes per
/// cell: 1.4 kB for a thumbnail.
package struct CellImage: Hashable, Sendable {
    /// The number of columns.
    package let columns: Int
    /// The number of rows.
    package let rows: Int
    private let symbols: SymbolSet
    /// The foreground pixels of each cell as a bit pattern, or its ASCII character.
    private let patterns: [UInt8]
    /// Foreground and background of each cell.
    private let colors: [CellColor]
    /// The image in pixels; nil if the terminal does not support pixels, or for an early preview.
    package private(set) var pixelImage: PixelImage?

    /// Marks the image as a frame of an animation.
    mutating func becomeAnimationFrame() { pixelImage?.isAnimationFrame = true }

    /// Fits an image into a box of cells: the whole image in its aspect ratio, enlarged to at most
    /// four times its size.
    ///
    /// The size in cells is the same for all symbol sets and for pixels.
    package init(_ pixels: PixelBuffer, box: ScreenSize, capabilities: ScreenCapabilities) {
        self.init(pixels, of: pixels.size, box: box, capabilities: capabilities)
    }

    /// Creates an image from pixels that may be smaller than the original size `imageSize`.
    ///
    /// A preview is drawn over a plain background, because its missing parts are transparent, and
    /// in cells only, because the next one follows soon.
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

    /// Renders an image that already has the size of the symbols' pixels.
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

    /// The cell at a position inside the image.
    package subscript(row: Int, column: Int) -> FrameCell {
        let index = row * columns + column
        var cell = FrameCell(foreground: colors[index * 2], background: colors[index * 2 + 1])
        cell.scalar = symbols.glyph(patterns[index])
        return cell
    }
}

extension CellImage {
    /// Renders the visible part of an image.
    ///
    /// This takes milliseconds for a large image, so call it off the UI thread.
    package init(
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
        // The image is rotated last, when it is small.
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
        // An image at the size of the screen is shown pixel for pixel: its size may differ by
        // rounding only, and there are cells for all of it.
        let isWhole = viewport.showsWholeImage && shownSize.isNearly(viewport.outputSize)
        let shown = isWhole ? turn.apply(to: pixels) : resampled(viewport.outputSize)
        let layout = capabilities.halfCells(shown.size, in: viewport.box, rounding: .up)
        // This image is shown until the pixels are available.
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
    /// Returns whether the sizes differ by rounding only.
    fileprivate func isNearly(_ other: PixelSize) -> Bool {
        abs(width - other.width) <= 1 && abs(height - other.height) <= 1
    }
}
