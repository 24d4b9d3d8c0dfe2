import GalleryCore

/// One row of a frame's cells, counted from 0, while the frame's storage is borrowed.
struct CellRow {
    private let cells: UnsafeBufferPointer<FrameCell>

    /// A row of `columns` cells.
    ///
    /// A row outside the frame is our own mistake.
    init(_ row: Int, of cells: UnsafeBufferPointer<FrameCell>, columns: Int) {
        self.cells = UnsafeBufferPointer(rebasing: cells[row * columns..<(row + 1) * columns])
    }

    var count: Int { cells.count }

    subscript(column: Int) -> FrameCell { cells[column] }

    /// A number that differs, as good as always, between rows that look different.
    var fingerprint: UInt64 {
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
    /// Equality by the stored bits, which the compiler can inline from another module.
    @inline(__always)
    func isSame(as other: FrameCell) -> Bool {
        scalar == other.scalar && foreground.rawValue == other.foreground.rawValue
            && background.rawValue == other.background.rawValue
            && attributes.rawValue == other.attributes.rawValue
    }
}
