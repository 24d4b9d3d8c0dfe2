/// The result of reading a feed again.
package struct FeedReload: Sendable {
    /// The new feed, and the new indices of the existing items, or nil if nothing changed.
    package var change: Change?
    /// The errors, one line each; the affected items remain unchanged.
    package var faults: [String] = []
    /// Whether the reload was automatic; if so, only changes are reported.
    package var isQuiet = false
    /// Whether the change is news for the user.
    ///
    /// If so, added and removed items are reported, and the added items are marked as new.
    package var isNews = true

    /// A changed feed.
    package struct Change: Sendable {
        /// The complete new feed.
        package var feed: Feed
        /// The new indices of the existing items.
        package let numbers: FeedRenumbering

        /// Creates a change by comparing two versions of a feed.
        ///
        /// The comparison may take some time. Only the first page is read again, so the later pages
        /// of `old` are appended to `new`. If `new` contains none of the items of `old`, the later
        /// pages are dropped, because items between the pages may be missing.
        package init(from old: Feed, to new: Feed) {
            var numbers = FeedRenumbering(from: old, to: new)
            feed = new
            if old.hasLaterPages, let last = numbers.lastKept {
                feed = new.followed(by: old, from: last + 1)
                numbers.keepRest(from: last + 1, at: new.count)
            }
            self.numbers = numbers
        }
    }

    package init(
        change: Change?,
        faults: [String] = [],
        isQuiet: Bool = false,
        isNews: Bool = true
    ) {
        self.change = change
        self.faults = faults
        self.isQuiet = isQuiet
        self.isNews = isNews
    }
}
