package import Glibc
package import ImageLoading
import SystemSupport

/// The previously read feeds, each with a version for detecting changes.
///
/// The version of a file is its identity, length and modification time. The version of a response
/// is a set of validators and a hash of its bytes.
///
/// This class is thread-safe. A feed reader records the feeds that it reads and looks up each feed
/// before reading it again.
package final class KnownFeeds: Sendable {
    /// The feed or list of feeds that was last read from a source.
    private struct Entry {
        var feed: Feed?
        /// The list of feeds, if the source is such a list; its feeds are requested separately.
        var list: FeedList?
        var version = Version.unknown

        var before: Before? { feed.map { Before(feed: $0, list: list) } }
    }

    /// The feed that was last read from a source.
    package struct Before {
        package let feed: Feed
        /// The list of feeds, if the source is such a list; its feeds are requested separately.
        package let list: FeedList?
    }

    /// A value that stays the same as long as a feed is unchanged.
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

    /// Returns whether the source has been read before.
    package func has(_ source: FeedSource) -> Bool {
        shared.withLock { $0.entries[source]?.feed != nil }
    }

    /// Returns the header fields that make a server send a feed only if it has changed.
    package func conditions(for source: FeedSource) -> [HeaderField] {
        guard case .body(let conditions, _)? = shared.withLock({ $0.entries[source]?.version })
        else { return [] }
        return conditions
    }

    /// Returns the previously read feed if the response shows that it is unchanged; otherwise nil.
    package func before(_ source: FeedSource, _ body: ImageManager.FetchedBody) -> Before? {
        entry(source, asBefore: body)?.before
    }

    /// Returns the previously read feed if the file is unchanged; otherwise nil.
    package func before(_ source: FeedSource, _ status: stat) -> Before? {
        entry(source, asBefore: status)?.before
    }

    private func entry(_ source: FeedSource, asBefore body: ImageManager.FetchedBody) -> Entry? {
        guard let entry = shared.withLock({ $0.entries[source] }),
            case .body(_, let hash) = entry.version,
            body.isUnchanged || hash == Self.hash(body.bytes)
        else { return nil }
        // The server may have changed the validators but not the body.
        shared.withLock { $0.entries[source]?.version = .body(body.conditions, hash: hash) }
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

    /// Records a feed that has no version, such as the feed of a directory.
    package func note(_ source: FeedSource, _ feed: Feed) {
        note(source, feed: feed, version: .unknown)
    }

    /// Records the list of feeds that a source contains, or nil if the source is a single feed.
    ///
    /// Call this method before the feed of the source is recorded.
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

    /// Returns the feed previously read from a source that can't be read now and records the error.
    ///
    /// If the source has never been read, returns nil and does not record the error.
    package func keep(_ source: FeedSource, because error: FeedError) -> Feed? {
        shared.withLock { shared in
            guard let feed = shared.entries[source]?.feed else { return nil }
            shared.faults.append(error.description)
            return feed
        }
    }

    /// Returns whether a feed has been recorded since the last call, and the errors recorded since
    /// then.
    ///
    /// The call resets both.
    package func takeOutcome() -> (hasChanged: Bool, faults: [String]) {
        shared.withLock { shared in
            defer { (shared.hasChanged, shared.faults) = (false, []) }
            return (shared.hasChanged, shared.faults)
        }
    }
}
