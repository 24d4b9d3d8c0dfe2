/// The background behind transparent images and the missing parts of incomplete images.
///
/// The two colors are similar to the theme's background, so they do not distract from the image.
package struct Backdrop: Hashable, Sendable {
    /// The color of the surface on which an image is drawn.
    package let card: RGB
    /// The color of missing parts.
    package let pending: RGB

    /// A single-color backdrop for incomplete images.
    ///
    /// The missing parts of an incomplete image are transparent.
    var pendingOnly: Backdrop { Backdrop(card: pending, pending: pending) }

    /// Returns the background color of a cell.
    ///
    /// The background is a checkerboard of squares that are two cells wide and one cell high.
    package func color(row: Int, column: Int) -> RGB {
        (row + column / 2).isMultiple(of: 2) ? card : pending
    }
}

extension RGB {
    /// Creates a color from a cell's color.
    ///
    /// The terminal's own color is assumed to be black.
    package init(_ color: CellColor) {
        switch color.kind {
        case .terminalDefault: self.init(red: 0, green: 0, blue: 0)
        case .palette(let index):
            self =
                index < 16
                ? TerminalPalette.ansi16.color(of: index)
                : TerminalPalette.xterm256.color(of: index)
        case .rgb(let red, let green, let blue):
            self.init(red: Int(red), green: Int(green), blue: Int(blue))
        }
    }
}
