internal import BitCollections
package import Feeds

extension Feed {
    /// Returns the feed with the deletions recorded in its earlier version, except for files that
    /// exist again.
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
