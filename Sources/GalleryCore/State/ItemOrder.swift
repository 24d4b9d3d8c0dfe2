internal import Feeds
import SystemSupport

/// The visible items of the feed, and their order.
///
/// A *position* is an index into the visible items, and an *item* is an index into the feed. An
/// order that shows the whole feed stores no items.
package struct ItemOrder: Equatable, Sendable {
    /// The items in display order, or nil for the order of the feed.
    private let items: [UInt32]?
    /// Whether the feed is shown from its end, newest items first.
    package let isNewestFirst: Bool
    /// The number of visible items.
    package let count: Int
    /// Whether item numbers increase with the position.
    package let isAscending: Bool

    /// Creates the order of the feed.
    package init(feedCount: Int) {
        items = nil
        count = feedCount
        isAscending = true
        isNewestFirst = false
    }

    /// Creates the order of a feed whose newest items come first, limited to its first `count`
    /// items.
    package init(newestFirst count: Int) {
        items = nil
        self.count = count
        isAscending = false
        isNewestFirst = true
    }

    /// Creates the default order of a feed.
    init(wholeOf feed: Feed) {
        self =
            feed.isNewestFirst
            ? ItemOrder(newestFirst: feed.count) : ItemOrder(feedCount: feed.count)
    }

    /// Creates an order of the given items.
    package init(items: [UInt32], isAscending: Bool) {
        self.items = items
        count = items.count
        self.isAscending = isAscending
        isNewestFirst = false
    }

    /// Whether all items are in the order of the feed, possibly reversed.
    package var isFeedOrder: Bool { items == nil }

    /// Returns the item at a position below `count`.
    package subscript(position: Int) -> Int {
        items.map { Int($0[position]) } ?? (isNewestFirst ? count - 1 - position : position)
    }

    /// Returns the position of an item, or nil if the item is not visible.
    package func position(of item: Int) -> Int? {
        guard let items else {
            guard (0..<count).contains(item) else { return nil }
            return isNewestFirst ? count - 1 - item : item
        }
        guard isAscending else { return items.firstIndex(of: UInt32(item)) }
        let place = items.partitioningIndex { $0 >= UInt32(item) }
        return place < items.count && items[place] == UInt32(item) ? place : nil
    }

    /// Returns the position of an item, or the position nearest to it if the item is not visible.
    ///
    /// In a sorted list, the nearest position is `position`.
    func nearestPosition(to item: Int, before position: Int) -> Int {
        if let place = self.position(of: item) { return place }
        guard let items, isAscending else { return position }
        return items.partitioningIndex { $0 >= UInt32(item) }
    }
}

/// The visible items of the feed.
extension GalleryState {
    /// The number of items in the feed, visible or not.
    var feedCount: Int { (try? feed?.get())?.count ?? 0 }

    /// The number of items that pass the filter.
    var itemCount: Int { order.count }

    /// The selected item, or nil if there are no items.
    package var selectedItem: Int? { selection < itemCount ? order[selection] : nil }

    /// The items on the screen.
    var visibleItems: [Int] { visiblePositions.map { order[$0] } }

    /// Changes the visible items or their order.
    ///
    /// The selection stays at its item, or moves to the nearest remaining item. Loads of items that
    /// stay on the screen continue.
    mutating func show(_ newOrder: ItemOrder) -> [Effect] {
        guard newOrder != order else { return [] }
        let item = selectedItem
        let row = selection / max(1, layout.columns) - topRow
        order = newOrder
        if let item { selection = order.nearestPosition(to: item, before: selection) }
        selection = max(0, min(selection, itemCount - 1))
        // The selected item stays in its screen row if there are enough rows above it.
        topRow = max(0, selection / max(1, layout.columns) - row)
        return prefetchPlanner.end() + settle()
    }
}
