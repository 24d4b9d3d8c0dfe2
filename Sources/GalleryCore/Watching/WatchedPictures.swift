internal import ImageLoading

/// The pictures of watched folders, in the order in which they were first seen.
///
/// An item keeps its index for good: a picture that is deleted leaves a trace, one that is renamed or
/// written again is the same item. Pure; a thread that watches owns the one instance.
public struct WatchedPictures: Sendable {
    /// What has changed since the last time, for whoever shows the feed.
    public struct Change: Sendable {
        /// All pictures as they are now.
        public let feed: Feed
        /// The items that were there before, and are others now.
        public let items: [Int]
    }

    /// No more items are taken: what an hour of a broken program writes must not fill the memory.
    public static let largestCount = 1_000_000

    private let title: String
    private var pieces: [[FeedItem]] = []
    private var itemOfPath: [String: Int] = [:]
    private var pathOfItem: [String] = []
    private var changedItems: Set<Int> = []
    private var toldCount = 0
    private var hasToldFirst = false

    /// A change of one item copies no more than so many.
    private static let pieceCount = 512

    /// Makes a list without pictures.
    public init(title: String) {
        self.title = title
    }

    /// The number of items, those that are deleted included.
    public var count: Int { pathOfItem.count }

    /// Whether there is something to tell.
    public var hasNews: Bool { !hasToldFirst || !changedItems.isEmpty || count > toldCount }

    /// A file was written to its end; its path is as `FileText` has it.
    public mutating func write(_ path: String) {
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

    /// A file is gone.
    public mutating func delete(_ path: String) {
        guard let item = itemOfPath[path], !self[item].isDeleted else { return }
        var changed = self[item]
        changed.isDeleted = true
        changed.revision += 1
        set(item, changed)
    }

    /// A file has another name; over the one of another picture, that one is written again.
    public mutating func rename(_ old: String, to new: String) {
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

    /// What there is to tell; nil if it is nothing.
    public mutating func takeChange() -> Change? {
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
