internal import Decoders
internal import Feeds
import TerminalUI

/// The layout of the grid.
///
/// It depends on the size of the screen and its cells, the number of images, and the tile width set
/// by the user. A tile consists of an image area with an aspect ratio of 4:3 in pixels and a row
/// for the caption. The number of columns is the smallest number that shows enough images, so the
/// tiles are as large as possible. Each tile has space for the selection frame: one column on each
/// side and one row above. The frame therefore never covers an image.
struct GridLayout: Hashable, Sendable {
    /// The size of the smallest screen that has space for an image and the status bar.
    static let minimumScreen = ScreenSize(columns: 20, rows: 5)

    /// The number of tiles per row.
    let columns: Int
    /// The number of rows of tiles on the screen.
    ///
    /// Only complete rows are shown.
    let rows: Int
    /// The size of a tile's image area, in terminal cells.
    let imageBox: ScreenSize
    /// Whether there is a row for the caption below the image.
    let hasCaptions: Bool
    /// Whether there is a row above the image for the upper edge of the selection frame.
    let hasGaps: Bool
    /// The size of the area that the grid may use.
    private let screen: ScreenSize
    private let itemCount: Int
    /// The widths of the visible tiles if the rows are justified, in columns.
    ///
    /// If the list is empty, all tiles are as wide as `imageBox`.
    var justifiedWidths: [Int] = []
    private let left: Int
    private let top: Int

    /// The number of columns between two tiles: one for the frame of each tile.
    private static let gutter = 2
    private static let statusRows = 1
    /// The minimum width of a tile in columns.
    static let leastWidth = 12

    /// Creates a layout.
    ///
    /// The tiles are sized for `expected` images. This number stays the same while a list grows or
    /// is filtered, because a changing layout is more annoying than unused space.
    init(
        screen: ScreenSize,
        cellPixels: PixelSize,
        itemCount: Int,
        sizedFor expected: Int,
        tileWidth: Int? = nil
    ) {
        let room = Room(screen, cellPixels)
        let expected = min(max(1, expected), 1 << 30)
        let wanted = min(expected, room.usualCount)
        let choice = tileWidth.map(room.columns(ofWidth:))
        var columns = choice ?? 1
        var tile = room.tile(inColumns: columns)
        if choice == nil {
            while columns * tile.rows < wanted, columns < room.mostColumns {
                columns += 1
                tile = room.tile(inColumns: columns)
            }
        }
        let rows = min(tile.rows, (expected + columns - 1) / columns)
        self.init(room, columns: columns, rows: rows, box: room.grown(tile.box, rows), itemCount)
    }

    private init(_ room: Room, columns: Int, rows: Int, box: ScreenSize, _ itemCount: Int) {
        self.columns = columns
        self.rows = rows
        self.itemCount = itemCount
        imageBox = box
        screen = room.screen
        hasCaptions = room.caption == 1
        hasGaps = room.gap == 1
        let width = columns * box.columns + (columns - 1) * Self.gutter
        let height = rows * (box.rows + room.caption + room.gap)
        left = max(1, (screen.columns - width) / 2)
        top = room.gap + max(0, (room.height - room.gap - height) / 2)
    }

    /// Returns the tile width after the number of columns changes by `step`, or nil at the limits.
    ///
    /// Only the tile width is saved, so the number of columns still depends on the size of the
    /// window.
    func tileWidth(changingColumnsBy step: Int, cellPixels: PixelSize) -> Int? {
        let room = Room(screen, cellPixels)
        var columns = columns + step
        while (1...room.mostColumns).contains(columns) {
            let width = room.width(inColumns: columns)
            if room.columns(ofWidth: width) != self.columns { return width }
            columns += step
        }
        return nil
    }

    /// Returns the layout with tile columns removed to make space for a panel on the right.
    ///
    /// At least `panelColumns` screen columns become free. Returns nil if no tiles would remain.
    func leaving(_ panelColumns: Int) -> GridLayout? {
        let pitch = imageBox.columns + Self.gutter
        let count = min(columns, (screen.columns - panelColumns - 1 - left) / pitch)
        guard count >= 1 else { return nil }
        return GridLayout(self, columns: count)
    }

    /// Returns the layout with tile rows removed to make space for a pane at the bottom.
    ///
    /// At least `paneRows` screen rows become free. Returns nil if no tiles would remain.
    func leaving(rows paneRows: Int) -> GridLayout? {
        let room = screen.rows - Self.statusRows - paneRows - top + (hasGaps ? 1 : 0)
        let count = min(rows, room / pitch)
        guard count >= 1 else { return nil }
        return GridLayout(self, columns: columns, rows: count)
    }

    /// The first screen row below the last tile.
    var firstFreeRow: Int { top + rows * pitch - (hasGaps ? 1 : 0) }

    /// The distance between two rows of tiles, in screen rows.
    private var pitch: Int { imageBox.rows + (hasCaptions ? 1 : 0) + (hasGaps ? 1 : 0) }

    private init(_ layout: GridLayout, columns: Int, rows: Int? = nil) {
        self.columns = columns
        self.rows = rows ?? layout.rows
        imageBox = layout.imageBox
        hasCaptions = layout.hasCaptions
        hasGaps = layout.hasGaps
        screen = layout.screen
        itemCount = layout.itemCount
        left = layout.left
        top = layout.top
    }

