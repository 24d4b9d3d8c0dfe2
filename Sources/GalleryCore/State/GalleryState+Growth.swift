internal import Feeds

/// Methods that handle a feed that changes while it is displayed.
extension GalleryState {
    /// Applies a new version of the feed, in which `items` have changed.
    ///
    /// New items may have been added at the end. All items keep their indices, and the visible
    /// items keep their positions on the screen.
    mutating func change(to feed: Feed, _ items: [Int]) -> [Effect] {
        guard case .success? = self.feed, feed.count >= feedCount else {
            return open(.success(feed))
        }
        showNewRemark(of: feed)
        self.feed = .success(feed)
        let changed = changeDetail(items, of: feed) + pool.change(items, of: feed)
        var added = finding.arrangement.isPlain ? showMore() : arrange()
        if let count = labeling.labeledCount {
            selectFirstWithoutLabel(from: count)
            added += settle()
        }
        return changed + added
    }

    /// Shows the remark about a new version of the feed, unless it is the same as the current one.
    mutating func showNewRemark(of feed: Feed) {
        if let remark = feed.remark, remark != currentFeed?.remark { notice = Notice(remark) }
    }

    /// The order in which all items of the feed are shown by default.
    var wholeOrder: ItemOrder {
        currentFeed.map(ItemOrder.init(wholeOf:)) ?? ItemOrder(feedCount: 0)
    }

    /// Shows the new items of a feed that has grown.
    ///
    /// If the newest items come first, new items are shown immediately only if the first item is
    /// selected and visible.
    private mutating func showMore() -> [Effect] {
        let whole = wholeOrder
        if whole.isNewestFirst, !isAtNewest {
            grid.growAtStart(to: whole)
            return settle()
        }
        grid.showAll(whole)
        return (whole.isNewestFirst ? loads.prefetching.end() : []) + settle()
    }

    /// Shows the remaining new items when the first item is selected and visible.
    mutating func followNewest() -> [Effect] {
        guard grid.order.isNewestFirst, itemCount < feedCount, isAtNewest else { return [] }
        return showMore()
    }

    private var isAtNewest: Bool { detail == nil && grid.isAtStart }

    /// Reloads the open image if its file has changed.
    ///
    /// The old image stays on the screen until the new image arrives, and also if the file was
    /// deleted.
    private mutating func changeDetail(_ items: [Int], of feed: Feed) -> [Effect] {
        guard let item = detail?.item, items.contains(item) else { return [] }
        if feed[item].isDeleted {
            notice = Notice("the file of this image was deleted", .warning)
            return []
        }
        let isOther = detail?.feedItem.revision != feed[item].revision
        detail?.feedItem = feed[item]
        if isOther { detail?.expectNewContent() }
        return detail?.restart() ?? []
    }

    /// Requests the next page of the feed when at most two screens of items remain.
    ///
    /// Pages are requested only while all items are shown in feed order, because it is unknown
    /// whether a page contains items that pass a filter.
    mutating func followPages() -> [Effect] {
        let seen = max(visiblePositions.upperBound, grid.selection + 1)
        let isNeeded = seen + 2 * visiblePositions.count >= itemCount
        return reading.follow(
            nextPage: currentFeed?.nextPages.first,
            isNeeded: isNeeded && display.isSizeKnown && fits && finding.arrangement.isPlain
        )
    }

    /// The lines of text shown in an empty gallery.
    var linesWithoutPictures: [String] {
        openEndSign.isEmpty
            ? ["No images here.", "termgallery demo shows some."]
            : ["No images yet.", "New images appear automatically."]
    }

    /// The sign after the number of items: "+" if more items may follow, otherwise an empty string.
    var openEndSign: String { currentFeed?.isOpen == true ? "+" : "" }
}
