import CLinux
import Feeds
import Glibc
import ImageLoading
import SystemSupport

/// The contents of a directory at one point in time.
struct FolderLook {
    /// The images, keyed by file name as encoded by `FileText`.
    ///
    /// Empty files don't count as images.
    private(set) var pictures: [String: FileStamp] = [:]
    /// The subdirectories, excluding system directories and symbolic links.
    private(set) var folders: [String] = []

    /// Reads a directory and lists the entries that `isWatched` accepts.
    ///
    /// If `known` returns true for a name, the file is known to be an image and is not opened.
    init(
        at path: String,
        isWatched: (String) -> Bool,
        known: (String) -> Bool
    ) throws(FileFailure) {
        for name in try FolderNames.of(path) where isWatched(name) {
            var status = stat()
            guard lstat(FileText.path(path + "/" + name), &status) == 0 else { continue }
            if status.st_mode & S_IFMT == S_IFDIR {
                if !FolderTree.systemFolders.contains(name) { folders.append(name) }
            } else if known(name) || Self.mayBePicture(name),
                let stamp = Self.stamp(path + "/" + name),
                known(name) || Self.isPicture(name, in: path)
            {
                pictures[name] = stamp
            }
        }
    }

    /// Returns the modification time, size, device and inode of a file.
    ///
    /// A symbolic link is followed. Returns nil if the file is empty or not a regular file.
    static func stamp(_ path: String) -> FileStamp? {
        var status = stat()
        guard stat(FileText.path(path), &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            status.st_size > 0
        else { return nil }
        return FileStamp(status)
    }

    /// Returns whether a new file is a symbolic link or an additional hard link.
    ///
    /// The creation of a link is not followed by a write event.
    static func isLink(_ path: String) -> Bool {
        var status = stat()
        guard lstat(FileText.path(path), &status) == 0 else { return false }
        let isHardLink = status.st_mode & S_IFMT == S_IFREG && status.st_nlink > 1
        return isHardLink || status.st_mode & S_IFMT == S_IFLNK
    }

    /// Returns whether a file in a watched directory is an image.
    ///
    /// The result depends on the file name suffix or, if there is no suffix, on the first 16 KiB of
    /// the file (`DecoderRegistry.prefixByteCount`). A file with an unknown suffix never counts as
    /// an image here because a program may use such a name for an unfinished file. Outside watched
    /// directories, such files are recognized by their first bytes.
    static func isPicture(_ name: String, in path: String) -> Bool {
        guard mayBePicture(name) else { return false }
        return FolderPictures.isNamedAsPicture(name)
            || FolderPictures.isPicture(fileAt: path + "/" + name)
    }

    private static func mayBePicture(_ name: String) -> Bool {
        !name.contains(".") || FolderPictures.isNamedAsPicture(name)
    }
}
