import TerminalUI

/// The help page with the keys, the mouse actions and the symbols.
///
/// If there is enough space, it has two columns.
struct HelpView {
    let state: GalleryState
    let scroll: Int

    private enum Line {
        case blank
        case title(String)
        case keys(String, String)
        case signs([TileSign], String)
        /// The symbol of a waiting image and the progress bar of a loading image, with their
        /// description.
        case loading(String)
        /// The badges of a mark and a label and the symbol of a new image, with their description.
        case badges(String)
    }

    /// The minimum screen width for two columns of text.
    private static let wideScreen = 100
    private static let labelWidth = 18

    func draw(into frame: inout Frame) {
        let screen = state.screen
        let isWide = screen.columns >= Self.wideScreen
        let width = isWide ? min(56, (screen.columns - 4) / 2) : screen.columns
        let left = isWide ? max(2, (screen.columns - 2 * width) / 2 + 2) : Self.margin(screen)
        for (index, lines) in Self.columns(on: screen, state.keys.groups).enumerated() {
            let column = left + index * width
            let end = min(screen.columns, column + width) - 1
            let shown = lines.dropFirst(scroll).prefix(Self.height(on: screen))
            for (offset, line) in shown.enumerated() {
                let row = Self.top(on: screen) + offset
                draw(line, row: row, columns: column..<max(column, end), into: &frame)
            }
        }
    }

    // MARK: Content

    private static func leftGroups(_ groups: [KeyGroup]) -> [[Line]] {
        groups[..<3].map(keys) + [signs]
    }

    private static func rightGroups(_ groups: [KeyGroup]) -> [[Line]] {
        groups[3...].map(keys) + [mouse]
    }

    private static func keys(_ group: KeyGroup) -> [Line] {
        [.title(group.title)]
            + group.bindings.compactMap { binding in
                binding.help.map { .keys(binding.label, $0) }
            }
    }

    private static let mouse: [Line] = [
        .title("Mouse"),
        .keys("wheel  click", "scroll, select"),
        .keys("double click", "open, and back"),
        .keys("wheel  drag", "zoom, move an open image"),
        .keys("middle button", "jump to that position"),
    ]

    private static let signs: [Line] = [
        .title("Signs below an image"),
        .signs([.network, .disk, .memory], "from network, disk, memory"),
        .loading("waiting, loading"),
        .signs([.incomplete, .stale, .mayChange], "incomplete, stale, may change"),
        .signs([.failed, .cancelled], "failed, cancelled"),
        .signs([.unsupported, .paused], "not supported, paused"),
        .badges("marked, labeled 3, new"),
    ]

    /// Returns the lines of each column.
    ///
    /// Keys that the user has changed affect the text of the lines but not their number.
    private static func columns(
        on screen: ScreenSize,
        _ groups: [KeyGroup] = KeyTable.groups
    ) -> [[Line]] {
        let (left, right) = (joined(leftGroups(groups)), joined(rightGroups(groups)))
        return screen.columns >= wideScreen ? [left, right] : [left + [.blank] + right]
    }

    private static func joined(_ groups: [[Line]]) -> [Line] {
        Array(groups.map { $0[...] }.joined(separator: [.blank]))
    }

    // MARK: Visible part

    private static func margin(_ screen: ScreenSize) -> Int { screen.columns >= 60 ? 6 : 1 }

    private static func top(on screen: ScreenSize) -> Int { screen.rows >= 12 ? 1 : 0 }

    /// Returns the number of rows available for lines.
    static func height(on screen: ScreenSize) -> Int {
        max(1, screen.rows - 1 - 2 * top(on: screen))
    }

    private static func lineCount(on screen: ScreenSize) -> Int {
        columns(on: screen).map(\.count).max() ?? 0
    }

    /// Returns the largest scroll position, at which the last line is visible.
    static func lastScroll(on screen: ScreenSize) -> Int {
        max(0, lineCount(on: screen) - height(on: screen))
    }

    /// Returns a note about the visible rows, or nil if all rows are visible.
    static func rowsNote(scroll: Int, on screen: ScreenSize) -> String? {
        guard lastScroll(on: screen) > 0 else { return nil }
        let end = scroll + height(on: screen)
        return "rows \(scroll + 1)-\(end) of \(lineCount(on: screen))"
    }

    // MARK: Lines

    private func draw(_ line: Line, row: Int, columns: Range<Int>, into frame: inout Frame) {
        let theme = state.theme
        let start = columns.lowerBound
        switch line {
        case .blank: break
        case .title(let title):
            let text = state.text(title, limit: columns.count)
            frame.draw(text, row: row, column: start, style: theme.style(.accent))
        case .keys(let label, let help):
            let width = labelWidth(columns)
            let text = state.text(label, limit: width)
            frame.draw(text, row: row, column: start, style: theme.style(.strong))
            draw(help, row: row, columns: columns, after: text.width, into: &frame)
        case .signs(let signs, let help):
            for (index, sign) in signs.enumerated() {
                draw(sign, row: row, column: start + 3 * index, into: &frame)
            }
            draw(help, row: row, columns: columns, into: &frame)
        case .loading(let help):
            draw(.queued, row: row, column: start, into: &frame)
            let bar = ProgressBar(fraction: 0.5, columns: 5).text(state)
            let style = theme.style(.progress)
            frame.draw(state.text(bar), row: row, column: start + 3, style: style)
            draw(help, row: row, columns: columns, into: &frame)
        case .badges(let help):
            let badges = [Badge(isMarked: true), Badge(label: 3)]
            for (index, badge) in badges.enumerated() {
                badge.draw(row: row, column: start + 4 * index, into: &frame, state: state)
            }
            let sign = state.glyph("•", ascii: "+")
            frame.draw(sign, row: row, column: start + 8, style: theme.style(.strong))
            draw(help, row: row, columns: columns, into: &frame)
        }
    }

    private func draw(_ sign: TileSign, row: Int, column: Int, into frame: inout Frame) {
        let (symbol, ascii) = sign.spelling
        let text = state.glyph(symbol, ascii: ascii)
        frame.draw(text, row: row, column: column, style: state.theme.style(sign.tone))
    }

    /// Draws a help text after its label.
    ///
    /// In a narrow window, the text starts directly after the label.
    private func draw(
        _ help: String,
        row: Int,
        columns: Range<Int>,
        after label: Int = 8,
        into frame: inout Frame
    ) {
        let isNarrow = columns.count < 50
        let column = columns.lowerBound + (isNarrow ? max(10, label + 2) : Self.labelWidth)
        let text = state.text(help, limit: columns.upperBound - column)
        frame.draw(text, row: row, column: column, style: state.theme.style(.caption))
    }

    /// Returns the maximum width of a label.
    ///
    /// In a very narrow window, it is about half of the width of the column.
    private func labelWidth(_ columns: Range<Int>) -> Int {
        columns.count >= 30 ? Self.labelWidth : columns.count / 2 - 2
    }
}
