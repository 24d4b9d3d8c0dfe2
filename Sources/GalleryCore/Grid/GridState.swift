import Decoders
internal import Feeds
import TerminalUI

/// The state of the grid: the visible items, the selection and the scroll position.
///
/// After any change, `settle` keeps the selection valid and on the screen.
struct GridState: Equatable, Sendable {
    private(set) var layout: GridLayout
    /// The visible items of the feed, and their order.
    private(set) var order = ItemOrder(feedCount: 0)
    /// The selected position.
    private(set) var selection = 0
    private(set) var topRow = 0
    /// The position to select when the next feed opens.
    ///
    /// When the user leaves a feed, the position is stored only if the feed is shown in feed order,
    /// in which positions equal item numbers.
    var firstSelection = 0
    /// The tile width in columns, or nil for an automatic width.
    var tileWidth: Int?
    /// The number of images that determines the automatic tile width.
    ///
    /// It does not change when the list changes.
    private var sizedFor = Int.max
    private(set) var autoScroll: AutoScroll?

    init(on display: DisplayState, settings: GallerySettings) {
        tileWidth = settings.tileWidth
        layout = GridLayout(
            screen: display.size,
            cellPixels: display.capabilities.cellPixels,
            itemCount: 0,
            sizedFor: .max
        )
        if settings.scrollsByItself { autoScroll = AutoScroll(ticksPerRow: settings.ticksPerRow) }
    }

    /// The number of items that pass the filter.
    var count: Int { order.count }

    /// The selected item, or nil if there are no items.
    var selectedItem: Int? { selection < count ? order[selection] : nil }

    /// The position of the next image, or nil if there is no other image.
    ///
    /// After the last image, the first image is next.
    var nextPosition: Int? { count > 1 ? (selection + 1) % count : nil }

    /// Whether the first item is selected and visible.
    var isAtStart: Bool { selection == 0 && topRow == 0 }

    // MARK: Layout

    /// Returns the layout without panels.
    func wholeLayout(on display: DisplayState) -> GridLayout {
        wholeLayout(on: display, tileWidth: tileWidth)
    }

    private func wholeLayout(on display: DisplayState, tileWidth: Int?) -> GridLayout {
        GridLayout(
            screen: display.gridSize,
            cellPixels: display.capabilities.cellPixels,
            itemCount: count,
            sizedFor: sizedFor,
            tileWidth: tileWidth
        )
    }

    /// Applies a layout, and adjusts the selection and the scroll position.
    mutating func settle(in layout: GridLayout) {
        self.layout = layout
        clampSelection()
        topRow = layout.topRow(topRow, showing: selection)
    }

    /// Applies the tile widths of justified rows.
    mutating func justify(_ widths: [Int]) { layout.justifiedWidths = widths }

    private mutating func clampSelection() { selection = max(0, min(selection, count - 1)) }

    /// Adapts the automatic tile width to the number of items in a feed.
    ///
    /// An empty feed or a feed that may grow has the same tile width as a long feed.
    mutating func sizeTiles(for feed: Feed?) {
        sizedFor = feed.map { $0.isOpen || $0.count == 0 ? .max : $0.count } ?? .max
    }

    /// Changes the number of columns by `step`.
    ///
    /// Returns false if the tiles are already as wide or as narrow as possible.
    mutating func changeColumns(by step: Int, on display: DisplayState) -> Bool {
        let width = wholeLayout(on: display).tileWidth(
            changingColumnsBy: step,
            cellPixels: display.capabilities.cellPixels
        )
        guard let width else { return false }
        let automatic = wholeLayout(on: display, tileWidth: nil).columns
        // A width with the same effect as the automatic width does not need to be saved.
        tileWidth =
            wholeLayout(on: display, tileWidth: width).columns == automatic ? nil : width
        return true
    }

    // MARK: Selection

    /// Selects a position.
    ///
    /// `settle` later limits the position to the valid range.
    mutating func select(_ position: Int) { selection = position }

    /// Restores an earlier selection and scroll position.
    mutating func restore(_ origin: FindingState.Origin) {
        selection = origin.selection
        topRow = origin.topRow
    }

    /// Repeats a movement of the selection `count` times.
    mutating func move(_ movement: Movement, times count: Int) {
        // A larger count would have the same result but could overflow.
        let times = min(max(1, count), self.count)
        let rows = (movement.screenful(rows: layout.rows) ?? 0) * times
        let target =
            switch movement {
            case .left: selection - times
            case .right: selection + times
            case .up: selection - layout.columns * min(times, selectedRow)
            case .down: selection + layout.columns * min(times, rowsBelow)
            case .pageUp, .pageDown, .halfUp, .halfDown: selection + rows * layout.columns
            case .first: 0
            case .last: self.count - 1
            }
        selection = target
        clampSelection()
        topRow = max(0, min(topRow + rows, layout.lastTopRow))
    }

