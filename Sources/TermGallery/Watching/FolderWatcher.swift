import CLinux
import GalleryCore
import Glibc
import ImageLoading

/// Follows folders: which pictures come, change and go.
///
/// The kernel tells of it (inotify), and where it can't, folders are looked at every few seconds.
/// Sleeps while nothing happens. Confined to the thread that calls `run`.
final class FolderWatcher {
    /// What is told, on the watching thread.
    enum Event: Sendable {
        case pictures(WatchedPictures.Change)
        case notice(String)
    }

    let options: WatchOptions
    private let onEvent: (Event) -> Void
    let source: FolderEventSource?
    var folders: [String: WatchedFolder] = [:]
    var pathOfWatch: [Int32: String] = [:]
    /// Roots that have vanished, with the time to look for them.
    var missing: [String: ContinuousClock.Instant] = [:]
    var pictures: WatchedPictures
    /// First halves of moves, of which the second may be on its way.
    var moves: [UInt32: String] = [:]
    /// Files that are gone, until nobody will write them again.
    var departures: [String: ContinuousClock.Instant] = [:]
    private var pace = Pace(pause: .milliseconds(100))
    private var toldNotices: Set<String> = []

    init(_ options: WatchOptions, title: String, onEvent: @escaping (Event) -> Void) {
        self.options = options
        self.onEvent = onEvent
        source = options.usesEvents ? FolderEventSource() : nil
        pictures = WatchedPictures(title: title)
    }

    /// Watches until `stop` becomes readable.
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

    /// All pictures that are there, oldest first.
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

    /// At once where nothing was told a moment ago, so that a picture is there as soon as it is
    /// written; a burst ten times a second.
    private func tell() {
        guard pictures.hasNews, pace.isDue, let change = pictures.takeChange() else { return }
        pace.note()
        onEvent(.pictures(change))
    }

    /// Once for each text.
    func note(_ text: String) {
        if toldNotices.insert(text).inserted { onEvent(.notice(text)) }
    }

    // MARK: Time

    /// How long nothing is to do; nil for ever.
    private var timeLeft: Duration? {
        let times =
            folders.values.compactMap(\.nextLook) + missing.values + departures.values
            + (pictures.hasNews ? [pace.due] : [])
        return times.min().map { max(.zero, $0 - .now) }
    }

    private func doWhatIsDue() {
        let now = ContinuousClock.now
        // A move that ends outside is a departure.
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

/// At most so often, and at once after a rest.
struct Pace {
    let pause: Duration
    private(set) var due = ContinuousClock.now

    init(pause: Duration) {
        self.pause = pause
    }

    /// Begins with a wait.
    init(pause: Duration, first: Duration) {
        self.pause = pause
        due = .now + first
    }

    var isDue: Bool { ContinuousClock.now >= due }
    var timeLeft: Duration { max(.zero, due - .now) }

    mutating func note() { due = .now + pause }
}
