import VirtualTerminal

@testable import TerminalUI

extension Frame {
    /// The frame in a normalized form, in which cells that look alike are equal.
    var appearance: Frame {
        var frame = Frame(size: size)
        for row in 0..<size.rows {
            for column in 0..<size.columns { frame[row, column] = self[row, column].appearance }
        }
        return frame
    }

    /// Where two frames look different, in words; empty if nowhere.
    func differences(from other: Frame) -> [String] {
        guard size == other.size else { return ["\(size) is not \(other.size)"] }
        let (ours, theirs) = (appearance, other.appearance)
        return (0..<size.rows).flatMap { row in
            (0..<size.columns).compactMap { column in
                let (mine, its) = (ours[row, column], theirs[row, column])
                return mine == its ? nil : "(\(row), \(column)): \(mine) is not \(its)"
            }
        }
    }
}

extension FrameCell {
    var appearance: FrameCell {
        var cell = self
        if scalar >= GraphemeClusters.first {
            let scalars = scalars
            cell.scalar =
                scalars.count == 1 ? scalars[0] : GraphemeClusters.number(of: scalars) ?? 0xFFFD
            return cell
        }
        if scalar == 0x20, attributes.isDisjoint(with: [.reverse, .underline]) {
            return FrameCell(background: background)
        }
        guard attributes.isEmpty else { return cell }
        if foreground == background, foreground != .terminalDefault, scalar >= 0x2580 {
            if scalar <= 0x259F { return FrameCell(background: background) }
        }
        if scalar == 0x2584, foreground != .terminalDefault, background != .terminalDefault {
            cell.scalar = 0x2580
            swap(&cell.foreground, &cell.background)
        }
        return cell
    }
}
