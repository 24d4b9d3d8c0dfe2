import TerminalUI

/// The visible part of a panel or a page.
///
/// The content consists of groups of lines. A panel shows complete groups; pressing its key again
/// shows the groups that did not fit. A page shows all groups and scrolls by lines.
struct PanelContent {
    let area: PanelArea
    /// The number of rows available for lines.
    let height: Int
    /// The number of rows of each group, including its heading.
    private let heights: [Int]
    private let position: PanelPosition

    /// Creates the content.
    ///
    /// `bottomMargin` is the number of empty rows at the bottom of a page.
    init(
        heights: [Int],
        in area: PanelArea,
        bottomMargin: Int = 0,
        at position: PanelPosition = PanelPosition()
    ) {
        self.heights = heights
        self.area = area
        self.position = position
        height = area.isPage ? max(1, area.height - bottomMargin) : area.height
    }

    /// The number of lines on a page, including the empty lines between groups.
    private var lineCount: Int { max(0, heights.reduce(-1) { $0 + 1 + $1 }) }

    /// The largest scroll position of a page.
    private var lastStart: Int { max(0, lineCount - height) }

    /// The first visible line of a page, or 0 for a panel.
    var firstLine: Int { area.isPage ? max(0, min(position.line, lastStart)) : 0 }

    /// The indices of the groups to draw.
    var visibleGroups: Range<Int> {
        area.isPage ? 0..<heights.count : area.groups(of: heights, from: position.group)
    }

    /// The position after the next press of the panel's key, or nil if the end is already visible.
    var nextPosition: PanelPosition? {
        if area.isPage {
            return firstLine < lastStart ? scrolled(to: firstLine + height) : nil
        }
        guard visibleGroups.upperBound < heights.count else { return nil }
        var next = position
        next.group = visibleGroups.upperBound
        return next
    }

    /// Returns the position at which the page starts with `line`, limited to the valid range.
    func scrolled(to line: Int) -> PanelPosition {
        var next = position
        next.line = max(0, min(line, lastStart))
        return next
    }

    /// Returns a hint about the panel's key, such as "s shows more".
    ///
    /// Returns an empty string if the panel has no key.
    func hint(key: String) -> String {
        key.isEmpty ? "" : "\(key) \(nextPosition == nil ? "closes" : "shows more")"
    }

    /// A note about the visible rows of a page, or nil if all rows are visible.
    var rowsNote: String? {
        guard lastStart > 0 else { return nil }
        return "rows \(firstLine + 1)-\(min(lineCount, firstLine + height)) of \(lineCount)"
    }
}
