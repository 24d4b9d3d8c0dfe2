import Feeds
import GalleryCore
import ImageLoading
import TerminalUI

/// A worker that clears the caches on request, and reports the freed space.
struct CacheSweeper {
    let manager: ImageManager
    let mailbox: Mailbox<GalleryMail>

    func perform(_ effect: CacheEffect) {
        switch effect {
        case .clearMemory: clearMemory()
        case .clearDisk: sweep("disk cache cleared") { await $0.clearDisk() }
        case .cleanDisk: sweep("disk cache cleaned") { await $0.cleanDisk() }
        }
    }

    private func clearMemory() {
        let freed = manager.clearMemory()
        mailbox.post(.notice("memory cache cleared: \(freed.text)"))
    }

    /// Runs `work` on the disk cache's own threads, and then reports the result.
    private func sweep(
        _ what: String,
        _ work: @escaping @Sendable (ImageManager) async -> CacheStatistics
    ) {
        // The task is never cancelled: a requested deletion always runs to completion.
        Task(executorPreference: StepExecutor.shared) { [manager, mailbox] in
            let freed = await work(manager)
            mailbox.post(.notice("\(what): \(freed.text)"))
        }
    }
}

extension CacheStatistics {
    /// A description of the number of removed images and bytes.
    fileprivate var text: String {
        let pictures = pictureCount == 1 ? "1 image" : "\(pictureCount) images"
        return "\(pictures), \(CountText.bytes(byteCount))"
    }
}
