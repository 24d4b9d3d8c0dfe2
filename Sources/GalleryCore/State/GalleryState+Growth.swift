internal import Feeds

/// Members that handle feeds that change while they are displayed.
extension GalleryState {
    /// Applies a new version of the feed, in which the given items have changed and more items may
    /// follow.
    ///
    /// All items keep their indices, and the visible items keep their positions on the screen.
    mutating func change(to feed: Feed, _ items: [Int]) -> [Effect] {
        guard case .success? = self.feed, feed.count >= feedCount else {
            return open(.success(feed))
        }
        if let remark = feed.remark, remark != currentFeed?.remark {
            notice = Notice(remark)
        }
        self.feed = .success(feed)
        let changed = changeDetail(items, of: feed) + pool.change(items, of: feed)
        var added = finding.arrangement.isPlain ? showMore() : arrange()
        if let count = labeling.labeledCount {
            selectFirstWithoutLabel(from: count)
            added += settle()
        }
        return changed + added
    }

    /// The default order of the whole feed.
    var wholeOrder: ItemOrder {
        currentFeed.map(ItemOrder.init(wholeOf:)) ?? ItemOrder(feedCount: 0)
    }

    /// Shows the new items of a feed that has grown.
    ///
    /// If the newest items come first, they are shown immediately only if the user is at the top
    /// and has selected the first item.
    private mutating func showMore() -> [Effect] {
        let whole = wholeOrder
        if whole.isNewestFirst, !isAtNewest {
            grid.growAtStart(to: whole)
            return settle()
        }
        grid.showAll(whole)
        return (whole.isNewestFirst ? loads.prefetching.end() : []) + settle()
    }

    /// Shows the new items that were held back, once the user is at the top.
    mutating func followNewest() -> [Effect] {
        guard grid.order.isNewestFirst, itemCount < feedCount, isAtNewest else { return [] }
        return showMore()
    }

    private var isAtNewest: Bool { detail == nil && grid.isAtStart }

    /// Reloads the open image if it has changed.
    ///
    /// The image stays on the screen until its new content arrives, and also after its file was
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

    /// Requests the next page of the feed before it is needed, two screens before the end.
    ///
    /// Pages are requested only while all items are shown in feed order. With a filter, it is
    /// unknown whether a page would add visible items.
    mutating func followPages() -> [Effect] {
        let seen = max(visiblePositions.upperBound, grid.selection + 1)
        let isNeeded = seen + 2 * visiblePositions.count >= itemCount
        return reading.follow(
            nextPage: currentFeed?.nextPages.first,
            isNeeded: isNeeded && display.isSizeKnown && fits && finding.arrangement.isPlain
        )
    }

    /// The lines shown in an empty gallery.
    var linesWithoutPictures: [String] {
        openEndSign.isEmpty
            ? ["No images here.", "termgallery demo shows some."]
            : ["No images yet.", "New images appear automatically."]
    }

    /// The sign shown after the number of items: "+" if more items may follow, otherwise empty.
    var openEndSign: String { currentFeed?.isOpen == true ? "+" : "" }
}
