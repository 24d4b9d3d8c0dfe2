internal import BitCollections

/// Methods for files that the user has deleted in the gallery.
extension Feed {
    /// Returns the feed with items marked as deleted or restored; the items keep their indices.
    package func changing(deleted: [Int], returned: [Int]) -> Feed {
        var feed = self
        for item in deleted { feed.deletedItems.insert(item) }
        for item in returned { feed.deletedItems.remove(item) }
        return feed
    }

    /// Returns this feed with the same deleted items as `feed`, its earlier version.
    ///
    /// The feed of a watched folder is returned unchanged, because the folder reports its deletions
    /// itself.
    package func keepingDeleted(of feed: Feed?) -> Feed {
        guard !isNewestFirst, let feed else { return self }
        var kept = self
        kept.deletedItems = feed.deletedItems
        return kept
    }
}
