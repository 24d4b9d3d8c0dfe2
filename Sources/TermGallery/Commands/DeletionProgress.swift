import Feeds
import GalleryCore
import Glibc
import ImageLoading
import SystemSupport

/// Shows the progress of a deletion that takes longer than a second.
///
/// Deleting thousands of files may take a while.
struct DeletionProgress {
    private enum News: Sendable {
        case part(CacheStatistics)
        case end(CacheStatistics)
    }

    private static let patience = Duration.seconds(1)
    private static let pace = Duration.milliseconds(100)

    private var (fileCount, byteCount) = (0, 0)
    private let start = ContinuousClock.now
    private var lastDrawn: ContinuousClock.Instant?

    /// Runs a deletion, and returns the number and size of the deleted entries.
    ///
    /// The call blocks its thread until the deletion ends.
    static func wait(
        for delete:
            @escaping @Sendable (@escaping DiskCache.DeletionObserver) async -> CacheStatistics
    ) -> CacheStatistics {
        let news = BlockingQueue<News>()
        Task(executorPreference: StepExecutor.shared) {
            news.put(.end(await delete { news.put(.part($0)) }))
        }
        var progress = DeletionProgress()
        while true {
            for item in news.takeAll() {
                switch item {
                case .part(let part): progress.note(part)
                case .end(let deleted):
                    progress.erase()
                    return deleted
                }
            }
        }
    }

    private mutating func note(_ part: CacheStatistics) {
        fileCount += part.entryCount
        byteCount += part.byteCount
        let now = ContinuousClock.now
        guard now - start >= Self.patience, now - (lastDrawn ?? start) >= Self.pace,
            isatty(STDERR_FILENO) == 1
        else { return }
        lastDrawn = now
        write("\r\(fileCount) files deleted, \(CountText.bytes(byteCount)) freed ")
    }

    private func erase() {
        if lastDrawn != nil { write("\r\u{1B}[K") }
    }

    private func write(_ text: TerminalText) {
        OutputBytes.write(text, to: STDERR_FILENO)
    }
}
