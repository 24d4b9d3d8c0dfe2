import GalleryCore
import Glibc
import ImageLoading

/// What a person has looked at in one feed, from one gallery to the next.
///
/// A file of numbers that stand for pictures and entries, so that no address and no secret of one is
/// kept: a line with the time of the last reading, the number of pictures and of those that are new, then
/// a line for each that was looked at, the newest reading's last. Harmless: what can't be read or written is as if it
/// had never been there.
struct ReadingRecord: Equatable, Sendable {
    /// So many are kept; those that the feed has lost for longest are forgotten first.
    static let mostKeys = 20_000
    static let mostBytes = mostKeys * 17 + 256
    private static let title = "termgallery-reading-1"

    /// Seconds since 1970; nil if it was never read.
    var date: Int?
    var itemCount = 0
    var unreadCount = 0
    /// Those that were looked at.
    private(set) var keys: [UInt64] = []
    private var known: Set<UInt64> = []

    init() {}

    /// Reads a file's bytes; lines that make no sense are left out.
    init(_ bytes: [UInt8]) {
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

    /// The file's bytes.
    var bytes: [UInt8] {
        let head = "\(Self.title) \(date ?? 0) \(itemCount) \(unreadCount)\n"
        let lines = keys.suffix(Self.mostKeys).map { key in
            let digits = String(key, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits + "\n"
        }
        return Array((head + lines.joined()).utf8)
    }

    func isRead(_ key: UInt64) -> Bool { known.contains(key) }

    mutating func add(_ key: UInt64) {
        if known.insert(key).inserted { keys.append(key) }
    }

    mutating func remove(_ removed: Set<UInt64>) {
        known.subtract(removed)
        keys.removeAll(where: removed.contains)
    }

    /// Takes what another gallery has noted meanwhile, and puts what the feed has now last.
    mutating func settle(_ feed: [UInt64], beside other: ReadingRecord) {
        for key in other.keys { add(key) }
        let present = Set(feed)
        keys = keys.filter { !present.contains($0) } + keys.filter(present.contains)
        itemCount = feed.count
        unreadCount = feed.count { !known.contains($0) }
    }
}

/// The files of all feeds, `$XDG_STATE_HOME/termgallery/reading`: one for each.
struct ReadingFolder: Sendable {
    /// Nil to keep nothing.
    let path: String?

    /// Feeds that were not opened for longest are forgotten.
    static let mostFiles = 500
    /// Seconds after which a feed that nobody opens is forgotten: a year.
    static let longestTime = 366 * 86_400

    /// The folder of this user.
    static var ofUser: ReadingFolder { ReadingFolder(path: StateFile.path("reading")) }

    private func file(_ number: UInt64) -> String? {
        path.map { UserFolders.join($0, String(number, radix: 16)) }
    }

    func read(_ number: UInt64) -> ReadingRecord {
        guard let file = file(number) else { return ReadingRecord() }
        return ReadingRecord(StateFile.read(file, atMost: ReadingRecord.mostBytes))
    }

    func write(_ record: ReadingRecord, _ number: UInt64) {
        guard let file = file(number) else { return }
        StateFile.write(record.bytes, to: file)
    }

    /// Deletes the files of feeds that nobody opens any more.
    func sweep(now: Int) {
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
    /// The feed with what its reading is kept under, if that is to be kept.
    func subscribed(to source: FeedSource?) -> Feed {
        guard hasNews, let source else { return self }
        var feed = self
        feed.subscription = FeedPlaces.name(of: [source])
        return feed
    }
}
