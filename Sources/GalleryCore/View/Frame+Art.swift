extension Frame {
    /// Draws art into a rectangle, from its upper left corner; what is larger is cut.
    mutating func draw(_ art: CellArt, in rect: FrameRect, dimmed: Bool) {
        for row in 0..<min(art.rows, rect.rows) {
            for column in 0..<min(art.columns, rect.columns) {
                let cell = art[row, column]
                place(
                    dimmed ? cell.dimmed : cell,
                    row: rect.row + row,
                    column: rect.column + column
                )
            }
        }
    }
}

extension FrameCell {
    /// The cell at a third of its brightness; where colours are the terminal's own, by attribute.
    fileprivate var dimmed: FrameCell {
        var cell = self
        cell.foreground = foreground.dimmed
        cell.background = background.dimmed
        if case .rgb = foreground.kind { return cell }
        cell.attributes.insert(.dim)
        return cell
    }
}

extension CellColor {
    fileprivate var dimmed: CellColor {
        guard case .rgb(let red, let green, let blue) = kind else { return self }
        return .rgb(red / 5 * 2, green / 5 * 2, blue / 5 * 2)
    }
}
