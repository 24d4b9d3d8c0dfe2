import ImageLoading

extension Feed {
    /// The feeds for which viewed images are recorded, each with its identifier and range of items.
    package var subscriptions: [(number: UInt64, range: Range<Int>)] {
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

    /// Whether viewed images are recorded.
    ///
    /// This is true for feeds with entries and feeds from a server that have at most 20,000 items.
    package var hasNews: Bool {
        (isDocument || origin.isRemote) && count <= Self.mostNews
    }

    private static let mostNews = 20_000

    /// Returns the number that identifies an item in the user's record of viewed items.
    ///
    /// If the item has an entry, the number is a hash of the entry and of the item's position in
    /// it. Otherwise, the number is a hash of the item's URL.
    package func readingKey(of item: Int) -> UInt64 {
        let feedItem = self[item]
        guard let entry = feedItem.details?.entry else {
            return TextHash.of(PictureAddress.of(feedItem.url))
        }
        return TextHash.of("\(entry.entry) \(entry.index)")
    }
}
