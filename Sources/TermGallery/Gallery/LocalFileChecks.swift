import Feeds
import GalleryCore
import Glibc
import ImageLoading
import SystemSupport
import TerminalUI

/// Checks whether local files have changed since they were loaded.
///
/// The files are examined on a separate thread because a file server may not respond. This class is
/// thread-safe.
final class LocalFileChecks: Sendable {
    /// The modification time, size, device and inode of a file when its load started.
    private struct Record {
        let stamp: FileStamp
        /// Whether the file was last written to more than two seconds (`settlingTime`) earlier.
        ///
        /// Otherwise, the file may have changed again and kept its modification time.
        let isSettled: Bool
    }

    private struct State {
        var records: [String: Record] = [:]
        /// The URLs of the files for which a later check is scheduled.
        var scheduled: Set<String> = []
    }

    private let manager: ImageManager
    private let mailbox: Mailbox<GalleryMail>
    private let clock: LoadingClock
    private let submit: Submit
    private let state = Protected(State())

    /// The maximum number of records; when it is reached, all earlier records are removed.
    private static let limit = 100_000
    /// The assumed resolution of file system timestamps, in seconds.
    private static let settlingTime = 2
    /// The minimum delay before an automatic check of a file.
    private static let leastPause = Duration.seconds(1)
    /// The time since the last write after which a file is no longer checked automatically.
    private static let longestPause = Duration.seconds(600)

    /// A closure that runs work on another thread.
    typealias Submit = @Sendable (_ work: @escaping @Sendable () -> Void) -> Void

    /// Creates an object that runs its checks with `submit` or, by default, on its own thread.
    init(
        manager: ImageManager,
        mailbox: Mailbox<GalleryMail>,
        clock: LoadingClock = .system,
        submit: Submit? = nil
    ) {
        let pool = WorkerPool(name: "files", threadCount: 1)
        (self.manager, self.mailbox, self.clock) = (manager, mailbox, clock)
        self.submit = submit ?? { work in pool.submit(priority: .high) { work() } }
    }

    /// Records the state of a file when its load starts, unless the file has been loaded before.
    func note(_ url: String) {
        guard PictureAddress.path(ofURL: url) != nil,
            state.withLock({ $0.records[url] == nil })
        else { return }
        submit { [self] in
            guard let record = record(url) else { return }
            state.withLock { state in
                guard state.records[url] == nil else { return }
                if state.records.count >= Self.limit { state.records = [:] }
                state.records[url] = record
            }
        }
    }

    func perform(_ effect: FileEffect) {
        submit { [self] in
            switch effect {
            case .checkAll: check(state.withLock { Array($0.records.keys) })
            case .check(let url): if !check([url]) { checkLater(url) }
            case .checkLater(let url): checkLater(url)
            }
        }
    }

    /// Reports the files that have changed, and returns whether there are any.
    ///
    /// Their images are removed from memory at all sizes. A deleted file keeps its image.
    @discardableResult
    private func check(_ urls: [String]) -> Bool {
        let changed = urls.filter { url in
            guard let now = record(url) else { return false }
            return state.withLock { state in
                guard let known = state.records.updateValue(now, forKey: url) else { return false }
                return known.stamp != now.stamp || !known.isSettled
            }
        }
        guard !changed.isEmpty else { return false }
        waitFor { [manager] in
            for url in changed {
                // A URL that the manager considers invalid has no image in memory.
                try? await manager.removeCached(ImageRequest(url: url), from: .memory)
            }
        }
        mailbox.post(.message(.filesChanged(changed)))
        return true
    }

    /// Schedules a check of a file whose image is incomplete.
    ///
    /// The delay is the time since the file was last written to, but at least one second. If the
    /// file was last written to more than ten minutes ago, no check is scheduled.
    private func checkLater(_ url: String) {
        guard let age = age(of: url), age < Self.longestPause,
            state.withLock({ $0.scheduled.insert(url).inserted })
        else { return }
        // The clock must not keep the gallery alive until the check.
        clock.notify(at: clock.uptime() + max(Self.leastPause, age)) { [weak self] in
            guard let self else { return }
            state.withLock { _ = $0.scheduled.remove(url) }
            mailbox.post(.message(.fileCheckDue(url: url)))
        }
    }

    /// Returns the time since the last write, or nil if there is no such file.
    private func age(of url: String) -> Duration? {
        record(url).map { .seconds(seconds(since: $0.stamp)) }
    }

    private func record(_ url: String) -> Record? {
        var status = stat()
        guard let path = PictureAddress.cPath(ofURL: url), stat(path, &status) == 0 else {
            return nil
        }
        let stamp = FileStamp(status)
        return Record(stamp: stamp, isSettled: seconds(since: stamp) > Self.settlingTime)
    }

    /// Returns the number of seconds between the last write and now.
    ///
    /// The result is positive even if the time of the last write is in the future. Otherwise, a
    /// damaged file with such a time would always appear to have just been written, and would be
    /// reloaded every second.
    private func seconds(since stamp: FileStamp) -> Int {
        abs(clock.wallTime() - stamp.modified / 1_000_000_000)
    }
}
