import Glibc
import ImageLoading
import SystemSupport

/// The user's position in each feed, kept between runs of the gallery.
///
/// The file has one line per feed, with the most recently stored line last. A line contains the
/// hash of the feed's name, the hash of the image's URL, and the index of the image. Hashes are
/// stored instead of URLs, because URLs may contain secrets. The search for the image starts at the
/// stored index. Errors are harmless: data that can't be read or written is treated as missing.
package struct FeedPlaces: Equatable, Sendable {
    /// The position in one feed, which is one line of the file.
    package struct Place: Equatable, Sendable {
        package let feed: UInt64
        package let item: UInt64
        package let index: Int
    }

    /// The maximum number of feeds; the least recently stored positions are removed.
    package static let maximumCount = 500
    /// The number of items to search on each side of the stored index for an item that has moved.
    ///
    /// The search takes up to 0.1 seconds.
    package static let searchDistance = 100_000
    package private(set) var places: [Place] = []

    /// Parses the lines of a file and skips invalid lines.
    package init(_ text: String = "") {
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

    /// The text of the file.
    package var text: String {
        places.map { place in
            String(place.feed, radix: 16) + " " + String(place.item, radix: 16)
                + " \(place.index)\n"
        }.joined()
    }

    /// Stores the position in a feed and removes the previous position in the same feed.
    package mutating func keep(_ place: Place) {
        places.removeAll { $0.feed == place.feed }
        places.append(place)
        places.removeFirst(max(0, places.count - Self.maximumCount))
    }

    /// Returns the index in `feed` of the last selected item, or nil if it is not found.
    ///
    /// `name` is the hash of the feed's name. The search compares URLs, first at the stored index
    /// and then at increasing distances from it.
    package func item(in feed: Feed, named name: UInt64) -> Int? {
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

    /// Returns the absolute path of a directory or file, with all links resolved.
    private static func resolved(_ path: String) -> String {
        guard let real = realpath(FileText.path(path), nil) else { return AbsolutePath.of(path) }
        defer { free(real) }
        return FileText.text(cString: real)
    }

    /// Returns a hash that identifies the sources, independently of the current directory, or nil
    /// for sources that can't be opened again.
    package static func name(of sources: [FeedSource]) -> UInt64? {
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

/// The file with the user's positions in all feeds, used to read and store the position in one
/// feed.
package struct FeedPlaceFile: Sendable {
    /// The path of the file, or nil to store nothing.
    package let path: String?
    private let name: UInt64?

    /// Creates a reference to the user's file, `$XDG_STATE_HOME/termgallery/places`.
    package init(sources: [FeedSource]) {
        self.init(path: StateFile.path("places"), sources: sources)
    }

    package init(path: String?, sources: [FeedSource]) {
        self.path = path
        name = FeedPlaces.name(of: sources)
    }

    /// A file that stores nothing.
    package static let none = FeedPlaceFile(path: nil, sources: [])

    /// Returns the item at which to start in a feed, or nil for the first item.
    package func item(in feed: Feed) -> Int? {
        guard let path, let name else { return nil }
        return read(path).item(in: feed, named: name)
    }

    /// Stores the selected item and keeps positions stored by other galleries in the meantime.
    package func keep(item: Int?, of feed: Feed?) {
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