    /// The row of the selected item in the whole list.
    private var selectedRow: Int { selection / layout.columns }

    /// The row of the selected item, relative to the first visible row.
    private var selectedScreenRow: Int { selectedRow - topRow }

    /// The number of rows below the selected row, including an incomplete last row.
    private var rowsBelow: Int { layout.totalRows - 1 - selectedRow }

    // MARK: Scrolling

    /// Scrolls by a number of rows, and moves the selection by the same number of rows.
    mutating func scroll(rows: Int) { scroll(toRow: topRow + rows) }

    private mutating func scroll(toRow row: Int) {
        let target = max(0, min(layout.lastTopRow, row))
        selection += (target - topRow) * layout.columns
        topRow = target
    }

    /// Starts or stops automatic scrolling.
    ///
    /// `stopHint` names the key that stops it.
    mutating func toggleAutoScroll(ticksPerRow: Int, stopHint: String) -> Notice {
        if autoScroll != nil {
            autoScroll = nil
            return Notice("auto-scroll off")
        }
        guard layout.lastTopRow > 0 else {
            return Notice("nothing to scroll: all images are on the screen")
        }
        autoScroll = AutoScroll(ticksPerRow: ticksPerRow)
        return Notice("auto-scroll on" + stopHint)
    }

    /// Handles a tick of automatic scrolling, and returns whether the grid has scrolled.
    mutating func tickAutoScroll() -> Bool {
        let old = topRow
        let next = autoScroll?.tick(topRow: old, lastTopRow: layout.lastTopRow) ?? old
        guard next != old else { return false }
        scroll(toRow: next)
        return true
    }

    // MARK: Order

    /// Shows another feed, and selects the position `firstSelection`.
    mutating func open(_ order: ItemOrder) {
        self.order = order
        selection = firstSelection
        firstSelection = 0
        topRow = 0
    }

    /// Changes the visible items or their order, and returns false if they did not change.
    ///
    /// The selected item stays selected. If it is no longer visible, the nearest remaining item is
    /// selected.
    mutating func show(_ newOrder: ItemOrder) -> Bool {
        guard newOrder != order else { return false }
        let item = selectedItem
        let row = selectedScreenRow
        order = newOrder
        if let item { selection = order.nearestPosition(to: item, before: selection) }
        keepSelection(inScreenRow: row)
        return true
    }

    /// Shows all items of a feed that has grown at its end.
    ///
    /// The selected position and the scroll position do not change.
    mutating func showAll(_ whole: ItemOrder) { order = whole }

    /// Adds the new items of a feed that has grown at its start, above the visible rows.
    ///
    /// Only complete rows are added, so nothing on the screen moves. The remaining new items are
    /// added later.
    mutating func growAtStart(to whole: ItemOrder) {
        let rows = (whole.count - order.count) / layout.columns
        order = ItemOrder(newestFirst: order.count + rows * layout.columns)
        selection += rows * layout.columns
        topRow += rows
    }

    /// Applies the new item numbers of a reloaded feed.
    ///
    /// If `newOrder` is nil, the remaining items keep their order.
    ///
    /// The same item stays selected, and stays in its screen row if there are enough rows above it.
    /// If the item was removed, the nearest remaining item is selected.
    mutating func renumber(_ numbers: FeedRenumbering, in newOrder: ItemOrder?) {
        let selected = selectedItem.flatMap { numbers[$0] } ?? neighbor(numbers)
        let row = selectedScreenRow
        order = newOrder ?? order.renumbered(numbers)
        selection = selected.flatMap(order.position) ?? selection
        keepSelection(inScreenRow: row)
    }

    /// Returns the new number of the nearest remaining item after the selected item.
    ///
    /// If no later item remains, returns the new number of the nearest remaining item before the
    /// selected item.
    private func neighbor(_ numbers: FeedRenumbering) -> Int? {
        let behind = (min(selection, count)..<count).lazy
        let before = (0..<min(selection, count)).reversed().lazy
        return behind.compactMap { numbers[order[$0]] }.first
            ?? before.compactMap { numbers[order[$0]] }.first
    }

    /// Scrolls until the selected item is in the screen row `row`.
    ///
    /// If there are too few rows above the item, it appears in a higher screen row.
    private mutating func keepSelection(inScreenRow row: Int) {
        clampSelection()
        topRow = max(0, selectedRow - row)
    }
}
