internal import BitCollections
package import Feeds
internal import ImageLoading

/// A request to read feeds, or to save which items the user has seen.
package enum FeedEffect: Equatable, Sendable {
    /// Open another feed, specified as on the command line.
    case open(String)
    /// Open a folder that the user enters or leaves.
    case openFolder(FolderRequest)
    /// Read the feed again.
    ///
    /// `isQuiet` is true if the user did not request it.
    case reload(isQuiet: Bool)
    /// Read another page of the feed, and append its images.
    case readPage(FeedPage)
    /// Save which items the user has seen (`read`), and which were marked as new again (`unread`).
    case keepReading(read: [Int], unread: [Int])
}

/// The reading state of a feed: the new items, the requested page, and the errors of the last
/// reload.
///
/// An image counts as seen if the user opened it, or if the user selected it and then selected
/// another image. Being on the screen does not count, because a screen shows dozens of images.
struct ReadingState: Equatable, Sendable {
    /// The new items that the user has not seen.
    ///
    /// An item is new if it is unread according to the stored record of its feed, or if it arrived
    /// after the feed was first read.
    private(set) var unread = BitSet()
    /// The items that the last call to `seeAll` marked as seen, which the next call can revert.
    private var readAtOnce = BitSet()
    /// The most recently requested page of the feed.
    private var requestedPage: FeedPage?
    /// The errors from the last reload.
    private var reloadFaults: [String] = []

    // MARK: New items

    /// Replaces the unread state of the items in `ranges` with the state stored in earlier
    /// sessions.
    ///
    /// `items` are the unread items in these ranges.
    mutating func take(unread items: [Int], of ranges: [Range<Int>], feedCount: Int) {
        for range in ranges { unread.subtract(BitSet(range)) }
        for item in items where item < feedCount { unread.insert(item) }
    }

    /// Records that the user has seen items, and returns the effect that saves the change.
    mutating func see(_ items: [Int]) -> [Effect] {
        let read = items.filter { unread.remove($0) != nil }
        return read.isEmpty ? [] : [.feed(.keepReading(read: read, unread: []))]
    }

    /// Returns the position of the next new item after `selection`, or nil if no item in `order` is
    /// new.
    ///
    /// The search wraps around at the end.
    func nextUnread(after selection: Int, in order: ItemOrder) -> Int? {
        guard !unread.isEmpty else { return nil }
        let start = min(selection + 1, order.count)
        let isUnread: (Int) -> Bool = { [unread] in unread.contains(order[$0]) }
        return (start..<order.count).first(where: isUnread) ?? (0..<start).first(where: isUnread)
    }

    /// Marks all images as seen, or reverts the last such change if all images have already been
    /// seen.
    ///
    /// `undoHint` names the key that reverts the change.
    mutating func seeAll(undoHint: String) -> Reaction {
        if unread.isEmpty, !readAtOnce.isEmpty {
            unread = readAtOnce
            readAtOnce = BitSet()
            return Reaction(
                "\(CountText.grouped(unread.count)) are new again",
                effects: [.feed(.keepReading(read: [], unread: Array(unread)))]
            )
        }
        guard !unread.isEmpty else { return Reaction("nothing new") }
        readAtOnce = unread
        unread = BitSet()
        return Reaction(
            "\(CountText.grouped(readAtOnce.count)) no longer new" + undoHint,
            effects: [.feed(.keepReading(read: Array(readAtOnce), unread: []))]
        )
    }

    // MARK: Pages and reloads

    /// Requests the next page of the feed if it is needed and has not been requested yet.
    ///
    /// If the next page has changed, the earlier request is discarded, and the same page can be
    /// requested again.
    mutating func follow(nextPage page: FeedPage?, isNeeded: Bool) -> [Effect] {
        if page != requestedPage { requestedPage = nil }
        guard let page, requestedPage == nil, isNeeded else { return [] }
        requestedPage = page
        return [.feed(.readPage(page))]
    }

    /// Returns the message about a reload.
    ///
    /// The message about an automatic reload omits the errors if they are the same as in the
    /// previous reload.
    mutating func notice(about reload: FeedReload) -> Notice? {
        defer { reloadFaults = reload.faults }
        return reload.notice(after: reloadFaults)
    }

    /// Replaces the item numbers after the feed is reloaded.
    ///
    /// If `addsNewItems` is true, the added items count as new.
    mutating func renumber(_ numbers: FeedRenumbering, addsNewItems: Bool) {
        unread = numbers(unread)
        if addsNewItems { unread.formUnion(numbers.added) }
        readAtOnce = BitSet()
    }
}
