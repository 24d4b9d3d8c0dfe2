internal import Decoders
internal import Feeds
internal import ImageLoading

/// Tests a single item against the filter conditions that can't be evaluated for groups of items.
struct ItemTest {
    let feed: Feed
    let known: KnownItems
    let dates: ItemDates

    init(known: KnownItems, dates: ItemDates) {
        (feed, self.known, self.dates) = (dates.feed, known, dates)
    }

    func holds(_ test: FilterQuery.Test, _ item: Int) -> Bool {
        switch test {
        case .byteCount(let comparison, let limit):
            byteCount(item).map { comparison.holds($0, limit) } ?? false
        case .label(let label): known.labels[PictureAddress.of(feed[item].url)] == label
        case .pattern(let pattern):
            pattern.isFound(in: feed.caption(of: item))
                || pattern.isFound(in: PictureAddress.of(feed[item].url))
        case .date(let comparison, let date):
            dates.nanoseconds(of: item).map { Self.holds(comparison, date.seconds, $0) } ?? false
        case .text, .format, .host, .failed, .loaded, .marked, .unread, .size, .width, .height,
            .ratio:
            false
        }
    }

    private func byteCount(_ item: Int) -> Int? {
        if let count = known.facts[item]?.byteCount { return count }
        return dates.file(of: item)?.byteCount
    }

    /// Returns whether a time in nanoseconds satisfies a comparison with a range of seconds.
    ///
    /// `.atLeast` requires a time at or after the start of the range, and `.atMost` requires a time
    /// before the start.
    private static func holds(
        _ comparison: FilterQuery.Comparison,
        _ seconds: Range<Int>,
        _ nanoseconds: Int
    ) -> Bool {
        let second = nanoseconds / 1_000_000_000 - (nanoseconds % 1_000_000_000 < 0 ? 1 : 0)
        return switch comparison {
        case .atLeast: second >= seconds.lowerBound
        case .atMost: second < seconds.lowerBound
        case .exactly: seconds.contains(second)
        }
    }
}

/// The dates of the items of a feed.
///
/// The date of a local file is the time at which the photo was taken or, if unknown, the
/// modification time.
struct ItemDates {
    let feed: Feed
    let file: (FeedItem) -> LocalFileFacts?
    let taken: (FeedItem) -> Int?

    /// The maximum number of items in a feed for which photo dates are read from the files.
    ///
    /// Opening the files of a longer feed would take minutes.
    private static let mostFilesRead = 50_000

    /// Returns the date of an item in nanoseconds since 1970, or nil if it is unknown.
    func nanoseconds(of item: Int) -> Int? {
        if let date = feed.date(of: item) { return Self.nanoseconds(date) }
        guard let local = feed.localItem(item) else { return nil }
        let taken = feed.count <= Self.mostFilesRead ? taken(local) : nil
        return taken ?? file(local)?.modified
    }

    /// Returns the size and modification time of a local file, or nil for other items.
    func file(of item: Int) -> LocalFileFacts? { feed.localItem(item).flatMap(file) }

    /// Converts seconds to nanoseconds, the unit used for file times.
    ///
    /// A feed may contain any number, so the result is limited to about 285 years before or after
    /// 1970.
    private static func nanoseconds(_ seconds: Int) -> Int {
        min(max(seconds, -9_000_000_000), 9_000_000_000) * 1_000_000_000
    }
}

/// A namespace for the names and suffixes of image formats.
enum FormatNames {
    /// Returns the file suffixes of the format called `name`, and the name itself.
    static func suffixes(of name: String) -> [[UInt8]] {
        let format = DecoderRegistry.standard.formats.first { format in
            format.rawValue.lowercased() == name || format.displayName.lowercased() == name
                || format.fileSuffixes.contains(name)
        }
        return ([name] + (format?.fileSuffixes ?? [])).map { Array($0.utf8) }
    }
}
