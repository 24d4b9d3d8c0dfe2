import GalleryCore
import ImageLoading

/// Empties the caches when a key asks for it, and says what that gave.
struct CacheSweeper {
    let manager: ImageManager
    let mailbox: Mailbox<GalleryMail>

    func clearMemory() {
        let freed = manager.clearMemory()
        mailbox.post(.notice("memory cache cleared: \(freed.text)"))
    }

    func clearDisk() { sweep("disk cache cleared") { await $0.clearDisk() } }

    func cleanDisk() { sweep("disk cache cleaned") { await $0.cleanDisk() } }

    /// Has the disk cache work on its own threads, and says afterwards what that gave.
    private func sweep(
        _ what: String,
        _ work: @escaping @Sendable (ImageManager) async -> CacheStatistics
    ) {
        // Nobody cancels it: once asked for it is done, and it ends by itself.
        Task(executorPreference: StepExecutor.shared) { [manager, mailbox] in
            let freed = await work(manager)
            mailbox.post(.notice("\(what): \(freed.text)"))
        }
    }
}

extension CacheStatistics {
    /// What was removed, in words.
    fileprivate var text: String {
        let pictures = pictureCount == 1 ? "1 picture" : "\(pictureCount) pictures"
        return "\(pictures), \(CountText.bytes(byteCount))"
    }
}
