internal import BitCollections
package import Feeds

extension Feed {
    /// Returns the reloaded feed, in which items that were deleted in `feed` remain marked as
    /// deleted.
    ///
    /// `numbers` maps the item numbers of `feed` to those of the reloaded feed. An item is not
    /// marked if its file exists again.
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
