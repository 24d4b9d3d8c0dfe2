import Feeds
import ImageLoading

/// The state of a watched directory.
struct WatchedFolder {
    /// Whether the directory was named on the command line, so that the watcher waits for it if it
    /// vanishes.
    let isRoot: Bool
    /// The kernel's number of the watch, or nil if the directory is checked periodically instead.
    var watch: Int32?
    /// The displayed images, with their stamps at the time they were read.
    var pictures: [String: FileStamp] = [:]
    /// The files that may still be written, with their stamps at the last look.
    var unsettled: [String: FileStamp] = [:]
    /// The time of the next look, or nil for never.
    var nextLook: ContinuousClock.Instant?
}

/// The options for watching directories.
struct WatchOptions: Sendable, Equatable {
    /// The absolute paths, encoded by `FileText`.
    var roots: [String] = []
    /// Whether subdirectories are watched too.
    var isRecursive = false
    /// Whether files and directories whose names begin with a dot are included.
    var includesHidden = false
    /// Whether events of the kernel are used.
    var usesEvents = true
    /// The time between two looks at a directory without kernel events.
    var lookInterval = Duration.seconds(2)
    /// The time after which a new file is checked again, because it may still be written.
    var settlingTime = Duration.milliseconds(100)
    /// The time within which a vanished file that reappears counts as replaced.
    var replacingTime = Duration.milliseconds(150)

    func isWatched(_ name: String) -> Bool {
        FolderPictures.isShown(name, includesHidden: includesHidden)
    }

    /// The title of the feed.
    var title: String { roots.map(FileText.shown).joined(separator: ", ") }
}
