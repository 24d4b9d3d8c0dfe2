package import Decoders

/// An image drawn with characters.
///
/// The image may be smaller than its box, in which case the caller centers it. Each cell takes nine
/// bytes, so a thumbnail takes 1.4 kB.
package struct CellImage: Hashable, Sendable {
    package private(set) var columns: Int
    package private(set) var rows: Int
    private let symbols: SymbolSet
    /// For each cell, a bit pattern of its foreground pixels, or its ASCII character.
    private let patterns: [UInt8]
    /// The colors of the cells, in pairs: the foreground and the background color of each cell.
    private let colors: [CellColor]
    /// The number of columns in `patterns` and `colors`; further cells are empty.
    private let coveredColumns: Int
    /// The image as pixels.
    ///
    /// The value is nil if the terminal does not support pixels or the image is an early preview.
    package var pixelImage: PixelImage?

    /// Marks the image as a frame of an animation.
    package mutating func becomeAnimationFrame() { pixelImage?.isAnimationFrame = true }

    /// Creates an image that is fitted into a box of cells.
    ///
    /// The whole image is shown. It keeps its aspect ratio and is enlarged to at most four times
    /// its size. The size in cells is the same for pixels and for all symbol sets.
    package init(_ pixels: PixelBuffer, box: ScreenSize, capabilities: ScreenCapabilities) {
        self.init(pixels, of: pixels.size, box: box, capabilities: capabilities)
    }

    /// Creates an image from pixels that may be smaller than the original image with the size
    /// `imageSize`.
    ///
    /// In the `fill` content mode, the image fills the box, and only its middle is shown. It is
    /// still enlarged to at most four times its size, so a small image may not fill the box.
    ///
    /// If `centersPixels` is true, the pixels are centered in the box to the pixel, and not only to
    /// the cell. This requires kitty's placeholders: Konsole scales other images by a pixel, and
    /// palettes change the color of the empty part of the box.
    ///
    /// A preview is drawn over a plain background, because its missing parts are transparent. It is
    /// drawn only with characters, because the next preview follows soon.
    package init(
        _ pixels: PixelBuffer,
        of imageSize: PixelSize,
        box: ScreenSize,
        capabilities: ScreenCapabilities,
        contentMode: ImageContentMode = .fit,
        centersPixels: Bool = false,
        isPreview: Bool = false
    ) {
        let shown = capabilities.pixels(for: imageSize, in: box, mode: contentMode)
        let part = contentMode == .fit ? pixels.whole : pixels.size.crop(filling: shown)
        let layout = capabilities.halfCells(shown, in: box)
        let size = capabilities.symbols.grid.pixels(
            filling: layout,
            of: PixelSize(width: part.width, height: part.height)
        )
        self.init(
            scaled: pixels.size.isEmpty ? pixels : pixels.resampled(to: size, from: part),
            capabilities: capabilities,
            backdrop: isPreview ? capabilities.backdrop.pendingOnly : nil
        )
        guard capabilities.graphics != nil, !isPreview, !pixels.size.isEmpty else { return }
        let isCentered = centersPixels && capabilities.graphics == .kittyPlaceholders
        if isCentered { extend(for: box) }
        pixelImage = PixelImage(
            pixels,
            part: part,
            pictureSize: shown,
            box: ScreenSize(columns: columns, rows: rows),
            cellPixels: capabilities.cellPixels,
            backdrop: capabilities.pixelBackdrop(on: ThemeColors(capabilities).card),
            isCentered: isCentered
        )
    }

    /// Adds an empty column and an empty row where they are needed to center the cells in a box.
    private mutating func extend(for box: ScreenSize) {
        if columns < box.columns { columns += (box.columns - columns) % 2 }
        if rows < box.rows { rows += (box.rows - rows) % 2 }
    }

    /// Creates an image from pixels that are already scaled: each of them becomes one pixel of a
    /// symbol.
    package init(
        scaled pixels: PixelBuffer,
        capabilities: ScreenCapabilities,
        backdrop: Backdrop? = nil
    ) {
        symbols = capabilities.symbols
        let grid = symbols.grid
        columns = pixels.size.width / grid.columns
        coveredColumns = columns
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
        let index = row * coveredColumns + column
        guard column < coveredColumns, index < patterns.count else { return FrameCell() }
        var cell = FrameCell(foreground: colors[index * 2], background: colors[index * 2 + 1])
        cell.scalar = symbols.glyph(patterns[index])
        return cell
    }
}
