internal import BitCollections
internal import ImageLoading

/// What is new, and what has been looked at.
///
/// A picture counts as read once it was selected and left, or opened. That it stood on the screen among
/// others is not enough: a screen shows dozens, and what one leafs past is not looked at.
extension GalleryState {
    /// Takes what is known from earlier galleries.
    mutating func takeUnread(_ items: [Int], of ranges: [Range<Int>]) {
        for range in ranges { unread.subtract(BitSet(range)) }
        for item in items where item < feedCount { unread.insert(item) }
    }

    /// Notes what the person has come to look at, and what was looked at until now.
    mutating func noteReading(after message: Message, from before: Int?) -> [Effect] {
        guard !unread.isEmpty, message.isOfPersonOrClock else { return [] }
        var read: [Int] = []
        let selected = selectedItem
        if selected != before { read = [before, selected].compactMap(\.self) }
        if let item = detail?.item { read.append(item) }
        read = read.filter { unread.remove($0) != nil }
        return read.isEmpty ? [] : [.keepReading(read: read, unread: [])]
    }

    /// Goes to the next picture that is new, after the last to the first; where one is open, opens it.
    mutating func goToNextUnread() -> [Effect] {
        let behind = (min(selection + 1, itemCount)..<itemCount).lazy
        let before = (0..<min(selection + 1, itemCount)).lazy
        let isUnread: (Int) -> Bool = { [order, unread] in unread.contains(order[$0]) }
        guard !unread.isEmpty,
            let position = behind.first(where: isUnread) ?? before.first(where: isUnread)
        else {
            notice = Notice("nothing new")
            return []
        }
        return look(at: position)
    }

    /// Counts everything as read; the same again takes that back.
    mutating func readAll() -> [Effect] {
        if unread.isEmpty, !readAtOnce.isEmpty {
            (unread, readAtOnce) = (readAtOnce, BitSet())
            notice = Notice("\(CountText.grouped(unread.count)) are new again")
            return [.keepReading(read: [], unread: Array(unread))]
        }
        guard !unread.isEmpty else {
            notice = Notice("nothing new")
            return []
        }
        (unread, readAtOnce) = (BitSet(), unread)
        let count = CountText.grouped(readAtOnce.count)
        notice = Notice("\(count) no longer new" + keys.hint(.readAll, "takes that back"))
        return [.keepReading(read: Array(readAtOnce), unread: [])]
    }
}

extension Message {
    /// Whether the person moves, or what moves by itself: not the feed under them.
    fileprivate var isOfPersonOrClock: Bool {
        if case .input = self { return true }
        if case .tick = self { return true }
        return false
    }
}

extension Feed {
    /// Where the feeds are whose reading is kept, and under which number each.
    public var subscriptions: [(number: UInt64, range: Range<Int>)] {
        if let subscription { return [(subscription, 0..<count)] }
        guard case .joined(let feeds, _) = searchable else { return [] }
        var start = 0
        var found: [(number: UInt64, range: Range<Int>)] = []
        for feed in feeds {
            for (number, range) in feed.subscriptions {
                let range = start + range.lowerBound..<start + range.upperBound
                found.append((number: number, range: range))
            }
            start += feed.count
        }
        return found
    }

    /// Whether its reading is worth keeping: it has entries, or a server has it; a list of a million lines
    /// is no news.
    public var hasNews: Bool {
        (isDocument || origin.isRemote) && count <= Self.mostNews
    }

    private static let mostNews = 20_000

    /// Stands for an item in files: for its entry and its place in that, or else for its address.
    public func readingKey(of item: Int) -> UInt64 {
        let feedItem = self[item]
        guard let entry = feedItem.details?.entry else {
            return TextHash.of(PictureAddress.of(feedItem.url))
        }
        return TextHash.of("\(entry.entry) \(entry.index)")
    }
}
