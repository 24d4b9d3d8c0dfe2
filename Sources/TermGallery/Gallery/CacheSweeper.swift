import Feeds
import GalleryCore
import ImageLoading
import TerminalUI

/// Clears the caches on request, and reports the freed space.
struct CacheSweeper {
    let manager: ImageManager
    let mailbox: Mailbox<GalleryMail>

    func perform(_ effect: CacheEffect) {
        switch effect {
        case .clearMemory:
            let freed = manager.clearMemory()
            let left = manager.statistics.memoryCache
            mailbox.post(.notice(SweepReport(freed: freed, left: left).text(of: "memory cache")))
        case .clearDisk: sweep { await $0.clearDisk() }
        case .cleanDisk: sweep { await $0.cleanDisk() }
        }
    }

    /// Runs `work` on the disk cache's own threads, and then reports the result.
    private func sweep(
        _ work: @escaping @Sendable (ImageManager) async -> CacheStatistics
    ) {
        // The task is never cancelled because a requested deletion must run to completion.
        Task(executorPreference: StepExecutor.shared) { [manager, mailbox] in
            let freed = await work(manager)
            let left = manager.statistics.diskCache
            mailbox.post(.notice(SweepReport(freed: freed, left: left).text(of: "disk cache")))
        }
    }
}

/// The contents of a cache before and after entries are removed.
struct SweepReport: Equatable, Sendable {
    /// The removed entries.
    let freed: CacheStatistics
    /// The remaining entries.
    let left: CacheStatistics

    /// Returns a message about a cache, such as "disk cache: 12 images, 3 MB → empty".
    func text(of cache: String) -> String {
        guard freed.entryCount > 0 else {
            return left.entryCount == 0
                ? "\(cache): already empty"
                : "\(cache): nothing to remove from \(Self.contents(left))"
        }
        var before = left
        before.entryCount += freed.entryCount
        before.thumbnailCount += freed.thumbnailCount
        before.byteCount += freed.byteCount
        return "\(cache): \(Self.contents(before)) → \(Self.contents(left))"
    }

    /// Returns the numbers of images, thumbnails and bytes as text.
    private static func contents(_ cache: CacheStatistics) -> String {
        guard cache.entryCount > 0 else { return "empty" }
        let counts = [(cache.pictureCount, "image"), (cache.thumbnailCount, "thumbnail")]
        let texts = counts.filter { $0.0 > 0 }
            .map { "\(CountText.grouped($0.0)) \($0.1)\($0.0 == 1 ? "" : "s")" }
        return (texts + [CountText.bytes(cache.byteCount)]).joined(separator: ", ")
    }
}
