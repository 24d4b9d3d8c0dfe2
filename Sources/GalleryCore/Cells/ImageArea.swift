import Decoders
import TerminalUI

/// The area of an image in its tile, and the drawing options for images in the area.
struct ImageArea: Equatable, Sendable {
    /// The size of the area in cells.
    var box: ScreenSize
    var capabilities: ScreenCapabilities
    /// How images fill the area.
    ///
    /// In a justified row, the area of an image may be narrower or wider than `box`.
    var style = TileStyle.whole
    /// Whether pixels are centered in the area to the pixel, and not only to the cell.
    var centersPixels = false

    /// Whether the whole image is shown (`fit`) or the image is cropped to fill the area (`fill`).
    var contentMode: ImageContentMode { style.contentMode }

    /// The size at which images are loaded for the area.
    ///
    /// In a justified row, it is the size of the widest tile, so that an image does not need to be
    /// loaded again when the widths change.
    var targetSize: PixelSize {
        var box = box
        if style == .justified { box.columns *= JustifiedRow.mostTiles }
        return capabilities.imageSize(filling: box)
    }

    /// Returns the area with another width in columns, or the same area if the width is nil.
    func with(columns: Int?) -> ImageArea {
        var area = self
        if let columns { area.box.columns = columns }
        return area
    }

    /// Renders the pixels of an image whose full size is `imageSize`.
    func image(_ pixels: PixelBuffer, of imageSize: PixelSize, isPreview: Bool) -> CellImage {
        CellImage(
            pixels,
            of: imageSize,
            box: box,
            capabilities: capabilities,
            contentMode: contentMode,
            centersPixels: centersPixels,
            isPreview: isPreview
        )
    }
}
