import GalleryCore
import Glibc
import ImageLoading

/// The feeds that were read, with what tells whether they have changed since: a file's stamp, or the
/// version that a server named.
///
/// Thread-safe; a reader of feeds writes down here what it reads, and asks before it reads again.
final class KnownFeeds: Sendable {
    /// One feed, or list of feeds, as it was read last.
    private struct Entry {
        var feed: Feed?
        /// Of a list of feeds, which are asked for one by one.
        var list: FeedList?
        var version = Version.unknown

        var before: Before? { feed.map { Before(feed: $0, list: list) } }
    }

    /// What a source was when it was read last.
    struct Before {
        let feed: Feed
        /// The feeds that it was made of, which are asked for one by one.
        let list: FeedList?
    }

    /// What is the same for as long as a feed is.
    private enum Version {
        case unknown
        case file(FileStamp)
        /// The header fields that ask for it, and a hash of the bytes, for servers that name none.
        case body([HeaderField], hash: Int)
    }

    private struct Shared {
        var entries: [FeedSource: Entry] = [:]
        var hasChanged = false
        var faults: [String] = []
    }

    private let shared = Protected(Shared())

    // MARK: Asking

    /// Whether it was read before.
    func has(_ source: FeedSource) -> Bool {
        shared.withLock { $0.entries[source]?.feed != nil }
    }

    /// The header fields with which a server sends a feed only if it has changed.
    func conditions(for source: FeedSource) -> [HeaderField] {
        guard case .body(let conditions, _)? = shared.withLock({ $0.entries[source]?.version })
        else { return [] }
        return conditions
    }

    /// What was read before, if the answer says that it is the same.
    func before(_ source: FeedSource, _ body: ImageManager.FetchedBody) -> Before? {
        entry(source, asBefore: body)?.before
    }

    /// What was read before, if its file is the same.
    func before(_ source: FeedSource, _ status: stat) -> Before? {
        entry(source, asBefore: status)?.before
    }

    private func entry(_ source: FeedSource, asBefore body: ImageManager.FetchedBody) -> Entry? {
        guard let entry = shared.withLock({ $0.entries[source] }),
            case .body(_, let hash) = entry.version,
            body.isUnchanged || hash == Self.hash(body.bytes)
        else { return nil }
        return entry
    }

    private func entry(_ source: FeedSource, asBefore status: stat) -> Entry? {
        guard let entry = shared.withLock({ $0.entries[source] }),
            case .file(let stamp) = entry.version, stamp == FileStamp(status)
        else { return nil }
        return entry
    }

    // MARK: Noting

    /// A feed was read of what a server sent.
    func note(_ source: FeedSource, _ feed: Feed, of body: ImageManager.FetchedBody) {
        note(source, feed, .body(body.conditions, hash: Self.hash(body.bytes)))
    }

    /// A feed was read of a file.
    func note(_ source: FeedSource, _ feed: Feed, of status: stat) {
        note(source, feed, .file(FileStamp(status)))
    }

    /// A feed was read that says nothing of its version: a folder.
    func note(_ source: FeedSource, _ feed: Feed) {
        note(source, feed, .unknown)
    }

    /// What is read now is a list of feeds, or none; its feed follows.
    func note(_ source: FeedSource, _ list: FeedList?) {
        shared.withLock { $0.entries[source, default: Entry()].list = list }
    }

    private static func hash(_ bytes: [UInt8]) -> Int {
        var hasher = Hasher()
        bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
        return hasher.finalize()
    }

    private func note(_ source: FeedSource, _ feed: Feed, _ version: Version) {
        shared.withLock { shared in
            let list = shared.entries[source]?.list
            shared.entries[source] = Entry(feed: feed, list: list, version: version)
            shared.hasChanged = true
        }
    }

    // MARK: Reading again

    /// What can't be read again stays as it was, and why is kept; nil if it was never read.
    func keep(_ source: FeedSource, because error: FeedError) -> Feed? {
        shared.withLock { shared in
            guard let feed = shared.entries[source]?.feed else { return nil }
            shared.faults.append(error.description)
            return feed
        }
    }

    /// What has happened since the last time: whether anything was read that was not known, and what
    /// could not be read.
    func takeOutcome() -> (hasChanged: Bool, faults: [String]) {
        shared.withLock { shared in
            defer { (shared.hasChanged, shared.faults) = (false, []) }
            return (shared.hasChanged, shared.faults)
        }
    }
}
