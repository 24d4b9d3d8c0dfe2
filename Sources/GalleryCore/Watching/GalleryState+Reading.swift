internal import BitCollections
internal import Feeds
internal import ImageLoading

/// New images, and images that the user has seen.
///
/// An image counts as seen after the user selected it and then selected another image, or after the
/// user opened it. Being on the screen does not count, because a screen shows dozens of images.
extension GalleryState {
    /// Updates the unread items for ranges whose state is known from earlier sessions.
    mutating func takeUnread(_ items: [Int], of ranges: [Range<Int>]) {
        for range in ranges { unread.subtract(BitSet(range)) }
        for item in items where item < feedCount { unread.insert(item) }
    }

    /// Records which images were seen, after the user or the slide show changed the selection.
    mutating func noteReading(after message: Message, from before: Int?) -> [Effect] {
        guard !unread.isEmpty, message.isOfPersonOrClock else { return [] }
        var read: [Int] = []
        let selected = selectedItem
        if selected != before { read = [before, selected].compactMap(\.self) }
        if let item = detail?.item { read.append(item) }
        read = read.filter { unread.remove($0) != nil }
        return read.isEmpty ? [] : [.keepReading(read: read, unread: [])]
    }

    /// Selects the next new image, or the first new image after the last one; an open image view
    /// shows it.
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

    /// Marks all images as seen; if all are seen already, reverts the last such change.
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
        notice = Notice("\(count) no longer new" + keys.hint(.readAll, "undoes this"))
        return [.keepReading(read: Array(readAtOnce), unread: [])]
    }
}

extension Message {
    /// Whether the message comes from the user or the clock, not from the feed.
    fileprivate var isOfPersonOrClock: Bool {
        if case .input = self { return true }
        if case .tick = self { return true }
        return false
    }
}
