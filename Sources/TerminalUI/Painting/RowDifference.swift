/// A namespace for finding the cells of a row that must be written again.
enum RowDifference {
    /// Marks the columns that must be written to change a row from `old` to `new`.
    ///
    /// Returns false if no column differs. Selection frames are drawn with `▂`, which extends into
    /// the next column in some fonts (DejaVu Sans Mono in xterm). If this character is removed, the
    /// next column is also written. A terminal that overwrites one half of a wide character blanks
    /// the other half, so all columns of every affected old or new character are written.
    package static func mark(_ marks: inout [Bool], old: CellRow, new: CellRow) -> Bool {
        var isChanged = false
        var hasLong = false
        var hasRemovedEdge = false
        for column in 0..<new.count {
            let differs = !old[column].isSame(as: new[column])
            marks[column] = differs || hasRemovedEdge
            hasRemovedEdge = differs && old[column].scalar == 0x2582
            isChanged = isChanged || differs
            hasLong = hasLong || old[column].continues || new[column].continues
        }
        if isChanged, hasLong { widen(&marks, old: old, new: new) }
        return isChanged
    }

    /// Returns the number of cells that differ.
    package static func count(old: CellRow, new: CellRow) -> Int {
        var count = 0
        for column in 0..<new.count where !old[column].isSame(as: new[column]) { count += 1 }
        return count
    }

    /// Marks all columns of each marked character.
    ///
    /// The marks are first extended to the right and then to the left. Columns that share an old or
    /// new character form contiguous chains. If one column of a chain is marked, the whole chain is
    /// marked.
    private static func widen(_ marks: inout [Bool], old: CellRow, new: CellRow) {
        for column in stride(from: 1, to: new.count, by: 1)
        where marks[column - 1] && (old[column].continues || new[column].continues) {
            marks[column] = true
        }
        for column in stride(from: new.count - 1, to: 0, by: -1)
        where marks[column] && (old[column].continues || new[column].continues) {
            marks[column - 1] = true
        }
    }
}

/// The cells of a row in a frame, numbered from 0.
///
/// The cells are not copied, so the frame must outlive the row.
struct CellRow {
    private let cells: UnsafeBufferPointer<FrameCell>

    /// Creates a row of `columns` cells; the row must be inside the frame.
    init(_ row: Int, of cells: UnsafeBufferPointer<FrameCell>, columns: Int) {
        self.cells = UnsafeBufferPointer(rebasing: cells[row * columns..<(row + 1) * columns])
    }

    package var count: Int { cells.count }

    subscript(column: Int) -> FrameCell { cells[column] }

    /// A hash for comparing rows.
    ///
    /// If two rows look different, their hashes almost always differ.
    package var fingerprint: UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for cell in cells {
            let glyph = UInt64(cell.scalar) << 32 | UInt64(cell.foreground.rawValue)
            let ground = UInt64(cell.background.rawValue) << 8 | UInt64(cell.attributes.rawValue)
            hash = (hash ^ glyph) &* 0x9E37_79B9_7F4A_7C15
            hash = (hash ^ hash >> 29 ^ ground) &* 0xBF58_476D_1CE4_E5B9
        }
        return hash
    }
}

extension FrameCell {
    /// The same value as `isContinuation`, computed with a single comparison that the compiler can
    /// inline.
    ///
    /// If the scalar is 0, the subtraction wraps around to the largest number.
    @inline(__always)
    var continues: Bool { scalar &- 1 >= 0xBFFF_FFFF }

    /// Whether the cell contains several scalars, which may differ in width between terminals.
    @inline(__always)
    var isCluster: Bool { scalar >= 0x8000_0000 }

    /// Returns whether two cells are equal, in a form that the compiler can inline across modules.
    @inline(__always)
    package func isSame(as other: FrameCell) -> Bool {
        scalar == other.scalar && foreground.rawValue == other.foreground.rawValue
            && background.rawValue == other.background.rawValue
            && attributes.rawValue == other.attributes.rawValue
    }
}
