package import Glibc
package import ImageLoading
import SystemSupport

/// The feeds that were read before, each with a version that reveals changes: a file's stamp, or
/// the version sent by a server.
///
/// This class is thread-safe. A feed reader records the feeds that it reads, and looks a feed up
/// before reading it again.
package final class KnownFeeds: Sendable {
    /// The last state of a feed or of a list of feeds.
    private struct Entry {
        var feed: Feed?
        /// The list of feeds if the source is such a list.
        ///
        /// Each of its feeds is requested separately.
        var list: FeedList?
        var version = Version.unknown

        var before: Before? { feed.map { Before(feed: $0, list: list) } }
    }

    /// The last state of a source.
    package struct Before {
        package let feed: Feed
        /// The list of feeds if the source is such a list.
        ///
        /// Each of its feeds is requested separately.
        package let list: FeedList?
    }

    /// A value that stays the same while a feed is unchanged.
    private enum Version {
        case unknown
        case file(FileStamp)
        /// The header fields for a conditional request, and a hash of the bytes for servers without
        /// validators.
        case body([HeaderField], hash: Int)
    }

    private struct Shared {
        var entries: [FeedSource: Entry] = [:]
        var hasChanged = false
        var faults: [String] = []
    }

    private let shared = Protected(Shared())

    // MARK: Looking up

    /// Returns whether the source was read before.
    package func has(_ source: FeedSource) -> Bool {
        shared.withLock { $0.entries[source]?.feed != nil }
    }

    /// Returns the header fields that make a server send a feed only if it has changed.
    package func conditions(for source: FeedSource) -> [HeaderField] {
        guard case .body(let conditions, _)? = shared.withLock({ $0.entries[source]?.version })
        else { return [] }
        return conditions
    }

    /// Returns the previous state if the response shows that the feed is unchanged.
    package func before(_ source: FeedSource, _ body: ImageManager.FetchedBody) -> Before? {
        entry(source, asBefore: body)?.before
    }

    /// Returns the previous state if the file is unchanged.
    package func before(_ source: FeedSource, _ status: stat) -> Before? {
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

    // MARK: Recording

    /// Records a feed that was read from a server's response.
    package func note(_ source: FeedSource, _ feed: Feed, of body: ImageManager.FetchedBody) {
        note(source, feed: feed, version: .body(body.conditions, hash: Self.hash(body.bytes)))
    }

    /// Records a feed that was read from a file.
    package func note(_ source: FeedSource, _ feed: Feed, of status: stat) {
        note(source, feed: feed, version: .file(FileStamp(status)))
    }

    /// Records a feed without a version, such as a directory.
    package func note(_ source: FeedSource, _ feed: Feed) {
        note(source, feed: feed, version: .unknown)
    }

    /// Records whether the source is a list of feeds, before its feed is recorded.
    package func note(_ source: FeedSource, _ list: FeedList?) {
        shared.withLock { $0.entries[source, default: Entry()].list = list }
    }

    private static func hash(_ bytes: [UInt8]) -> Int {
        var hasher = Hasher()
        bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
        return hasher.finalize()
    }

    private func note(_ source: FeedSource, feed: Feed, version: Version) {
        shared.withLock { shared in
            let list = shared.entries[source]?.list
            shared.entries[source] = Entry(feed: feed, list: list, version: version)
            shared.hasChanged = true
        }
    }

    // MARK: Reading again

    /// Returns the previous state of a source that can't be read again and records the error, or
    /// returns nil if it was never read.
    package func keep(_ source: FeedSource, because error: FeedError) -> Feed? {
        shared.withLock { shared in
            guard let feed = shared.entries[source]?.feed else { return nil }
            shared.faults.append(error.description)
            return feed
        }
    }

    /// Returns whether new content was read since the last call, and the errors since then; resets
    /// both.
    package func takeOutcome() -> (hasChanged: Bool, faults: [String]) {
        shared.withLock { shared in
            defer { (shared.hasChanged, shared.faults) = (false, []) }
            return (shared.hasChanged, shared.faults)
        }
    }
}
