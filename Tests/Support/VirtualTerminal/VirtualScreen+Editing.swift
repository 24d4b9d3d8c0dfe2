import TerminalUI

extension VirtualScreen {
    mutating func move(_ newRow: Int, _ newColumn: Int) {
        row = min(max(0, newRow), size.rows - 1)
        column = min(max(0, newColumn), size.columns - 1)
        isWrapPending = false
        anchor = nil
    }

    mutating func put(_ scalar: UInt32) {
        if extend(with: scalar) { return }
        let width = CharacterWidth.of(scalar)
        guard width > 0, width <= size.columns else { return }
        if isWrapPending || column + width > size.columns {
            if modes.contains(7) {
                move(row, 0)
                lineFeed()
            } else {
                move(row, size.columns - width)
            }
        }
        separate(at: column)
        separate(at: column + width)
        var cell = style
        cell.scalar = scalar
        self[row: row, column] = cell
        if width == 2 {
            cell.scalar = 0
            self[row: row, column + 1] = cell
        }
        lastWritten = scalar
        anchor = (row, column)
        isWrapPending = column + width == size.columns
        column = min(column + width, size.columns - 1)
    }

    /// Blanks a wide character that a change beginning at `column` would cut in two.
    mutating func separate(at column: Int) {
        guard column > 0, column < size.columns, self[row, column].scalar == 0 else { return }
        self[row: row, column - 1].scalar = 0x20
        self[row: row, column].scalar = 0x20
    }

    mutating func lineFeed() {
        if row == region.upperBound - 1 {
            scrollUp(region, by: 1)
        } else {
            move(row + 1, column)
        }
    }

    mutating func reverseLineFeed() {
        if row == region.lowerBound {
            scrollDown(region, by: 1)
        } else {
            move(row - 1, column)
        }
    }

    private var erased: FrameCell {
        FrameCell(background: erasesWithColor ? style.background : .terminalDefault)
    }

    mutating func blank(_ row: Int, _ columns: Range<Int>) {
        for column in columns { self[row: row, column] = erased }
    }

    mutating func eraseInLine(_ kind: Int) {
        switch kind {
        case 0: blank(row, column..<size.columns)
        case 1: blank(row, 0..<column + 1)
        default: blank(row, 0..<size.columns)
        }
    }

    mutating func eraseInDisplay(_ kind: Int) {
        let rows =
            switch kind {
            case 0: row + 1..<size.rows
            case 1: 0..<row
            default: 0..<size.rows
            }
        if kind < 2 { eraseInLine(kind) }
        for row in rows { blank(row, 0..<size.columns) }
    }

    mutating func scrollUp(_ rows: Range<Int>, by count: Int) {
        for row in rows {
            let source = row + count
            for column in 0..<size.columns {
                self[row: row, column] = source < rows.upperBound ? self[source, column] : erased
            }
        }
    }

    mutating func scrollDown(_ rows: Range<Int>, by count: Int) {
        for row in rows.reversed() {
            let source = row - count
            for column in 0..<size.columns {
                self[row: row, column] = source >= rows.lowerBound ? self[source, column] : erased
            }
        }
    }

    mutating func insertLines(_ count: Int) {
        guard region.contains(row) else { return }
        scrollDown(row..<region.upperBound, by: count)
    }

    mutating func deleteLines(_ count: Int) {
        guard region.contains(row) else { return }
        scrollUp(row..<region.upperBound, by: count)
    }

    mutating func insertCells(_ count: Int) {
        for target in (column..<size.columns).reversed() {
            self[row: row, target] = target - count >= column ? self[row, target - count] : erased
        }
    }

    mutating func deleteCells(_ count: Int) {
        for target in column..<size.columns {
            let source = target + count
            self[row: row, target] = source < size.columns ? self[row, source] : erased
        }
    }
}
