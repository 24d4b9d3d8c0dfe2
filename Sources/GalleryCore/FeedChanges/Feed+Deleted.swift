internal import BitCollections
package import Feeds

extension Feed {
    /// Returns the feed with the deleted items of its earlier version marked as deleted.
    ///
    /// An item is not marked if its file exists again.
    package func keepingDeleted(
        of feed: Feed,
        _ numbers: FeedRenumbering,
        unless isThere: (FeedItem) -> Bool
    ) -> Feed {
        var kept = self
        kept.deletedItems = numbers(feed.deletedItems).filter { !isThere(self[$0]) }
        return kept
    }
}
