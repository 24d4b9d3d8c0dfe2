import TerminalUI

extension CellPool {
    /// Adapts the tiles of justified rows to the images that they show.
    ///
    /// Returns the widths of the tiles in screen order, or nothing if all tiles have the same
    /// width. Each row has `columns` tiles.
    mutating func justifyRows(of columns: Int) -> [Int] {
        guard area.style == .justified else { return [] }
        return stride(from: 0, to: shown.count, by: columns).flatMap { start in
            let row = shown[start..<min(start + columns, shown.count)].map { slotOfItem[$0] }
            let widths = JustifiedRow.widths(
                natural: row.map { $0.flatMap { slots[$0].naturalColumns(in: area) } },
                tile: area.box.columns,
                least: GridLayout.leastWidth
            )
            for case (let slot?, let width) in zip(row, widths)
            where slots[slot].tileColumns != width {
                slots[slot].tileColumns = width
                slots[slot].render(in: area)
            }
            return widths
        }
    }
}