    /// The first column of a panel, after the last tile, the tile's frame and a margin.
    var panelColumn: Int { left + columns * (imageBox.columns + Self.gutter) + 1 }
}

/// Methods that calculate the positions of items in the grid.
extension GridLayout {
    /// The total number of rows, on and off the screen.
    var totalRows: Int { (itemCount + columns - 1) / columns }

    /// The scroll position at which the last rows fill the screen, or 0 if all rows fit.
    var lastTopRow: Int { max(0, totalRows - rows) }

    /// Returns the visible positions if `topRow` is the first row on the screen.
    func visiblePositions(topRow: Int) -> Range<Int> {
        let start = min(topRow * columns, itemCount)
        return start..<min(start + rows * columns, itemCount)
    }

    /// Returns the top row nearest to `topRow` at which the item is visible.
    func topRow(_ topRow: Int, showing item: Int) -> Int {
        let row = item / columns
        let shown = min(max(topRow, row - rows + 1), row)
        return max(0, min(shown, lastTopRow))
    }

    /// Returns the screen area of an image.
    ///
    /// `position` is relative to the first image on the screen.
    func imageRect(at position: Int) -> FrameRect {
        var rect = FrameRect(
            row: top + position / columns * pitch,
            column: left + position % columns * (imageBox.columns + Self.gutter),
            rows: imageBox.rows,
            columns: imageBox.columns
        )
        guard justifiedWidths.indices.contains(position) else { return rect }
        for width in justifiedWidths[position / columns * columns..<position] {
            rect.column += width - imageBox.columns
        }
        rect.columns = justifiedWidths[position]
        return rect
    }

    /// Returns the position of the tile at a screen cell, or nil if there is no tile at the cell.
    ///
    /// The position is relative to the first tile on the screen. A tile includes its caption.
    func position(row: Int, column: Int) -> Int? {
        (0..<rows * columns).first { position in
            var rect = imageRect(at: position)
            if hasCaptions { rect.rows += 1 }
            return rect.contains(row: row, column: column)
        }
    }
}

extension GridLayout {
    /// The space for the grid in a window, from which tile sizes are calculated.
    private struct Room {
        let screen: ScreenSize
        let gap: Int
        let caption: Int
        private let margin: Int
        private let cell: PixelSize

        init(_ screen: ScreenSize, _ cellPixels: PixelSize) {
            self.screen = screen
            gap = screen.rows >= 12 ? 1 : 0
            caption = screen.rows >= 8 ? 1 : 0
            margin = screen.columns >= 60 ? 2 : 1
            cell = PixelSize(width: max(1, cellPixels.width), height: max(1, cellPixels.height))
        }

        /// The number of rows available for the grid.
        var height: Int { max(1, screen.rows - GridLayout.statusRows) }

        /// The number of images that should be visible: six at 80×24.
        ///
        /// A larger screen shows more images, but not in proportion to the screen area, because the
        /// images become larger, too.
        var usualCount: Int {
            let windows = Double(screen.columns * screen.rows) / 1920
            // The number is proportional to the screen area to the power of 3/4.
            let growth = (windows * windows * windows).squareRoot().squareRoot()
            return max(1, Int((6 * growth).rounded()))
        }

        var mostColumns: Int { max(1, self.columns(ofWidth: GridLayout.leastWidth)) }

        /// Returns the number of tiles of this width that fit in a row.
        func columns(ofWidth width: Int) -> Int {
            let width = max(GridLayout.leastWidth, width)
            return max(1, (screen.columns - 2 * margin + gutter) / (width + gutter))
        }

        /// Returns the width of a tile if a row has `columns` tiles.
        func width(inColumns columns: Int) -> Int {
            max(1, (screen.columns - 2 * margin - (columns - 1) * gutter) / columns)
        }

        /// Returns the tile layout for rows of `columns` tiles.
        ///
        /// The result is the size of a tile's image area and the number of tile rows.
        func tile(inColumns columns: Int) -> (box: ScreenSize, rows: Int) {
            var width = width(inColumns: columns)
            var rows = max(2, Self.divided(width * cell.width * 3, by: cell.height * 4))
            let tallest = max(1, height - caption - 2 * gap)
            if rows > tallest {
                rows = tallest
                let fitting = Self.divided(rows * cell.height * 4, by: cell.width * 3)
                width = min(width, max(GridLayout.leastWidth, fitting))
            }
            return (
                ScreenSize(columns: width, rows: rows),
                max(1, (height - gap) / (rows + caption + gap))
            )
        }

        /// Returns a tile's image area, made taller to use the spare rows.
        ///
        /// The height in pixels does not exceed the width.
        func grown(_ box: ScreenSize, _ rows: Int) -> ScreenSize {
            let share = (height - gap) / rows - caption - gap
            let square = Self.divided(box.columns * cell.width, by: cell.height)
            return ScreenSize(columns: box.columns, rows: max(box.rows, min(share, square)))
        }

        private var gutter: Int { GridLayout.gutter }

        private static func divided(_ number: Int, by divisor: Int) -> Int {
            Int((Double(number) / Double(divisor)).rounded(.toNearestOrEven))
        }
    }
}
