import GalleryCore

extension FrameCell {
    /// Colours and attributes.
    var style: CellStyle {
        CellStyle(foreground: foreground, background: background, attributes: attributes)
    }

    /// A cell that looks the same and takes the fewest bytes when `style` is in force.
    ///
    /// A blank takes over the foreground; a glyph in its own background's colour is a blank;
    /// an upper half block is a lower one with exchanged colours.
    func cheapest(after style: CellStyle) -> FrameCell {
        guard attributes.isEmpty else { return self }
        let isInvisible = foreground == background && foreground != .terminalDefault
        if scalar == Self.space || isInvisible && Self.blocks.contains(scalar) {
            return blank(after: style)
        }
        let isHalfBlock = scalar == Self.upperHalf || scalar == Self.lowerHalf
        guard isHalfBlock, foreground != .terminalDefault, background != .terminalDefault else {
            return self
        }
        let changes = style.changes(toForeground: foreground, background: background)
        let exchanged = style.changes(toForeground: background, background: foreground)
        guard exchanged < changes else { return self }
        var cell = self
        swap(&cell.foreground, &cell.background)
        cell.scalar = scalar == Self.upperHalf ? Self.lowerHalf : Self.upperHalf
        return cell
    }

    private static let space: UInt32 = 0x20
    private static let upperHalf: UInt32 = 0x2580
    private static let lowerHalf: UInt32 = 0x2584
    /// Block elements, one cell wide each.
    private static let blocks: ClosedRange<UInt32> = 0x2580...0x259F

    private func blank(after style: CellStyle) -> FrameCell {
        var cell = FrameCell(background: background)
        cell.foreground = style.foreground
        if style.attributes.isDisjoint(with: [.reverse, .underline]) {
            cell.attributes = style.attributes
        }
        return cell
    }
}

extension CellStyle {
    /// How many of the two colours have to be set.
    fileprivate func changes(toForeground wanted: CellColor, background: CellColor) -> Int {
        (foreground == wanted ? 0 : 1) + (self.background == background ? 0 : 1)
    }
}
