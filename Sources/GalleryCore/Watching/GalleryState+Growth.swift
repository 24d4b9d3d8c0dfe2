/// Feeds that change while they are looked at.
extension GalleryState {
    /// Takes the feed as it is now: there may be more items, and the ones that are named are others.
    ///
    /// All items keep their index. What is looked at stays where it is.
    mutating func change(to feed: Feed) -> [Effect] {
        guard case .success? = self.feed else { return open(.success(feed)) }
        if let remark = feed.remark, remark != (try? self.feed?.get())?.remark {
            notice = Notice(remark)
        }
        self.feed = .success(feed)
        if order.isFeedOrder { order = ItemOrder(feedCount: feed.count) }
        if let labelledCount { selectFirstWithoutLabel(from: labelledCount) }
        return settle()
    }

    /// What the number of items is followed by while there may be more.
    var openEndSign: String { (try? feed?.get())?.isOpen == true ? "+" : "" }
}
