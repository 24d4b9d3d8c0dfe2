import GalleryCore
import Glibc
import ImageLoading

/// Where a person was in each feed, from one gallery to the next.
///
/// A file of a line for each feed, the newest last: the hashes of the feed's name and of the picture's
/// URL, so that no URL and no secret of one is kept, and the picture's number, where it is looked for
/// first. Harmless: what can't be read or written is as if it had never been there.
struct FeedPlaces: Equatable, Sendable {
    /// One line.
    struct Place: Equatable, Sendable {
        let feed: UInt64
        let item: UInt64
        let index: Int
    }

    /// Feeds that were not opened for longest are forgotten.
    static let maximumCount = 500
    /// So many items to each side are looked at for one that has moved: it takes a tenth of a second.
    static let searchDistance = 100_000
    private(set) var places: [Place] = []

    /// Reads the lines of a file; those that make no sense are left out.
    init(_ text: String = "") {
        let all = text.split(separator: "\n").compactMap(Self.place)
        places = Array(all.suffix(Self.maximumCount))
    }

    private static func place(_ line: Substring) -> Place? {
        let parts = line.split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count == 3, let feed = UInt64(parts[0], radix: 16),
            let item = UInt64(parts[1], radix: 16), let index = Int(parts[2]), index >= 0
        else { return nil }
        return Place(feed: feed, item: item, index: index)
    }

    /// The file's text.
    var text: String {
        places.map { place in
            String(place.feed, radix: 16) + " " + String(place.item, radix: 16)
                + " \(place.index)\n"
        }.joined()
    }

    /// Keeps a place; that of the feed before is forgotten.
    mutating func keep(_ place: Place) {
        places.removeAll { $0.feed == place.feed }
        places.append(place)
        places.removeFirst(max(0, places.count - Self.maximumCount))
    }

    /// The item of `feed` that was selected last, if it is still there: by its URL, first where it
    /// was, then ever further around.
    func item(in feed: Feed, named name: UInt64) -> Int? {
        guard let place = places.last(where: { $0.feed == name }), feed.count > 0 else {
            return nil
        }
        let index = min(place.index, feed.count - 1)
        for distance in 0...min(Self.searchDistance, feed.count) {
            for candidate in distance == 0 ? [index] : [index - distance, index + distance]
            where candidate >= 0 && candidate < feed.count
                && TextHash.of(feed[candidate].url) == place.item
            {
                return candidate
            }
        }
        return nil
    }

    /// One name for a folder or file, however it was reached.
    private static func resolved(_ path: String) -> String {
        guard let real = realpath(FileText.path(path), nil) else { return AbsolutePath.of(path) }
        defer { free(real) }
        return FileText.text(cString: real)
    }

    /// What feeds are known by, whatever folder the program stands in; nil for those that are not
    /// there a second time.
    static func name(of sources: [FeedSource]) -> UInt64? {
        var names: [String] = []
        for source in sources {
            switch source {
            case .standardInput: return nil
            case .remote(let url), .subscription(.remote(let url), _): names.append(url)
            case .subscription(.path(let path), _): names.append(resolved(path))
            case .subscription: return nil
            case .path(let path): names.append(resolved(path))
            case .currentFolder: names.append(resolved("."))
            }
        }
        return names.isEmpty ? nil : TextHash.of(names.joined(separator: "\0"))
    }
}

/// The place of one feed, in the file of all.
struct FeedPlaceFile: Sendable {
    /// Nil to keep nothing.
    let path: String?
    private let name: UInt64?

    /// The file of this user, `$XDG_STATE_HOME/termgallery/places`.
    init(sources: [FeedSource]) {
        self.init(path: StateFile.path("places"), sources: sources)
    }

    init(path: String?, sources: [FeedSource]) {
        self.path = path
        name = FeedPlaces.name(of: sources)
    }

    /// A file that keeps nothing.
    static let none = FeedPlaceFile(path: nil, sources: [])

    /// Where to begin in a feed that was read; nil for its first one.
    func item(in feed: Feed) -> Int? {
        guard let path, let name else { return nil }
        return read(path).item(in: feed, named: name)
    }

    /// Keeps the item that is selected, beside what other galleries have kept meanwhile.
    func keep(item: Int?, of feed: Feed?) {
        guard let path, let name, let feed, let item, item < feed.count else { return }
        var places = read(path)
        let hash = TextHash.of(feed[item].url)
        places.keep(FeedPlaces.Place(feed: name, item: hash, index: item))
        StateFile.write(Array(places.text.utf8), to: path)
    }

    private func read(_ path: String) -> FeedPlaces {
        FeedPlaces(String(decoding: StateFile.read(path, atMost: 1 << 16), as: UTF8.self))
    }
}
