package import Feeds
internal import ImageLoading
internal import SystemSupport

/// The images of watched folders, in the order in which they were found.
///
/// Items keep their indices: a deleted image remains in the list as a deleted item, and a renamed
/// or rewritten image remains the same item. The type has no side effects. Its only instance is
/// owned by the thread that watches the folders.
package struct WatchedPictures: Sendable {
    /// The changes to report since the last call to `takeChange`.
    package struct Change: Sendable {
        /// The feed of all images.
        package let feed: Feed
        /// The previously reported items that have changed.
        package let items: [Int]
    }

    /// The maximum number of items.
    ///
    /// The limit prevents a faulty program that keeps writing files from exhausting the memory.
    package static let largestCount = 1_000_000

    private let title: String
    private var pieces: [[FeedItem]] = []
    private var itemOfPath: [String: Int] = [:]
    private var pathOfItem: [String] = []
    private var changedItems: Set<Int> = []
    private var toldCount = 0
    private var hasToldFirst = false

    /// The maximum number of items in a piece.
    ///
    /// The list is stored in pieces of consecutive items, so changing an item copies only the items
    /// of its piece.
    private static let pieceCount = 512

    /// Creates an empty list.
    package init(title: String) {
        self.title = title
    }

    /// The number of items, including deleted items.
    package var count: Int { pathOfItem.count }

    /// Whether there are changes that `takeChange` has not returned yet.
    package var hasNews: Bool { !hasToldFirst || !changedItems.isEmpty || count > toldCount }

    /// Records that a file was written.
    ///
    /// `path` is encoded by `FileText`.
    package mutating func write(_ path: String) {
        if let item = itemOfPath[path] {
            var changed = FeedItem(filePath: FileText.bytes(of: path))
            changed.revision = self[item].revision + 1
            set(item, changed)
        } else if count < Self.largestCount {
            itemOfPath[path] = count
            pathOfItem.append(path)
            if pieces.last.map({ $0.count < Self.pieceCount }) != true { pieces.append([]) }
            pieces[pieces.count - 1].append(FeedItem(filePath: FileText.bytes(of: path)))
        }
    }

    /// Records that a file was deleted.
    package mutating func delete(_ path: String) {
        guard let item = itemOfPath[path], !self[item].isDeleted else { return }
        var changed = self[item]
        changed.isDeleted = true
        changed.revision += 1
        set(item, changed)
    }

    /// Records that a file was renamed.
    ///
    /// If an image in the list already has the new name, the old item counts as deleted and the
    /// image with the new name counts as changed.
    package mutating func rename(_ old: String, to new: String) {
        guard let item = itemOfPath[old], itemOfPath[new] == nil else {
            delete(old)
            return write(new)
        }
        itemOfPath[old] = nil
        itemOfPath[new] = item
        pathOfItem[item] = new
        var changed = FeedItem(filePath: FileText.bytes(of: new))
        changed.revision = self[item].revision
        set(item, changed)
    }

    /// Returns the changes since the last call, or nil if nothing has changed.
    package mutating func takeChange() -> Change? {
        guard hasNews else { return nil }
        let items = changedItems.filter { $0 < toldCount }.sorted()
        let feeds = pieces.map { Feed(items: $0, title: title) }
        var feed = Feed(pieces: feeds, title: title, origin: .local)
        feed.isOpen = true
        feed.isNewestFirst = true
        changedItems = []
        toldCount = count
        hasToldFirst = true
        return Change(feed: feed, items: items)
    }

    private subscript(item: Int) -> FeedItem {
        pieces[item / Self.pieceCount][item % Self.pieceCount]
    }

    private mutating func set(_ item: Int, _ changed: FeedItem) {
        pieces[item / Self.pieceCount][item % Self.pieceCount] = changed
        changedItems.insert(item)
    }
}
