package import Decoders
package import Feeds
package import ImageLoading
package import TerminalUI

/// A layout of thumbnails with captions in rows, which the command `print` prints.
package struct ContactSheet: Sendable {
    /// An item in a row, and the result of its load.
    package struct Entry: Sendable {
        let item: FeedItem
        let outcome: Result<ImageResponse, ImageLoadingError>

        /// Creates an entry from an item and the result of its load.
        package init(item: FeedItem, outcome: Result<ImageResponse, ImageLoadingError>) {
            self.item = item
            self.outcome = outcome
        }
    }

    /// The number of images per row.
    package let columns: Int
    private let imageBox: ScreenSize
    private let state: GalleryState

    /// The number of empty columns before each image.
    private static let gutter = 1
    /// The number of rows for an item whose image is missing.
    ///
    /// It shows two lines of text.
    private static let wordRows = 2

    /// Creates a sheet.
    ///
    /// Each row has `columns` images, and each image has an area of `imageBox` cells.
    package init(columns: Int, imageBox: ScreenSize, capabilities: ScreenCapabilities) {
        self.columns = max(1, columns)
        self.imageBox = imageBox
        var settings = GallerySettings()
        // An image rarely fills its last cells completely. The rest has the color around it.
        settings.colors[.card] = capabilities.terminalColors?.ground.cellColor
        var state = GalleryState(capabilities: capabilities, settings: settings)
        // The output keeps the terminal's own background, like the text around it.
        state.display.keepBackground()
        self.state = state
    }

    /// Returns the number of images that fit into `width` columns.
    ///
    /// The result is at least 1.
    package static func columns(fitting width: Int, imageBox: ScreenSize) -> Int {
        max(1, width / (imageBox.columns + gutter))
    }

    /// The size in pixels at which thumbnails are loaded.
    package var targetSize: PixelSize { state.capabilities.imageSize(filling: imageBox) }

    /// Returns a row of at most `columns` images with captions.
    ///
    /// The tallest image determines the height of the row.
    package func row(_ entries: some Collection<Entry>) -> Frame {
        let pitch = imageBox.columns + Self.gutter
        let slots = entries.map(slot)
        let heights = slots.map { $0.cellImage?.rows ?? min(Self.wordRows, imageBox.rows) }
        let height = heights.max() ?? 1
        var frame = Frame(size: ScreenSize(columns: slots.count * pitch, rows: height + 1))
        for (column, slot) in slots.enumerated() {
            let rect = FrameRect(
                row: 0,
                column: column * pitch + Self.gutter,
                rows: height,
                columns: imageBox.columns
            )
            CellView(state: state, slot: slot, rect: rect, surface: .ground).draw(into: &frame)
        }
        return frame
    }

    private func slot(for entry: Entry) -> CellSlot {
        var slot = CellSlot()
        guard slot.bind(item: 0, entry.item) else { return slot }
        slot.apply(.finished(entry.outcome), box: imageBox, capabilities: state.capabilities)
        return slot
    }
}
