internal import BitCollections

/// Files that the person has deleted from the gallery.
extension Feed {
    /// The same feed without the files of some items, which keep their index, and with others' again.
    public func changing(deleted: [Int], returned: [Int]) -> Feed {
        var feed = self
        for item in deleted { feed.deletedItems.insert(item) }
        for item in returned { feed.deletedItems.remove(item) }
        return feed
    }

    /// The feed as it is now, of which the same files are deleted.
    ///
    /// That of a watched folder knows better itself.
    public func keepingDeleted(of feed: Feed?) -> Feed {
        guard !isNewestFirst, let feed else { return self }
        var kept = self
        kept.deletedItems = feed.deletedItems
        return kept
    }
}
