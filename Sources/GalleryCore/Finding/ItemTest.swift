internal import Decoders
internal import Feeds
internal import ImageLoading

/// A test of a single item against the filter conditions that can't be evaluated for groups of
/// items.
struct ItemTest {
    let feed: Feed
    let known: KnownItems
    let file: (FeedItem) -> LocalFileFacts?

    init(feed: Feed, known: KnownItems, file: @escaping (FeedItem) -> LocalFileFacts?) {
        (self.feed, self.known, self.file) = (feed, known, file)
    }

    func holds(_ test: FilterQuery.Test, _ item: Int) -> Bool {
        switch test {
        case .byteCount(let comparison, let limit):
            byteCount(item).map { comparison.holds($0, limit) } ?? false
        case .label(let label): known.labels[PictureAddress.of(feed[item].url)] == label
        case .text, .format, .host, .failed, .loaded, .marked, .unread, .size: false
        }
    }

    private func byteCount(_ item: Int) -> Int? {
        if let count = known.facts[item]?.byteCount { return count }
        return feed.localItem(item).flatMap(file)?.byteCount
    }
}

/// A namespace for the names and suffixes of image formats.
enum FormatNames {
    /// Returns the file suffixes of the format with the given name, and the name itself.
    static func suffixes(of name: String) -> [[UInt8]] {
        let format = DecoderRegistry.standard.formats.first { format in
            format.rawValue.lowercased() == name || format.displayName.lowercased() == name
                || format.fileSuffixes.contains(name)
        }
        return ([name] + (format?.fileSuffixes ?? [])).map { Array($0.utf8) }
    }
}
