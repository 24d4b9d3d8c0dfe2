internal import Feeds
import SystemSupport

/// The visible items of a feed, and their order.
///
/// A *position* is an index into the visible items, and an *item* is an index into the feed. An
/// order that shows the whole feed does not store its items.
package struct ItemOrder: Equatable, Sendable {
    /// The items in display order, or nil for the order of the feed.
    private let items: [UInt32]?
    /// Whether the feed is shown in reverse order, newest items first.
    package let isNewestFirst: Bool
    /// The number of visible items.
    package let count: Int
    /// Whether item numbers increase with the position.
    package let isAscending: Bool

    /// Creates the order of a feed with `feedCount` items.
    package init(feedCount: Int) {
        items = nil
        count = feedCount
        isAscending = true
        isNewestFirst = false
    }

    /// Creates the order of a feed that shows the newest items first.
    ///
    /// Only the first `count` items of the feed are shown.
    package init(newestFirst count: Int) {
        items = nil
        self.count = count
        isAscending = false
        isNewestFirst = true
    }

    /// Creates the order in which all items of a feed are shown by default.
    init(wholeOf feed: Feed) {
        self =
            feed.isNewestFirst
            ? ItemOrder(newestFirst: feed.count) : ItemOrder(feedCount: feed.count)
    }

    /// Creates an order that contains these items.
    package init(items: [UInt32], isAscending: Bool) {
        self.items = items
        count = items.count
        self.isAscending = isAscending
        isNewestFirst = false
    }

    /// Whether the order contains all items in the order of the feed, possibly reversed.
    package var isFeedOrder: Bool { items == nil }

    /// Returns the item at a position less than `count`.
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

    /// Returns the position of an item or, if the item is not visible, the position of the next
    /// visible item.
    ///
    /// If the item is not visible and the order is not ascending, returns `position`.
    func nearestPosition(to item: Int, before position: Int) -> Int {
        if let place = self.position(of: item) { return place }
        guard let items, isAscending else { return position }
        return items.partitioningIndex { $0 >= UInt32(item) }
    }
}

extension ItemOrder {
    /// Returns the order with the item numbers of a reloaded feed and without the removed items.
    func renumbered(_ numbers: FeedRenumbering) -> ItemOrder {
        var items: [UInt32] = []
        items.reserveCapacity(count)
        for position in 0..<count {
            if let item = numbers[self[position]] { items.append(UInt32(item)) }
        }
        return ItemOrder(items: items, isAscending: false)
    }
}
