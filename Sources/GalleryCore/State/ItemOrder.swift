/// Which items of the feed are shown, and in which order.
///
/// A *position* counts what is shown, an *item* what is in the feed. All of the feed in its own order
/// takes no memory.
public struct ItemOrder: Equatable, Sendable {
    /// Nil for all of the feed in its own order.
    private let items: [UInt32]?
    /// Whether the feed is shown from its end on: its newest items first.
    public let isNewestFirst: Bool
    /// The number of items shown.
    public let count: Int
    /// Whether items only ever grow from one position to the next.
    public let isAscending: Bool

    /// Makes the order of the feed itself.
    public init(feedCount: Int) {
        items = nil
        count = feedCount
        isAscending = true
        isNewestFirst = false
    }

    /// Makes the order of a feed whose newest items come first; it shows the first `count` of it.
    public init(newestFirst count: Int) {
        items = nil
        self.count = count
        isAscending = false
        isNewestFirst = true
    }

    /// Makes the order of a feed as it is.
    init(wholeOf feed: Feed) {
        self =
            feed.isNewestFirst
            ? ItemOrder(newestFirst: feed.count) : ItemOrder(feedCount: feed.count)
    }

    /// Makes an order of some items of the feed.
    public init(items: [UInt32], isAscending: Bool) {
        self.items = items
        count = items.count
        self.isAscending = isAscending
        isNewestFirst = false
    }

    /// Whether the feed is shown in its own order, or the reverse that is its own.
    public var isFeedOrder: Bool { items == nil }

    /// The item at a position below `count`.
    public subscript(position: Int) -> Int {
        items.map { Int($0[position]) } ?? (isNewestFirst ? count - 1 - position : position)
    }

    /// Where an item is shown; nil if it isn't.
    public func position(of item: Int) -> Int? {
        guard let items else {
            guard (0..<count).contains(item) else { return nil }
            return isNewestFirst ? count - 1 - item : item
        }
        guard isAscending else { return items.firstIndex(of: UInt32(item)) }
        let place = items.partitioningIndex { $0 >= UInt32(item) }
        return place < items.count && items[place] == UInt32(item) ? place : nil
    }

    /// Where an item is shown, or else where it would be if it were: of an order of its own the place
    /// that it had.
    func nearestPosition(to item: Int, before position: Int) -> Int {
        if let place = self.position(of: item) { return place }
        guard let items, isAscending else { return position }
        return items.partitioningIndex { $0 >= UInt32(item) }
    }
}

/// What is shown of the feed.
extension GalleryState {
    /// The number of items of the feed, shown or not.
    var feedCount: Int { (try? feed?.get())?.count ?? 0 }

    /// The number of items that are shown.
    var itemCount: Int { order.count }

    /// The item that is selected; nil if there is none.
    public var selectedItem: Int? { selection < itemCount ? order[selection] : nil }

    /// The items on the screen.
    var visibleItems: [Int] { visiblePositions.map { order[$0] } }

    /// Shows other items, or the same in another order.
    ///
    /// The selected one stays so, or else what comes to stand nearest to its place. What stays on the
    /// screen goes on loading.
    mutating func show(_ newOrder: ItemOrder) -> [Effect] {
        guard newOrder != order else { return [] }
        let item = selectedItem
        let row = selection / max(1, layout.columns) - topRow
        order = newOrder
        if let item { selection = order.nearestPosition(to: item, before: selection) }
        selection = max(0, min(selection, itemCount - 1))
        // It stays where it was on the screen, as far as there is something above it.
        topRow = max(0, selection / max(1, layout.columns) - row)
        return prefetchPlanner.end() + settle()
    }
}
