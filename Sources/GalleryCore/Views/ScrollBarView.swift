internal import BitCollections
internal import Feeds
import TerminalUI

/// A scroll bar at the right edge of the grid, with ticks for marked and failed images.
///
/// It is shown if the items need more than one screen. It uses the margin beside the images, so it
/// never covers an image or the selection frame. A small window has no margin for it.
struct ScrollBarView {
    let state: GalleryState

    /// The minimum width of a screen with a free column at the edge.
    private static let leastColumns = 60
    private static let leastRows = 4

    func draw(into frame: inout Frame) {
        let layout = state.grid.layout
        let end = state.trace.row ?? (state.screen.rows - 1 - state.laneRows)
        guard state.screen.columns >= Self.leastColumns, layout.lastTopRow > 0,
            end >= Self.leastRows
        else { return }
        let column = (state.panels.column ?? state.screen.columns) - 1
        let bar = ScrollBar(
            height: end,
            rowCount: layout.lastTopRow + layout.rows,
            visible: state.grid.topRow..<state.grid.topRow + layout.rows
        )
        for row in bar.thumb { draw("▐", ascii: "|", .dim, at: row, column, &frame) }
        for row in ticks(bar, of: state.choices.marks) {
            draw("◆", ascii: "*", .strong, at: row, column, &frame)
        }
        // If a row has both ticks, the failure is shown.
        for row in ticks(bar, of: state.pool.failedItems) {
            draw("✗", ascii: "x", .failure, at: row, column, &frame)
        }
    }

    private func draw(
        _ sign: String,
        ascii: String,
        _ tone: Theme.Tone,
        at row: Int,
        _ column: Int,
        _ frame: inout Frame
    ) {
        let style = state.theme.style(tone)
        frame.draw(state.glyph(sign, ascii: ascii), row: row, column: column, style: style)
    }

    /// The maximum number of items for which every tick is drawn.
    ///
    /// The limit bounds the time to draw a frame. If there are more items, about the same number of
    /// positions across the whole order is also tested to let the ticks reach the end of the bar.
    private static let mostTicks = 2_000
    /// The maximum length of an order that is searched for the positions of items.
    private static let mostSearched = 20_000

    /// Returns the rows of the bar that contain at least one of the items.
    private func ticks(_ bar: ScrollBar, of items: some Collection<Int>) -> Set<Int> {
        guard !items.isEmpty else { return [] }
        let order = state.grid.order
        let columns = state.grid.layout.columns
        guard order.isAscending || order.isFeedOrder else {
            guard order.count <= Self.mostSearched else { return [] }
            // Looking up an item in a `Set` or `BitSet` takes constant time.
            let positions = (0..<order.count).lazy.filter { items.contains(order[$0]) }
            return Set(positions.map { bar.row(ofRow: $0 / columns) })
        }
        var positions = items.prefix(Self.mostTicks).compactMap { order.position(of: $0) }
        if items.count > Self.mostTicks {
            let samples = stride(from: 0, to: order.count, by: max(1, order.count / Self.mostTicks))
            positions += samples.filter { items.contains(order[$0]) }
        }
        return Set(positions.map { bar.row(ofRow: $0 / columns) })
    }
}

/// The geometry of a scroll bar, which maps rows of content to rows of the bar.
struct ScrollBar: Equatable, Sendable {
    /// The number of rows in the bar.
    let height: Int
    /// The number of rows of the content.
    let rowCount: Int
    /// The visible rows of the content.
    let visible: Range<Int>

    /// The rows of the bar that represent the visible content, at least one row.
    var thumb: Range<Int> {
        let length = max(1, min(height, (visible.count * height + rowCount / 2) / max(1, rowCount)))
        let hidden = rowCount - visible.count
        guard hidden > 0 else { return 0..<height }
        // The thumb touches an end of the bar only if the content is scrolled to that end.
        var start = visible.lowerBound * (height - length) / hidden
        if start == 0, visible.lowerBound > 0, height - length > 1 { start = 1 }
        return start..<start + length
    }

    /// Returns the row of the bar that represents a row of the content.
    func row(ofRow row: Int) -> Int { min(height - 1, max(0, row) * height / max(1, rowCount)) }
}
