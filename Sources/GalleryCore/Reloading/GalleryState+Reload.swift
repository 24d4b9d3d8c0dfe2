internal import BitCollections

/// A feed that is read again while it is looked at.
extension GalleryState {
    /// Asks for the feed to be read again.
    mutating func reloadFeed() -> [Effect] {
        notice = Notice("reading the feed again…")
        return [.reloadFeed(isQuiet: false)]
    }

    /// Takes what came of it: items of before keep what is theirs, wherever they stand now.
    mutating func take(_ reload: FeedReload) -> [Effect] {
        let notice = reload.notice(after: reloadFaults)
        reloadFaults = reload.faults
        defer { if let notice { self.notice = notice } }
        guard let change = reload.change else { return [] }
        guard case .success? = feed else { return open(.success(change.feed)) }
        return renumber(change.numbers, of: change.feed)
    }

    /// Whether the picture that is open is not in what was read: then one waits until it is left.
    public func isLookingAtGone(_ numbers: FeedRenumbering) -> Bool {
        detail.map { numbers[$0.item] == nil } ?? false
    }

    /// Puts another reading of the feed in place of the one that is shown.
    ///
    /// What was selected stays so, or else what comes to stand nearest to its place, and where it was on
    /// the screen.
    private mutating func renumber(_ numbers: FeedRenumbering, of feed: Feed) -> [Effect] {
        let selected = selectedItem.flatMap { numbers[$0] } ?? neighbour(numbers)
        let row = selection / max(1, layout.columns) - topRow
        self.feed = .success(feed)
        choices.renumber(numbers)
        unread = numbers(unread).union(numbers.added)
        readAtOnce = BitSet()
        labelledCount = nil
        playingItem = playingItem.flatMap { numbers[$0] }
        slideshow?.renumber(numbers)
        order = finding.arrangement.isPlain ? wholeOrder : order.renumbered(numbers)
        selection = selected.flatMap(order.position) ?? selection
        selection = max(0, min(selection, itemCount - 1))
        topRow = max(0, selection / max(1, layout.columns) - row)
        let shown = pool.renumber(numbers, of: feed)
        return renumberDetail(numbers, of: feed) + shown + prefetchPlanner.end() + settle()
            + findAnew()
    }

    /// The item that stands nearest behind the selected one, or before it, and is still there.
    private func neighbour(_ numbers: FeedRenumbering) -> Int? {
        let behind = (min(selection, itemCount)..<itemCount).lazy
        let before = (0..<min(selection, itemCount)).reversed().lazy
        return behind.compactMap { numbers[order[$0]] }.first
            ?? before.compactMap { numbers[order[$0]] }.first
    }

    /// The picture that is open stays; one whose address is another now is loaded from there.
    private mutating func renumberDetail(
        _ numbers: FeedRenumbering,
        of feed: Feed
    ) -> [Effect] {
        guard let old = detail?.item else { return [] }
        guard let item = numbers[old] else { return closeDetail() }
        let feedItem = feed[item]
        let isSame = detail?.feedItem.currentURL == feedItem.currentURL
        detail?.item = item
        detail?.feedItem = feedItem
        guard !isSame, detail?.restart() == true else { return [] }
        return [.openDetail(item: item, refreshing: false)]
    }

    /// Filters, sorts and searches what is there now; answers that are still to come are of before.
    private mutating func findAnew() -> [Effect] {
        finding.arrangementNumber += 1
        finding.searchNumber += 1
        finding.waitingTicks = nil
        guard finding.arrangement.isPlain else { return arrange() }
        guard let needle = finding.search?.needle else { return [] }
        return find(needle, jumpingFrom: nil)
    }
}

extension ItemOrder {
    /// The same items by their new numbers, in the same order, without those that are gone.
    func renumbered(_ numbers: FeedRenumbering) -> ItemOrder {
        var items: [UInt32] = []
        items.reserveCapacity(count)
        for position in 0..<count {
            if let item = numbers[self[position]] { items.append(UInt32(item)) }
        }
        return ItemOrder(items: items, isAscending: false)
    }
}

extension CellPool {
    /// Has every cell belong to its item's new number, and ends those whose item is gone.
    mutating func renumber(_ numbers: FeedRenumbering, of feed: Feed) -> [Effect] {
        var effects: [Effect] = []
        for slot in slots.indices {
            guard let item = slots[slot].item, numbers[item] == nil else { continue }
            effects += unbind(slot)
        }
        changeNumbers(numbers)
        for slot in slots.indices {
            guard let item = slots[slot].item else { continue }
            let feedItem = feed[item]
            if slots[slot].url == feedItem.url, slots[slot].problem == feedItem.problem {
                slots[slot].caption = feedItem.caption
            } else {
                let isEnd = slots[slot].change(to: feedItem) == .end
                effects += isEnd ? [.unbind(slot: slot)] : reload(item: item)
            }
        }
        return effects
    }
}

extension Feed {
    /// The feed, of which the files are deleted that were deleted from an earlier reading of it, unless
    /// they are back.
    public func keepingDeleted(
        of feed: Feed,
        _ numbers: FeedRenumbering,
        unless isThere: (FeedItem) -> Bool
    ) -> Feed {
        var kept = self
        kept.deletedItems = numbers(feed.deletedItems).filter { !isThere(self[$0]) }
        return kept
    }
}
