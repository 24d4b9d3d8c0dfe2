/// A painter that uses ncurses, for terminals with up to 256 colors.
final class CursesPainter: Painter {
    private let session: CursesSession
    private let colorCount: Int
    private let isASCIIOnly: Bool
    private var pairs: ColorPairs
    private var shown: Frame?

    /// Creates a painter for an ncurses session.
    ///
    /// If `usesColor` is false or the terminal has no colors, only attributes are used.
    init(session: CursesSession, usesColor: Bool, isASCIIOnly: Bool) {
        self.session = session
        self.isASCIIOnly = isASCIIOnly
        let colors = usesColor ? session.startColors() : nil
        colorCount = colors?.colors ?? 0
        pairs = ColorPairs(
            colorCount: colors?.colors ?? 0,
            pairCount: colors?.pairs ?? 0,
            hasDefault: colors?.hasDefault ?? false
        )
    }

    package func paint(_ frame: Frame) {
        if !putChanges(frame) {
            // The pair table is full. After the table is emptied, the frame either fits or has more
            // color pairs than the terminal supports. In the latter case, the remaining cells are
            // drawn without color.
            pairs.removeAll()
            session.resetPairs()
            shown = nil
            _ = putChanges(frame)
        }
        shown = frame
        session.showCursor(at: frame.cursor)
        session.refresh()
    }

    package func invalidate() {
        session.invalidate()
    }

    package func invalidate(row: Int, columns: Range<Int>) {
        session.invalidate(row: row)
    }

    /// Passes the changed cells to ncurses, and returns false if the color pair table is full.
    private func putChanges(_ frame: Frame) -> Bool {
        let columns = frame.size.columns
        let old = shown?.size == frame.size ? shown : nil
        var marks = Array(repeating: true, count: columns)
        var isComplete = true
        frame.cells.withUnsafeBufferPointer { cells in
            for row in 0..<frame.size.rows {
                let new = CellRow(row, of: cells, columns: columns)
                if let old {
                    let isChanged = old.cells.withUnsafeBufferPointer { shown in
                        let before = CellRow(row, of: shown, columns: columns)
                        return RowDifference.mark(&marks, old: before, new: new)
                    }
                    guard isChanged else { continue }
                }
                isComplete = put(new, marks: marks, row: row) && isComplete
            }
        }
        return isComplete
    }

    private func put(_ cells: CellRow, marks: [Bool], row: Int) -> Bool {
        var isComplete = true
        var run: [CursesCell] = []
        var start = 0
        for column in 0...cells.count {
            if column < cells.count, marks[column] {
                if run.isEmpty { start = column }
                let cell = cells[column]
                let follows = column > start && cell.scalar == 0
                // ncurses itself adds the right half of a wide character.
                if follows, !isASCIIOnly, cells[column - 1].startsWide { continue }
                guard let made = cursesCell(cell) else {
                    isComplete = false
                    run.append(CursesCell(scalar: 0x20, attributes: [], pair: 0))
                    continue
                }
                run.append(made)
            } else if !run.isEmpty {
                session.put(run, row: row, column: start)
                run.removeAll(keepingCapacity: true)
            }
        }
        return isComplete
    }

    /// Returns the cell for ncurses, or nil if no pair is available for its colors.
    private func cursesCell(_ cell: FrameCell) -> CursesCell? {
        var made = CursesCell(
            scalar: shownScalar(cell.scalar),
            attributes: cell.attributes,
            pair: 0
        )
        guard colorCount > 0 else { return made }
        let (foreground, background) = (cell.foreground.index, cell.background.index)
        // With eight colors, bold selects the bright variants, as on the Linux console.
        if colorCount < 16, (8..<16).contains(foreground) { made.attributes.insert(.bold) }
        let colors = pairs.fitted(.init(foreground: foreground, background: background))
        switch pairs.pair(for: colors) {
        case .known(let pair):
            made.pair = pair
        case .set(let pair):
            made.pair = pair
            let isSet = session.setPair(
                pair,
                foreground: colors.foreground,
                background: colors.background
            )
            if !isSet { made.pair = 0 }
        case .full:
            return nil
        }
        return made
    }

    private func shownScalar(_ scalar: UInt32) -> UInt32 {
        if scalar == 0 { return 0x20 }
        return isASCIIOnly && scalar > 0x7E ? 0x3F : scalar
    }
}

extension FrameCell {
    /// Whether this cell is two columns wide according to the C library.
    ///
    /// The next cell must be the right half of the character. The width of a grapheme cluster is
    /// the width of its first scalar.
    fileprivate var startsWide: Bool {
        guard isCluster else { return true }
        return scalars.first.flatMap(Unicode.Scalar.init).map(CharacterWidth.columns) == 2
    }
}

extension CellColor {
    /// The palette index, or -1 for the default color.
    ///
    /// Frames for palette terminals contain no 24-bit colors. If a 24-bit color occurs anyway, its
    /// components are rounded to the nearest color of the color cube.
    fileprivate var index: Int {
        switch kind {
        case .terminalDefault: return -1
        case .palette(let index): return Int(index)
        case .rgb(let red, let green, let blue):
            func level(_ part: UInt8) -> Int {
                part < 48 ? 0 : part < 115 ? 1 : (Int(part) - 35) / 40
            }
            return 16 + 36 * level(red) + 6 * level(green) + level(blue)
        }
    }
}
