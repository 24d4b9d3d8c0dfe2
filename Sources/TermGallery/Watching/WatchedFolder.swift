import ImageLoading

/// What is known of one watched folder.
struct WatchedFolder {
    /// Whether it was named on the command line: such a one is waited for when it vanishes.
    let isRoot: Bool
    /// The kernel's number; nil where it is looked at again and again instead.
    var watch: Int32?
    /// The pictures that are shown, with what they were when they were read.
    var pictures: [String: FileStamp] = [:]
    /// Those that may still be written: as they were at the last look.
    var unsettled: [String: FileStamp] = [:]
    /// When to look again; nil for never.
    var nextLook: ContinuousClock.Instant?
}

/// How folders are watched.
struct WatchOptions: Sendable, Equatable {
    /// Absolute paths, as `FileText` has them.
    var roots: [String] = []
    /// Whether the folders in them are watched too.
    var isRecursive = false
    /// Whether files and folders are watched whose names begin with a dot.
    var includesHidden = false
    /// Whether the kernel is asked at all.
    var usesEvents = true
    /// The pause between two looks at a folder that the kernel does not tell of.
    var lookInterval = Duration.seconds(2)
    /// What is new at a look is looked at again after so long: it may still be written.
    var settlingTime = Duration.milliseconds(100)
    /// A file that is gone for no longer is replaced.
    var replacingTime = Duration.milliseconds(150)

    func isWatched(_ name: String) -> Bool {
        FolderPictures.isShown(name, includesHidden: includesHidden)
    }

    /// What the feed is called.
    var title: String { roots.map(FileText.shown).joined(separator: ", ") }
}
