import Feeds
import ImageLoading
import SystemSupport

/// The state of a watched directory.
struct WatchedFolder {
    /// Whether the directory was named on the command line.
    ///
    /// If such a directory is deleted, the watcher waits for it to reappear.
    let isRoot: Bool
    /// The number of the kernel's watch, or nil if the directory is checked periodically instead.
    var watch: Int32?
    /// The displayed images, keyed by name, with the size and modification time of each file.
    var pictures: [String: FileStamp] = [:]
    /// The files that may still be in the process of being written, keyed by name.
    ///
    /// The values are their sizes and modification times at the last check.
    var unsettled: [String: FileStamp] = [:]
    /// The time at which the directory is checked next, or nil if no check is scheduled.
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
    /// Whether the kernel's events are used.
    var usesEvents = true
    /// The interval at which a directory is checked if the kernel reports no events for it.
    var lookInterval = Duration.seconds(2)
    /// The delay after which a new file is checked again, because it may still be incomplete.
    var settlingTime = Duration.milliseconds(100)
    /// The period after which a deleted file counts as removed.
    ///
    /// If the file reappears earlier, it counts as replaced.
    var replacingTime = Duration.milliseconds(150)

    func isWatched(_ name: String) -> Bool {
        FolderPictures.isShown(name, includesHidden: includesHidden)
    }

    /// The title of the feed: the paths of the watched directories.
    var title: String { roots.map(FileText.shown).joined(separator: ", ") }
}
