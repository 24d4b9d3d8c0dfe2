internal import ImageLoading
package import SystemSupport

/// The number of images in a folder, and the images for its cover.
///
/// Only a limited number of entries are read, so a folder with a million files is described as fast
/// as a small folder. The initializer blocks. Don't call it on the cooperative thread pool.
package struct FolderContents: Equatable, Sendable {
    /// The limits for reading one folder.
    package struct Limits: Sendable {
        /// The maximum number of images to count.
        package var imageCount = 1_000
        /// The maximum number of entries to read.
        package var entryCount = 10_000
        /// The maximum number of files to open if their names don't identify them as images.
        package var openedFileCount = 32

        package init() {}
    }

    /// The maximum number of images in a cover.
    package static let coverCount = 4

    /// The number of images counted.
    package private(set) var imageCount = 0
    /// The number of subfolders counted.
    package private(set) var folderCount = 0
    /// Whether there may be more images or subfolders because a limit was reached.
    package private(set) var isIncomplete = false
    /// The URLs of the first images in natural order, at most `coverCount`.
    package private(set) var coverURLs: [String] = []

    /// Creates a description without reading a folder.
    package init(imageCount: Int, folderCount: Int = 0, isIncomplete: Bool = false) {
        (self.imageCount, self.folderCount) = (imageCount, folderCount)
        self.isIncomplete = isIncomplete
    }

    /// Reads the folder at an absolute path, encoded by `FileText`.
    package init(
        of path: String,
        includesHidden: Bool = false,
        limits: Limits = Limits()
    ) throws(FileFailure) {
        var names: [String] = []
        var (entryCount, openedCount) = (0, 0)
        try FolderNames.each(of: path) { name, type in
            guard names.count < limits.imageCount, entryCount < limits.entryCount else {
                isIncomplete = true
                return false
            }
            entryCount += 1
            guard FolderPictures.isShown(name, includesHidden: includesHidden) else { return true }
            if FolderNames.isFolder(name, in: path, type: type) {
                if !FolderTree.systemFolders.contains(name) { folderCount += 1 }
            } else if FolderPictures.isNamedAsPicture(name) {
                names.append(name)
            } else if openedCount < limits.openedFileCount {
                openedCount += 1
                if FolderPictures.isPicture(fileAt: path + "/" + name) { names.append(name) }
            } else {
                isIncomplete = true
            }
            return true
        }
        imageCount = names.count
        coverURLs = NaturalOrder.sorted(names).prefix(Self.coverCount).map {
            FeedItem(filePath: FileText.bytes(of: path + "/" + $0)).url
        }
    }

    /// The number of images, such as "12" or "1,000+".
    ///
    /// Nil if no image was found among the entries that were read and there are more entries.
    package var countText: String? {
        guard imageCount > 0 || !isIncomplete else { return nil }
        return CountText.grouped(imageCount) + (isIncomplete ? "+" : "")
    }
}
