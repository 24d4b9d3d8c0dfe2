package import Decoders
package import Feeds
package import ImageLoading
package import TerminalUI

/// Arranges thumbnails with captions in rows, as printed by the `print` command.
package struct ContactSheet: Sendable {
    /// An item in a row, and the result of its load.
    package struct Entry: Sendable {
        let item: FeedItem
        let outcome: Result<ImageResponse, ImageLoadingError>

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
    private var gutter = Self.standardGutter
    private var hasCaptions = true
    /// Whether the captions are links to the images.
    package var hasLinks = false

    private static let standardGutter = 1
    /// The number of rows for an item without an image.
    ///
    /// The rows show two lines of text.
    private static let wordRows = 2

    /// Creates a sheet.
    ///
    /// Each row has `columns` images, and each image has an area of `imageBox` cells.
    package init(columns: Int, imageBox: ScreenSize, capabilities: ScreenCapabilities) {
        self.columns = max(1, columns)
        self.imageBox = imageBox
        var settings = GallerySettings()
        // An image rarely fills its last cells completely, so the rest of a cell has the
        // surrounding color.
        settings.colors[.card] = capabilities.terminalColors?.ground.cellColor
        var state = GalleryState(capabilities: capabilities, settings: settings)
        // The output keeps the terminal's own background, like the text around it.
        state.display.keepBackground()
        self.state = state
    }

    /// Creates a sheet of at most `count` images that fits into `area`.
    ///
    /// A single image fills the area. If there are several images, each has at least about 16×8
    /// cells, so the sheet may have space for fewer images (`capacity`).
    package init(
        filling area: ScreenSize,
        count: Int,
        hasCaptions: Bool,
        capabilities: ScreenCapabilities
    ) {
        let hasCaptions = hasCaptions && area.rows > 1
        let captionRows = hasCaptions ? 1 : 0
        var (columns, rows) = (1, 1)
        if count > 1 {
            columns = min(count, max(1, area.columns / 16))
            rows = min((count + columns - 1) / columns, max(1, area.rows / 8))
        }
        self.init(
            columns: columns,
            imageBox: ScreenSize(
                columns: area.columns / columns - (columns > 1 ? Self.standardGutter : 0),
                rows: area.rows / rows - captionRows
            ),
            capabilities: capabilities
        )
        self.hasCaptions = hasCaptions
        gutter = columns > 1 ? Self.standardGutter : 0
        capacity = columns * rows
    }

    /// The number of images that fit into the area for which the sheet was created.
    package private(set) var capacity = Int.max

    /// Returns the number of images that fit in `width` columns.
    ///
    /// The result is at least 1.
    package static func columns(fitting width: Int, imageBox: ScreenSize) -> Int {
        max(1, width / (imageBox.columns + standardGutter))
    }

    /// The size in pixels at which thumbnails are loaded.
    package var targetSize: PixelSize { state.capabilities.imageSize(filling: imageBox) }

    /// Returns a row of at most `columns` images with captions.
    ///
    /// The tallest image determines the height of the row.
    package func row(_ entries: some Collection<Entry>) -> Frame {
        let pitch = imageBox.columns + gutter
        let slots = entries.map(slot)
        let heights = slots.map { $0.cellImage?.rows ?? min(Self.wordRows, imageBox.rows) }
        let height = heights.max() ?? 1
        let rows = height + (hasCaptions ? 1 : 0)
        var frame = Frame(size: ScreenSize(columns: slots.count * pitch, rows: rows))
        for (column, slot) in slots.enumerated() {
            let rect = FrameRect(
                row: 0,
                column: column * pitch + gutter,
                rows: height,
                columns: imageBox.columns
            )
            var view = CellView(state: state, slot: slot, rect: rect, surface: .ground)
            view.hasCaption = hasCaptions
            view.draw(into: &frame)
            guard hasLinks, hasCaptions, slot.problem == nil else { continue }
            let columns = rect.column..<rect.column + rect.columns
            let link = FrameLink(
                row: height,
                columns: columns,
                url: URLParts.withoutLogin(slot.url)
            )
            frame.links += [link].compactMap(\.self)
        }
        return frame
    }

    private func slot(for entry: Entry) -> CellSlot {
        var slot = CellSlot()
        guard slot.bind(item: 0, entry.item) else { return slot }
        slot.apply(
            .finished(entry.outcome),
            in: ImageArea(box: imageBox, capabilities: state.capabilities)
        )
        return slot
    }
}
