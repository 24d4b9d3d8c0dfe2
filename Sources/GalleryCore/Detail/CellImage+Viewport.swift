package import Decoders
package import TerminalUI

extension CellImage {
    /// Renders the visible part of an image.
    ///
    /// Rendering a large image takes milliseconds. Don't call this initializer on the UI thread.
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
        // The image is rotated last, after its size has been reduced.
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
        // An image at the size of the screen is shown pixel for pixel: its size differs from the
        // output size only by rounding, and the cells cover all of it.
        let isWhole = viewport.showsWholeImage && shownSize.isNearly(viewport.outputSize)
        let shown = isWhole ? turn.apply(to: pixels) : resampled(viewport.outputSize)
        let layout = capabilities.halfCells(shown.size, in: viewport.box, rounding: .up)
        // The cells are shown until the pixel image is available.
        let scaled = shown.roughlyResampled(to: grid.pixels(filling: layout))
        let backdrop = capabilities.pixelBackdrop(on: ThemeColors(capabilities).ground)
        self.init(scaled: scaled, capabilities: capabilities, backdrop: backdrop)
        pixelImage = PixelImage(
            shown,
            pictureSize: shown.size,
            box: ScreenSize(columns: columns, rows: rows),
            cellPixels: capabilities.cellPixels,
            backdrop: backdrop
        )
    }
}

extension PixelSize {
    /// Returns whether the sizes differ by at most one pixel in each dimension, because of
    /// rounding.
    fileprivate func isNearly(_ other: PixelSize) -> Bool {
        abs(width - other.width) <= 1 && abs(height - other.height) <= 1
    }
}
