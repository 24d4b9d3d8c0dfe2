import GalleryCore

/// Paints through ncurses' cells and colour pairs: terminals with up to 256 colours.
final class CursesPainter: Painter {
    private let session: CursesSession
    private let colorCount: Int
    private let isASCIIOnly: Bool
    private var pairs: ColorPairs
    private var shown: Frame?

    /// With `usesColor` false, or on a terminal without colours, only attributes are used.
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

    func paint(_ frame: Frame) {
        if !putChanges(frame) {
            // The pair table is full. Emptied it holds any one frame, or the frame has more
            // colour pairs than the terminal, and the rest is drawn without colour.
            pairs.removeAll()
            session.resetPairs()
            shown = nil
            _ = putChanges(frame)
        }
        shown = frame
        session.showCursor(at: frame.cursor)
        session.refresh()
    }

    func invalidate() {
        session.invalidate()
    }

    func invalidate(row: Int, columns: Range<Int>) {
        session.invalidate(row: row)
    }

    /// Gives ncurses the cells that differ; false if the pair table got full on the way.
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
                // ncurses makes the right half of a wide character itself.
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

    /// Nil if there is no pair left for its colours.
    private func cursesCell(_ cell: FrameCell) -> CursesCell? {
        var made = CursesCell(
            scalar: shownScalar(cell.scalar),
            attributes: cell.attributes,
            pair: 0
        )
        guard colorCount > 0 else { return made }
        let (foreground, background) = (cell.foreground.index, cell.background.index)
        // Eight colours get their bright half by bold, as the Linux console has it.
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
    /// Whether the C library counts two columns for it: of a cluster its first scalar decides.
    fileprivate var startsWide: Bool {
        guard isCluster else { return true }
        return scalars.first.flatMap(Unicode.Scalar.init).map(CharacterWidth.columns) == 2
    }
}

extension CellColor {
    /// The palette index, -1 for the default.
    ///
    /// A 24-bit colour, which a frame for a palette terminal doesn't have, becomes the nearest of
    /// the colour cube, each part rounded.
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
