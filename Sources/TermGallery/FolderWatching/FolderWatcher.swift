import CLinux
import Feeds
import GalleryCore
import Glibc
import ImageLoading
import SystemSupport

/// Reports images that are added, changed or removed in directories.
///
/// The kernel reports the changes through inotify. Directories that the kernel can't watch are
/// checked every two seconds (`lookInterval`). The watcher sleeps while nothing happens. Use it
/// only on the thread that calls `run`.
final class FolderWatcher {
    /// An event, reported on the thread that calls `run`.
    enum Event: Sendable {
        case pictures(WatchedPictures.Change)
        case notice(String)
    }

    let options: WatchOptions
    private let onEvent: (Event) -> Void
    let source: FolderEventSource?
    var folders: [String: WatchedFolder] = [:]
    var pathOfWatch: [Int32: String] = [:]
    /// The root directories that no longer exist, and the time of the next check for each of them.
    var missing: [String: ContinuousClock.Instant] = [:]
    var pictures: WatchedPictures
    /// The old paths of moved files, keyed by the cookie of the move.
    ///
    /// The kernel reports a move with two events. The second event contains the new path, and is
    /// missing if the file was moved out of the watched directories.
    var moves: [UInt32: String] = [:]
    /// The paths of files that no longer exist, and the time at which to report the removal of
    /// each.
    ///
    /// If a new file with the same path appears before that time, it counts as a replacement.
    var departures: [String: ContinuousClock.Instant] = [:]
    private var pace = Pace(pause: .milliseconds(100))
    private var toldNotices: Set<String> = []

    init(_ options: WatchOptions, title: String, onEvent: @escaping (Event) -> Void) {
        self.options = options
        self.onEvent = onEvent
        source = options.usesEvents ? FolderEventSource() : nil
        pictures = WatchedPictures(title: title)
    }

    /// Watches the directories until the descriptor `stop` becomes readable.
    func run(until stop: Int32 = -1) {
        open()
        while true {
            tell()
            var sources = [
                pollfd(fd: source?.descriptor ?? -1, events: Int16(POLLIN), revents: 0),
                pollfd(fd: stop, events: Int16(POLLIN), revents: 0),
            ]
            poll(&sources, nfds_t(sources.count), timeLeft?.pollMilliseconds ?? -1)
            if sources[1].revents != 0 { return }
            if sources[0].revents != 0, let source { for event in source.takeAll() { take(event) } }
            doWhatIsDue()
        }
    }

    /// Finds all existing images, and adds them oldest first.
    private func open() {
        if options.usesEvents, source == nil {
            note("no inotify instance available (fs.inotify.max_user_instances)")
        }
        for root in options.roots { add(root, isRoot: true, isFirst: true) }
        let found = folders.flatMap { path, folder in
            folder.pictures.map { (path: path + "/" + $0.key, time: $0.value.modified) }
        }
        for picture in found.sorted(by: { ($0.time, $0.path) < ($1.time, $1.path) }) {
            pictures.write(picture.path)
        }
    }

    /// Reports the changes, at most ten times per second.
    ///
    /// After a pause, a change is reported immediately, so an image appears as soon as it has been
    /// written.
    private func tell() {
        guard pictures.hasNews, pace.isDue, let change = pictures.takeChange() else { return }
        pace.note()
        onEvent(.pictures(change))
    }

    /// Reports a notice, unless the same notice has been reported before.
    func note(_ text: String) {
        if toldNotices.insert(text).inserted { onEvent(.notice(text)) }
    }

    // MARK: Time

    /// The time until the next action, or nil if nothing is scheduled.
    private var timeLeft: Duration? {
        let times =
            folders.values.compactMap(\.nextLook) + missing.values + departures.values
            + (pictures.hasNews ? [pace.due] : [])
        return times.min().map { max(.zero, $0 - .now) }
    }

    private func doWhatIsDue() {
        let now = ContinuousClock.now
        // There was no second event, so the file was moved out of the watched directories.
        for path in moves.values { departures[path] = now + options.replacingTime }
        moves = [:]
        for (path, time) in departures where time <= now {
            departures[path] = nil
            pictures.delete(path)
        }
        for (root, time) in missing where time <= now { find(root) }
        for (path, folder) in folders where folder.nextLook.map({ $0 <= now }) == true {
            look(at: path)
        }
    }

    private func find(_ root: String) {
        missing[root] = nil
        add(root, isRoot: true, isFirst: false)
    }
}
