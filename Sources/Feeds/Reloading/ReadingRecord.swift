import Glibc
import ImageLoading
import SystemSupport

/// The viewed items of a feed, kept between runs of the gallery.
///
/// The file identifies items by numbers, so it contains neither URLs nor the secrets in them. The
/// first line contains the time at which the file was last written, the number of items and the
/// number of new items. Each of the other lines identifies a viewed item; items that are still in
/// the feed come last. Errors are harmless: data that can't be read or written is treated as
/// missing.
package struct ReadingRecord: Equatable, Sendable {
    /// The maximum number of keys, each of which identifies a viewed item.
    ///
    /// The keys that have been missing from the feed for the longest time are removed first.
    package static let mostKeys = 20_000
    package static let mostBytes = mostKeys * 17 + 256
    private static let title = "termgallery-reading-1"

    /// The time at which the record was last written, in seconds since 1970, or nil before the
    /// first write.
    package var date: Int?
    package var itemCount = 0
    package var unreadCount = 0
    /// The keys of the viewed items.
    package private(set) var keys: [UInt64] = []
    private var known: Set<UInt64> = []

    package init() {}

    /// Parses the bytes of a file and skips invalid lines.
    package init(_ bytes: [UInt8]) {
        for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
            let words = line.split(separator: " ")
            if words.first == Self.title[...] {
                let numbers = words.dropFirst().map { Int($0) ?? -1 }
                guard numbers.count == 3, numbers.allSatisfy({ $0 >= 0 }) else { continue }
                (date, itemCount, unreadCount) = (numbers[0], numbers[1], numbers[2])
            } else if words.count == 1, line.utf8.count == 16, let key = UInt64(line, radix: 16) {
                add(key)
            }
        }
    }

    /// The bytes of the file.
    package var bytes: [UInt8] {
        let head = "\(Self.title) \(date ?? 0) \(itemCount) \(unreadCount)\n"
        let lines = keys.suffix(Self.mostKeys).map { key in
            let digits = String(key, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits + "\n"
        }
        return Array((head + lines.joined()).utf8)
    }

    package func isRead(_ key: UInt64) -> Bool { known.contains(key) }

    package mutating func add(_ key: UInt64) {
        if known.insert(key).inserted { keys.append(key) }
    }

    package mutating func remove(_ removed: Set<UInt64>) {
        known.subtract(removed)
        keys.removeAll(where: removed.contains)
    }

    /// Adds the keys in `other`, which another gallery has recorded in the meantime, and updates
    /// the counts.
    ///
    /// The keys of the items in `feed` are moved to the end.
    package mutating func settle(_ feed: [UInt64], beside other: ReadingRecord) {
        for key in other.keys { add(key) }
        let present = Set(feed)
        keys = keys.filter { !present.contains($0) } + keys.filter(present.contains)
        itemCount = feed.count
        unreadCount = feed.count { !known.contains($0) }
    }
}

/// The directory `$XDG_STATE_HOME/termgallery/reading`, with one file per feed.
package struct ReadingFolder: Sendable {
    /// The path, or nil to store nothing.
    package let path: String?

    package init(path: String?) {
        self.path = path
    }

    /// The maximum number of files; the least recently written files are deleted.
    package static let mostFiles = 500
    /// The number of seconds after which a file is deleted if it is not written to: 366 days.
    package static let longestTime = 366 * 86_400

    /// The directory of the current user.
    package static var ofUser: ReadingFolder { ReadingFolder(path: StateFile.path("reading")) }

    private func file(_ number: UInt64) -> String? {
        path.map { UserFolders.join($0, String(number, radix: 16)) }
    }

    package func read(_ number: UInt64) -> ReadingRecord {
        guard let file = file(number) else { return ReadingRecord() }
        return ReadingRecord(StateFile.read(file, atMost: ReadingRecord.mostBytes))
    }

    package func write(_ record: ReadingRecord, _ number: UInt64) {
        guard let file = file(number) else { return }
        StateFile.write(record.bytes, to: file)
    }

    /// Deletes the files of feeds that the user no longer opens.
    package func sweep(now: Int) {
        guard let path, let names = try? FolderNames.of(path) else { return }
        let files = names.compactMap { name -> (path: String, time: Int)? in
            var status = stat()
            let file = UserFolders.join(path, name)
            guard lstat(FileText.path(file), &status) == 0,
                status.st_mode & S_IFMT == S_IFREG, UInt64(name.prefix(16), radix: 16) != nil
            else { return nil }
            return (file, status.st_mtim.tv_sec)
        }
        let newest = files.sorted { $0.time > $1.time }
        for (place, file) in newest.enumerated()
        where place >= Self.mostFiles || now - file.time > Self.longestTime {
            unlink(FileText.path(file.path))
        }
    }
}

extension Feed {
    /// Returns the feed with the identifier under which its viewed images are recorded, or the
    /// unchanged feed if they are not recorded (`hasNews`).
    package func subscribed(to source: FeedSource?) -> Feed {
        guard hasNews, let source else { return self }
        var feed = self
        feed.subscription = FeedPlaces.name(of: [source])
        return feed
    }
}
