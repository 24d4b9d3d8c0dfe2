/// Feeds that change while they are looked at.
extension GalleryState {
    /// Takes the feed as it is now: there may be more items, and the ones that are named are others.
    ///
    /// All items keep their index. What is looked at stays where it is.
    mutating func change(to feed: Feed, _ items: [Int]) -> [Effect] {
        guard case .success? = self.feed, feed.count >= feedCount else {
            return open(.success(feed))
        }
        if let remark = feed.remark, remark != (try? self.feed?.get())?.remark {
            notice = Notice(remark)
        }
        self.feed = .success(feed)
        let changed = changeDetail(items, of: feed) + pool.change(items, of: feed)
        var added = finding.arrangement.isPlain ? showMore() : arrange()
        if let labelledCount {
            selectFirstWithoutLabel(from: labelledCount)
            added += settle()
        }
        return changed + added
    }

    /// All of the feed in its own order.
    var wholeOrder: ItemOrder {
        (try? feed?.get()).map(ItemOrder.init(wholeOf:)) ?? ItemOrder(feedCount: 0)
    }

    /// Shows what has been added: at the end, or in front.
    ///
    /// What comes in front is followed by one who is at the very top and has chosen nothing. Under
    /// everybody else nothing moves: rows are added above, whole ones only.
    private mutating func showMore() -> [Effect] {
        let whole = wholeOrder
        guard whole.isNewestFirst, !isAtNewest else {
            order = whole
            return (whole.isNewestFirst ? prefetchPlanner.end() : []) + settle()
        }
        let columns = max(1, layout.columns)
        let rows = (whole.count - order.count) / columns
        order = ItemOrder(newestFirst: order.count + rows * columns)
        selection += rows * columns
        topRow += rows
        return settle()
    }

    /// Shows what was held back, once the person is at the top.
    mutating func followNewest() -> [Effect] {
        guard order.isNewestFirst, order.count < feedCount, isAtNewest else { return [] }
        return showMore()
    }

    private var isAtNewest: Bool { detail == nil && selection == 0 && topRow == 0 }

    /// The picture that is open stays until its new content is there, and after its file is gone.
    private mutating func changeDetail(_ items: [Int], of feed: Feed) -> [Effect] {
        guard let item = detail?.item, items.contains(item) else { return [] }
        if feed[item].isDeleted {
            notice = Notice("the file of this image was deleted", .warning)
            return []
        }
        detail?.feedItem = feed[item]
        guard detail?.restart() == true else { return [] }
        return [.openDetail(item: item, refreshing: false)]
    }

    /// Has the next page read before its pictures are looked for: two screens before the end.
    ///
    /// Not while only a part of the feed is shown: nobody knows whether a page would add to it.
    mutating func followPages() -> [Effect] {
        let page = (try? feed?.get())?.nextPages.first
        if page != requestedPage { requestedPage = nil }
        guard let page, requestedPage == nil, knowsScreen, fits, finding.arrangement.isPlain
        else { return [] }
        let seen = max(visiblePositions.upperBound, selection + 1)
        guard seen + 2 * visiblePositions.count >= itemCount else { return [] }
        requestedPage = page
        return [.readPage(page)]
    }

    /// What an empty gallery says.
    var linesWithoutPictures: [String] {
        openEndSign.isEmpty
            ? ["No images here.", "termgallery demo shows some."]
            : ["No images yet.", "New images appear automatically."]
    }

    /// What the number of items is followed by while there may be more.
    var openEndSign: String { (try? feed?.get())?.isOpen == true ? "+" : "" }
}

extension CellPool {
    /// Shows what has become of items: new content when it is there, or that there is none any more.
    mutating func change(_ items: [Int], of feed: Feed) -> [Effect] {
        items.flatMap { item -> [Effect] in
            forget(item)
            guard let slot = slotOfItem[item] else { return [] }
            switch slots[slot].change(to: feed[item]) {
            case .nothing: return []
            case .end: return [.unbind(slot: slot)]
            case .load: return reload(item: item)
            }
        }
    }
}

extension CellSlot {
    /// What a change of an item asks for.
    enum ChangeResult {
        case nothing, end, load
    }

    /// Takes what the item is now; what is shown of it stays until there is something newer.
    mutating func change(to feedItem: FeedItem) -> ChangeResult {
        let isOther = feedItem.revision != revision || load.isPending || problem != nil
        caption = feedItem.caption
        url = feedItem.url
        revision = feedItem.revision
        problem = feedItem.problem
        if problem != nil {
            end(LoadFailure(of: feedItem))
            return .end
        }
        return isOther ? .load : .nothing
    }
}
