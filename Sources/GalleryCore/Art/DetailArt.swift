public import Decoders

/// The art of the detail view.
public enum DetailArt {
    /// Draws the part of a picture that a viewport shows.
    ///
    /// Pure; takes milliseconds with a large picture, so run it off the UI thread.
    public static func render(
        _ pixels: PixelBuffer,
        viewport: DetailViewport,
        capabilities: ScreenCapabilities
    ) -> CellArt {
        guard !pixels.size.isEmpty, pixels.size == viewport.imageSize else {
            return CellArt(pixels, box: viewport.box, capabilities: capabilities)
        }
        let size = capabilities.symbols.grid.pixels(filling: viewport.outputSize)
        let scaled = pixels.resampled(to: size, from: viewport.crop)
        return CellArt(scaled: scaled, capabilities: capabilities)
    }
}
