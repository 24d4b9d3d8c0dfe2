package import Decoders
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
        case .field(let name, let test): value(of: name, item).map(test.holds) ?? false
        case .text, .format, .host, .failed, .loaded, .marked, .unread, .size, .width, .height,
            .ratio:
            false
        }
    }

    /// Returns the value of a field of the item's record, or else of the photo.
    private func value(of name: String, _ item: Int) -> String? {
        let fields = feed[item].details?.fields ?? []
        if let field = fields.first(where: { $0.name.lowercased() == name }) { return field.value }
        guard FilterFields.camera.contains(name), let camera = dates.camera(of: item) else {
            return nil
        }
        return switch name {
        case "camera": camera.model
        case "lens": camera.lens
        case "iso": camera.sensitivity.map { "\($0)" }
        case "aperture": camera.aperture.map { "\($0)" }
        default: camera.focalLength.map { "\($0)" }
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

/// The camera settings and the date in the file of a photo.
package struct PhotoRecord: Sendable {
    package let camera: CameraFacts
    /// The time at which the photo was taken, in nanoseconds since 1970; nil if it is unknown.
    package let taken: Int?

    package init(camera: CameraFacts, taken: Int?) {
        (self.camera, self.taken) = (camera, taken)
    }
}

/// The dates of the items of a feed.
///
/// The date of a local file is the time at which the photo was taken or, if unknown, the
/// modification time.
struct ItemDates {
    let feed: Feed
    let file: (FeedItem) -> LocalFileFacts?
    let photo: (FeedItem) -> PhotoRecord?

    /// The maximum number of items in a feed for which photo dates are read from the files.
    ///
    /// Opening the files of a longer feed would take minutes.
    private static let mostFilesRead = 50_000

    /// Returns the date of an item in nanoseconds since 1970, or nil if it is unknown.
    func nanoseconds(of item: Int) -> Int? {
        if let date = feed.date(of: item) { return Self.nanoseconds(date) }
        guard let local = feed.localItem(item) else { return nil }
        let taken = feed.count <= Self.mostFilesRead ? photo(local)?.taken : nil
        return taken ?? file(local)?.modified
    }

    /// Returns the camera settings in a local file, which the first call reads.
    func camera(of item: Int) -> CameraFacts? { feed.localItem(item).flatMap(photo)?.camera }

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
