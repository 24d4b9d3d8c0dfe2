/// A folder with subfolders that the user can enter, because they are items of its feed.
package struct FeedFolder: Hashable, Sendable {
    /// The absolute path, encoded by `FileText`.
    package let path: String
    /// The number of subfolders, which are the first items of the feed.
    package var folderCount = 0
    /// Whether hidden files and folders are included.
    package var includesHidden = false
    /// Whether the user can also go to the parent of this folder.
    ///
    /// This is true if the user specified an image instead of the folder.
    package var hasOpenParent = false

    package init(path: String, folderCount: Int = 0, includesHidden: Bool = false) {
        (self.path, self.folderCount) = (path, folderCount)
        self.includesHidden = includesHidden
    }
}

extension Feed {
    /// Returns whether an item is a folder that the user can enter.
    package func isFolder(_ item: Int) -> Bool { item < folder?.folderCount ?? 0 }
}
