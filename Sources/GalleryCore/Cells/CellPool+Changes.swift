internal import Feeds

/// Methods that update the cells when the feed changes.
extension CellPool {
    /// Updates the cells of items whose files were changed or deleted.
    ///
    /// Returns the loads to start or to cancel.
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

extension CellPool {
    /// Whether a visible item is a local file outside an archive.
    var showsFiles: Bool {
        slots.contains { $0.item != nil && PictureAddress.path(ofURL: $0.url) != nil }
    }

    /// Returns whether the local file at `url` is visible and its image is missing or incomplete.
    func mayBeUnfinished(_ url: String) -> Bool {
        slots.contains { $0.item != nil && $0.url == url && $0.mayBeUnfinished }
    }
}

extension CellSlot {
    /// The action to perform on a slot after its item has changed.
    enum ChangeResult {
        case nothing, end, load
    }

    /// Applies a change to the slot's item, and returns the action to perform on the slot.
    ///
    /// The current image stays on the screen until the new image arrives.
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
        guard isOther else { return .nothing }
        expectNewContent()
        return .load
    }
}

extension CellPool {
    /// Updates the item numbers of the cells after the feed is reloaded, and cancels the loads of
    /// removed items.
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

/// Properties of the visible items.
extension CellPool {
    /// The visible items that have an image.
    var shownItems: [Int] { slots.compactMap { $0.cellImage == nil ? nil : $0.item } }

    /// The number of visible items that have an image.
    var shownCount: Int { slots.count { $0.item != nil && $0.cellImage != nil } }

    /// Whether a visible item is waiting for its image.
    ///
    /// Loads that are waiting for a failing server don't count.
    var isWaiting: Bool {
        slots.contains { $0.item != nil && $0.load.isPending && !$0.load.isWaitingForServer }
    }
}
