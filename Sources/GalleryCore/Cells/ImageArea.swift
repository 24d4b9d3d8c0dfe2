import Decoders
import TerminalUI

/// The area of an image in its tile, and the drawing options for images in the area.
struct ImageArea: Equatable, Sendable {
    /// The size of the area in cells.
    var box: ScreenSize
    var capabilities: ScreenCapabilities
    /// Whether the whole image is shown (`fit`) or the image is cropped to fill the area (`fill`).
    var contentMode = ImageContentMode.fit
    /// Whether pixels are centered in the area to the pixel, and not only to the cell.
    var centersPixels = false

    /// The size at which images are loaded for the area.
    var targetSize: PixelSize { capabilities.imageSize(filling: box) }

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
