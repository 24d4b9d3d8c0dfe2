import Feeds
import GalleryCore
import Glibc
import ImageLoading
import SystemSupport
import TerminalUI

/// Records viewed items, and posts which items of a feed are new.
///
/// The methods may be called on any thread. All work is performed in order on a single thread.
final class ReadingKeeper: Sendable {
    /// The items that one subscribed feed contributes to the current feed.
    ///
    /// The current feed may consist of several subscribed feeds.
    private struct Part {
        let number: UInt64
        let range: Range<Int>
        /// The keys of the items, in the order of `range`.
        let keys: [UInt64]
    }

    private struct Shared {
        var parts: [Part] = []
        var records: [UInt64: ReadingRecord] = [:]
        var removed: [UInt64: Set<UInt64>] = [:]
        var isWritingSoon = false
        var hasSwept = false
    }

    private let folder: ReadingFolder
    private let mailbox: Mailbox<GalleryMail>
    private let pool = WorkerPool(name: "reading", threadCount: 1, order: .oldestFirst)
    private let shared = Protected(Shared())
    /// The delay before changes are written to disk, in milliseconds.
    private static let pause: Int32 = 2_000

    init(_ folder: ReadingFolder, mailbox: Mailbox<GalleryMail>) {
        (self.folder, self.mailbox) = (folder, mailbox)
    }

    /// Determines which items of a feed are new, and posts them with `number`.
    ///
    /// Call this method for a new feed, and whenever the items of the feed are renumbered.
    func look(at feed: Feed, number: Int) {
        guard folder.path != nil, !feed.subscriptions.isEmpty else {
            return shared.withLock { $0.parts = [] }
        }
        pool.submit(priority: .high) { [self] in
            var records = shared.withLock { $0.records }
            let parts = feed.subscriptions.map { subscription in
                Part(
                    number: subscription.number,
                    range: subscription.range,
                    keys: subscription.range.map(feed.readingKey)
                )
            }
            var unread: [Int] = []
            for part in parts {
                var record = records[part.number] ?? folder.read(part.number)
                // When a feed is opened for the first time, none of its items count as new.
                if record.date == nil, record.keys.isEmpty {
                    for key in part.keys.suffix(ReadingRecord.mostKeys) { record.add(key) }
                }
                records[part.number] = record
                // The record of a longer feed is incomplete.
                guard part.keys.count <= ReadingRecord.mostKeys else { continue }
                for (item, key) in zip(part.range, part.keys) where !record.isRead(key) {
                    unread.append(item)
                }
            }
            shared.withLock { [records] shared in
                shared.parts = parts
                shared.records = records
            }
            mailbox.post(.unread(unread, of: parts.map(\.range), number: number))
            // The record must be written even if no items were viewed, because it contains the time
            // when the feed was opened.
            write()
        }
    }

    /// Records that the user viewed the `read` items and marked the `unread` items as new again.
    func note(read: [Int], unread: [Int]) {
        guard folder.path != nil else { return }
        pool.submit(priority: .high) { [self] in
            let isFirst = shared.withLock { shared in
                for (part, key) in Self.keys(read, shared.parts) {
                    shared.records[part.number]?.add(key)
                    shared.removed[part.number]?.remove(key)
                }
                for (part, key) in Self.keys(unread, shared.parts) {
                    shared.removed[part.number, default: []].insert(key)
                }
                for (number, keys) in shared.removed { shared.records[number]?.remove(keys) }
                defer { shared.isWritingSoon = true }
                return !shared.isWritingSoon
            }
            if isFirst { writeSoon() }
        }
    }

    /// Writes all pending changes, and waits until they are on disk.
    func end() {
        guard folder.path != nil else { return }
        let done = BlockingQueue<Void>()
        pool.submit(priority: .high) { [self] in
            write()
            done.put(())
        }
        done.take()
    }

    private static func keys(_ items: [Int], _ parts: [Part]) -> [(Part, UInt64)] {
        items.compactMap { item in
            let part = parts.first { $0.range.contains(item) }
            return part.map { ($0, $0.keys[item - $0.range.lowerBound]) }
        }
    }

    // MARK: Writing

    /// Starts a delayed write, so several images viewed in quick succession need only one write.
    private func writeSoon() {
        _ = POSIXThread.startDetached(name: "reading-clock") { [weak self] in
            poll(nil, 0, Self.pause)
            guard let self else { return }
            pool.submit(priority: .normal) { [weak self] in self?.write() }
        }
    }

    private func write() {
        let now = time(nil)
        let (parts, records, removed, hasSwept) = shared.withLock { shared in
            shared.isWritingSoon = false
            defer { shared.hasSwept = true }
            return (shared.parts, shared.records, shared.removed, shared.hasSwept)
        }
        for part in parts {
            guard var record = records[part.number] else { continue }
            // Another running gallery may have opened the same feed and changed its record.
            var other = folder.read(part.number)
            other.remove(removed[part.number] ?? [])
            record.settle(part.keys, beside: other)
            record.date = now
            folder.write(record, part.number)
        }
        if !hasSwept, !parts.isEmpty { folder.sweep(now: now) }
    }
}
