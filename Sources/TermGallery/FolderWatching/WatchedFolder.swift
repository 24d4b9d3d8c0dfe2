import Feeds
import ImageLoading
import SystemSupport

/// The state of a watched directory.
struct WatchedFolder {
    /// Whether the directory was named on the command line.
    ///
    /// If such a directory is deleted, the watcher waits for it to reappear.
    let isRoot: Bool
    /// The number of the inotify watch, or nil if the directory is checked periodically instead.
    var watch: Int32?
    /// The displayed images, keyed by name, with the size and modification time of each file.
    var pictures: [String: FileStamp] = [:]
    /// The sizes and modification times of files that may still be incomplete, keyed by name.
    ///
    /// The values are from the last check.
    var unsettled: [String: FileStamp] = [:]
    /// The time of the next check of the directory, or nil if no check is scheduled.
    var nextLook: ContinuousClock.Instant?
}

/// The options for watching directories.
struct WatchOptions: Sendable, Equatable {
    /// The absolute paths, encoded by `FileText`.
    var roots: [String] = []
    /// Whether subdirectories are also watched.
    var isRecursive = false
    /// Whether files and directories whose names begin with a dot are included.
    var includesHidden = false
    /// Whether events from the kernel are used.
    var usesEvents = true
    /// The interval between checks of a directory for which the kernel reports no events.
    var lookInterval = Duration.seconds(2)
    /// The delay before a new file is checked again because it may still be incomplete.
    var settlingTime = Duration.milliseconds(100)
    /// The delay after which a deleted file counts as removed.
    ///
    /// If the file reappears earlier, it counts as replaced.
    var replacingTime = Duration.milliseconds(150)

    func isWatched(_ name: String) -> Bool {
        FolderPictures.isShown(name, includesHidden: includesHidden)
    }

    /// The title of the feed: the paths of the watched directories.
    var title: String { roots.map(FileText.shown).joined(separator: ", ") }
}
