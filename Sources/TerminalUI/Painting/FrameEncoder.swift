/// Converts the difference between two frames to bytes for the terminal.
///
/// This type has no side effects. It tracks the screen content, the cursor position and the active
/// style, because nothing else writes to the terminal. It never erases cells with a background
/// color because tmux and some other terminals do not keep cells erased in this way. Instead, it
/// erases in the default style and writes spaces.
package struct FrameEncoder {
    /// The properties of the terminal that affect the encoding.
    package struct Options {
        /// Whether complete frames and long outputs are wrapped in `?2026h` and `?2026l`.
        ///
        /// If true, no incomplete frame is visible. An output is long if it has more than 512
        /// bytes.
        package var synchronizesOutput = true
        /// Whether non-ASCII characters are replaced with `?` because the locale is not UTF-8.
        var isASCIIOnly = false
    }

    private let options: Options
    /// Whether the cells of images are written as placeholder characters.
    ///
    /// If false, the images are drawn in another way, and their cells are not changed.
    var writesPlaceholders = true
    /// Whether a long output that changes only a part of the screen may be synchronized.
    var synchronizesChanges = true
    private var shown: [FrameCell] = []
    private var size: ScreenSize?
    private var style = CellStyle()
    /// The position of the cursor, or nil if it is unknown.
    ///
    /// The position is unknown after a scroll, and after writing the last column, where terminals
    /// differ. It is also unknown after characters whose width may differ between terminals.
    private var cursor: (row: Int, column: Int)?
    private var writer = ByteWriter()
    private var marks: [Bool] = []
    /// The position of the visible cursor, or nil if the cursor is hidden.
    private var shownCursor: FrameCursor?

    private static let beginSynchronized: StaticString = "\u{1B}[?2026h"
    private static let endSynchronized: StaticString = "\u{1B}[?2026l"

    package init(options: Options = Options()) {
        self.options = options
    }

    /// Makes the next call to `encode` draw the whole frame.
    package mutating func invalidate() {
        size = nil
    }

    /// Marks cells that were overwritten by other output and must be drawn again in the next frame.
    package mutating func invalidate(row: Int, columns: Range<Int>) {
        guard let size, row < size.rows else { return }
        for column in columns.clamped(to: 0..<size.columns) {
            // No frame contains this noncharacter.
            shown[row * size.columns + column] = FrameCell("\u{10FFFF}")
        }
    }

    /// Returns whether `frame` will be drawn in full on a cleared screen.
    func willClear(for frame: Frame) -> Bool { size != frame.size }

    /// Discards the cursor position because other output has moved the cursor.
    mutating func forgetCursor() {
        cursor = nil
    }

    /// Returns the bytes that make the screen show `frame`, or no bytes if it already does.
    package mutating func encode(_ frame: Frame, allowsScrolling: Bool = true) -> ArraySlice<UInt8>
    {
        writer.removeAll()
        writer.append(Self.beginSynchronized)
        let prefix = writer.bytes.count
        let isWhole = size != frame.size
        if isWhole {
            clear(to: frame.size)
        } else if allowsScrolling {
            scrollIfWorthwhile(frame)
        }
        drawChanges(frame)
        shown = frame.cells
        showCursor(at: frame.cursor, isWhole: isWhole)
        // A small frame arrives in one piece anyway. A complete frame also ends any synchronized
        // output started by an abandoned frame.
        let isLong = synchronizesChanges && writer.bytes.count > 512
        guard options.synchronizesOutput, isWhole || isLong else { return writer.bytes[prefix...] }
        writer.append(Self.endSynchronized)
        return writer.bytes[...]
    }

    /// Returns the bytes that move the visible cursor back after other output has moved it.
    mutating func cursorBytes() -> ArraySlice<UInt8> {
        guard let place = shownCursor else { return [] }
        writer.removeAll()
        cursor = nil
        showCursor(at: place, isWhole: false)
        return writer.bytes[...]
    }

    /// Moves, shows or hides the cursor as needed.
    ///
    /// If `isWhole` is true, the cursor is always shown or hidden again because the terminal may
    /// have changed it. The terminal may hide the cursor when the program returns after leaving the
    /// terminal, and shows the cursor after a reset.
    private mutating func showCursor(at place: FrameCursor?, isWhole: Bool) {
        if let place {
            if cursor.map({ $0 != (place.row, place.column) }) ?? true {
                move(to: place.row, place.column)
                cursor = (place.row, place.column)
            }
            if shownCursor == nil || isWhole { writer.append("\u{1B}[?25h") }
        } else if shownCursor != nil || isWhole {
            writer.append("\u{1B}[?25l")
        }
        shownCursor = place
    }

    private mutating func clear(to newSize: ScreenSize) {
        // The style is reset before the screen is erased, so the erased cells have the default
        // style. The scroll region and the cursor position are reset after the style.
        writer.append("\u{1B}[0m\u{1B}[r\u{1B}[H\u{1B}[2J")
        style = CellStyle()
        cursor = (0, 0)
        size = newSize
        shown = Array(repeating: FrameCell(), count: newSize.columns * newSize.rows)
        marks = Array(repeating: false, count: newSize.columns)
    }

    private mutating func scrollIfWorthwhile(_ frame: Frame) {
        let columns = frame.size.columns
        let scroll = shown.withUnsafeBufferPointer { old in
            frame.cells.withUnsafeBufferPointer { new in
                ScrollFinder(old: old, new: new, columns: columns).best()
            }
        }
        guard let scroll else { return }
        write(scroll, isWholeScreen: scroll.rows.count == frame.size.rows)
        shown = (0..<frame.size.rows).flatMap { row in
            switch scroll.source(of: row) {
            case .row(let from): shown[from * columns..<(from + 1) * columns]
            case .blank: ArraySlice(repeating: FrameCell(), count: columns)
            }
        }
    }

    private mutating func write(_ scroll: Scroll, isWholeScreen: Bool) {
        writer.change(&style, to: CellStyle())
        if !isWholeScreen {
            writer.append("\u{1B}[")
            writer.append(decimal: scroll.rows.lowerBound + 1)
            writer.append(UInt8(ascii: ";"))
            writer.append(decimal: scroll.rows.upperBound)
            writer.append(UInt8(ascii: "r"))
        }
        writer.append("\u{1B}[")
        writer.append(decimal: abs(scroll.distance))
        writer.append(UInt8(ascii: scroll.distance > 0 ? "S" : "T"))
        if !isWholeScreen { writer.append("\u{1B}[r") }
        cursor = nil
    }

    private mutating func drawChanges(_ frame: Frame) {
        let columns = frame.size.columns
        shown.withUnsafeBufferPointer { shown in
            frame.cells.withUnsafeBufferPointer { cells in
                for row in 0..<frame.size.rows {
                    let new = CellRow(row, of: cells, columns: columns)
                    let old = CellRow(row, of: shown, columns: columns)
                    if RowDifference.mark(&marks, old: old, new: new) { draw(new, at: row) }
                }
            }
        }
    }

    private mutating func draw(_ cells: CellRow, at row: Int) {
        var column = 0
        while column < cells.count {
            var end = column + 1
            // A right half without a left half is not part of another character. It is drawn as a
            // single blank cell.
            while end < cells.count, cells[end].continues,
                cells[end].scalar != 0 || cells[end - 1].scalar != 0
            { end += 1 }
            if marks[column], writesPlaceholders || cells[column].picturePart == nil {
                draw(cells, row: row, columns: column..<end)
            }
            column = end
        }
    }

    /// Draws one character: a cell and its continuation cells.
    private mutating func draw(_ cells: CellRow, row: Int, columns: Range<Int>) {
        let first = columns.lowerBound
        guard !options.isASCIIOnly, columns.contains(where: { cells[$0].isCluster }) else {
            move(to: row, first)
            write(cells[first], isWide: columns.count > 1 && cells[first].scalar != 0)
            // The terminal may use a different width for a wide character, so the next character is
            // positioned explicitly.
            let isCertain = columns.count == 1 && columns.upperBound < cells.count
            cursor = isCertain ? (row, columns.upperBound) : nil
            return
        }
        // If the terminal draws the cluster in fewer columns, the remaining columns would keep
        // their old content, so all columns are cleared first.
        if columns.count > 1 {
            move(to: row, first)
            for column in columns {
                writer.change(&style, to: FrameCell(background: cells[column].background).style)
                writer.append(UInt8(ascii: " "))
            }
            cursor = nil
        }
        // The parts are written without cursor movement to let the terminal combine them.
        move(to: row, first)
        var width = 0
        for column in columns {
            writer.change(&style, to: cells[column].style)
            for scalar in cells[column].scalars {
                writer.append(scalar: scalar)
                width += Unicode.Scalar(scalar).map(CharacterWidth.columns) ?? 1
            }
        }
        cursor = nil
        // A terminal that doesn't combine the parts has overwritten the following cells, so they
        // are drawn again.
        let end = max(columns.upperBound, min(first + width, cells.count))
        for column in columns.upperBound..<end { marks[column] = true }
    }

    private mutating func move(to row: Int, _ column: Int) {
        if let cursor, cursor.row == row, cursor.column <= column {
            let distance = column - cursor.column
            if distance == 0 { return }
            writer.append("\u{1B}[")
            if distance > 1 { writer.append(decimal: distance) }
            writer.append(UInt8(ascii: "C"))
        } else {
            writer.append("\u{1B}[")
            writer.append(decimal: row + 1)
            writer.append(UInt8(ascii: ";"))
            writer.append(decimal: column + 1)
            writer.append(UInt8(ascii: "H"))
        }
    }

    private mutating func write(_ cell: FrameCell, isWide: Bool) {
        if let part = cell.picturePart { return writer.append(part, after: &style) }
        let cell = cell.cheapest(after: style)
        writer.change(&style, to: cell.style)
        // A right half without a left half is blank.
        if cell.scalar == 0 {
            writer.append(UInt8(ascii: " "))
        } else if options.isASCIIOnly, cell.scalar > 0x7E {
            writer.append(UInt8(ascii: "?"))
            if isWide { writer.append(UInt8(ascii: " ")) }
        } else {
            writer.append(scalar: cell.scalar)
        }
    }
}
