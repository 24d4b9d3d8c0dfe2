internal import Decoders

/// Where the tiles of the grid are: a pure function of the window, the number of pictures and what
/// the person chose.
///
/// A tile is an area for a picture, 4:3 in pixels, and below it a row for the caption. There are as
/// few columns of tiles, and so as large ones, as show enough pictures on a screen of this size.
/// Around each tile is room for the frame of the selection: a column on each side and a row above,
/// so that nothing is ever drawn over a picture.
struct GridLayout: Hashable, Sendable {
    /// Below this the screen can't hold an image and the status bar.
    static let minimumScreen = ScreenSize(columns: 20, rows: 5)

    /// Tiles side by side.
    let columns: Int
    /// Rows of tiles on the screen; only whole ones.
    let rows: Int
    /// The cells of a tile that the image may fill.
    let imageBox: ScreenSize
    /// Whether there is a row for the caption below the image.
    let hasCaptions: Bool
    /// Whether there is a row above the image, for the upper edge of the selection's frame.
    let hasGaps: Bool
    /// The cells of the screen that the grid may use.
    private let screen: ScreenSize
    private let itemCount: Int
    private let left: Int
    private let top: Int

    /// Columns between two tiles, one for the frame of each.
    private static let gutter = 2
    private static let statusRows = 1
    /// No tile is narrower.
    private static let leastWidth = 12

    /// Lays out a grid.
    ///
    /// `sizedFor` is the number of pictures that decides how large the tiles are: it stays while a
    /// list grows or is filtered, for a screen that jumps is worse than one with room.
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

    /// The width that tiles have in one column more or fewer; nil at the ends.
    ///
    /// What is remembered is a width: in another window it makes another number of columns.
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

    /// The same tiles in fewer columns, so that `panelColumns` are free at the right; nil if not
    /// even one column of tiles is left.
    func leaving(_ panelColumns: Int) -> GridLayout? {
        let pitch = imageBox.columns + Self.gutter
        let count = min(columns, (screen.columns - panelColumns - 1 - left) / pitch)
        guard count >= 1 else { return nil }
        return GridLayout(self, columns: count)
    }

    /// The same tiles in fewer rows, so that `paneRows` are free at the bottom; nil if not even one
    /// row of tiles is left.
    func leaving(rows paneRows: Int) -> GridLayout? {
        let room = screen.rows - Self.statusRows - paneRows - top + (hasGaps ? 1 : 0)
        let count = min(rows, room / pitch)
        guard count >= 1 else { return nil }
        return GridLayout(self, columns: columns, rows: count)
    }

    /// The first row of the screen below the last tile.
    var firstFreeRow: Int { top + rows * pitch - (hasGaps ? 1 : 0) }

    /// From one row of tiles to the next.
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

    /// Where a panel may begin, with air between it and the frame of the last tile.
    var panelColumn: Int { left + columns * (imageBox.columns + Self.gutter) + 1 }
}

/// Which item is where.
extension GridLayout {
    /// Rows of the whole feed.
    var totalRows: Int { (itemCount + columns - 1) / columns }

    /// The largest first row; the last screen is full.
    var lastTopRow: Int { max(0, totalRows - rows) }

    /// The items on the screen when `topRow` is its first row.
    func visiblePositions(topRow: Int) -> Range<Int> {
        let start = min(topRow * columns, itemCount)
        return start..<min(start + rows * columns, itemCount)
    }

    /// The first row nearest to `topRow` that shows `item`.
    func topRow(_ topRow: Int, showing item: Int) -> Int {
        let row = item / columns
        let shown = min(max(topRow, row - rows + 1), row)
        return max(0, min(shown, lastTopRow))
    }

    /// The area of a visible item's image, counted from the first on the screen.
    func imageRect(at position: Int) -> FrameRect {
        FrameRect(
            row: top + position / columns * pitch,
            column: left + position % columns * (imageBox.columns + Self.gutter),
            rows: imageBox.rows,
            columns: imageBox.columns
        )
    }

    /// The visible position of the tile at a place of the screen, caption included, or nil.
    func position(row: Int, column: Int) -> Int? {
        (0..<rows * columns).first { position in
            var rect = imageRect(at: position)
            if hasCaptions { rect.rows += 1 }
            return rect.contains(row: row, column: column)
        }
    }
}

extension GridLayout {
    /// The arithmetic of tiles in one window.
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

        /// Rows for the grid.
        var height: Int { max(1, screen.rows - GridLayout.statusRows) }

        /// Six pictures on 80×24, and on larger screens more, but not in proportion: pictures
        /// grow as well.
        var usualCount: Int {
            let windows = Double(screen.columns * screen.rows) / 1920
            // The fourth root of the cube.
            let growth = (windows * windows * windows).squareRoot().squareRoot()
            return max(1, Int((6 * growth).rounded()))
        }

        var mostColumns: Int { max(1, self.columns(ofWidth: GridLayout.leastWidth)) }

        /// How many tiles of a width fit side by side.
        func columns(ofWidth width: Int) -> Int {
            let width = max(GridLayout.leastWidth, width)
            return max(1, (screen.columns - 2 * margin + gutter) / (width + gutter))
        }

        /// The width of tiles that share the screen.
        func width(inColumns columns: Int) -> Int {
            max(1, (screen.columns - 2 * margin - (columns - 1) * gutter) / columns)
        }

        /// A tile in so many columns, and how many rows of it there is room for.
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

        /// A tile that takes spare rows too, as long as it is not taller than wide in pixels.
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
