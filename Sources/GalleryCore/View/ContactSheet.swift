public import Decoders
public import ImageLoading

/// Thumbnails with captions outside of the gallery, a row at a time: for `print`.
public struct ContactSheet: Sendable {
    /// One image of a row: the item, and what became of its load.
    public struct Entry: Sendable {
        let item: FeedItem
        let outcome: Result<ImageResponse, ImageLoadingError>

        /// Joins an item with the end of its load.
        public init(item: FeedItem, outcome: Result<ImageResponse, ImageLoadingError>) {
            self.item = item
            self.outcome = outcome
        }
    }

    /// Images in a row.
    public let columns: Int
    private let imageBox: ScreenSize
    private let state: GalleryState

    /// Blank columns left of each image.
    private static let gutter = 1
    /// What a tile without an image takes of its box: two lines of words.
    private static let wordRows = 2

    /// Makes a sheet of `columns` images, each in a box of `picture` cells.
    public init(columns: Int, imageBox: ScreenSize, capabilities: ScreenCapabilities) {
        self.columns = max(1, columns)
        self.imageBox = imageBox
        var state = GalleryState(capabilities: capabilities, settings: GallerySettings())
        // The lines stay on the terminal's own ground among what else is there.
        state.theme = .ofTerminal(capabilities)
        self.state = state
    }

    /// The images that fit into `width` columns if each box is `picture` cells; at least one.
    public static func columns(fitting width: Int, imageBox: ScreenSize) -> Int {
        max(1, width / (imageBox.columns + gutter))
    }

    /// The size to load thumbnails at, in pixels.
    public var targetSize: PixelSize { state.capabilities.imageSize(filling: imageBox) }

    /// Draws up to `columns` images side by side, captions below; as high as the highest of them.
    public func row(_ entries: some Collection<Entry>) -> Frame {
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
