import CLinux
import Decoders
import Glibc
import ImageLoading

/// One look at what lies in a folder.
struct FolderLook {
    /// The pictures by their names, as `FileText` has them; empty files are none yet.
    private(set) var pictures: [String: FileStamp] = [:]
    /// The folders in it that are no links.
    private(set) var folders: [String] = []

    /// Lists what `isWatched` of a folder; `known` are names of pictures, of which no file is opened.
    init(
        at path: String,
        isWatched: (String) -> Bool,
        known: (String) -> Bool
    ) throws(FileFailure) {
        for name in try FolderNames.of(path) where isWatched(name) {
            var status = stat()
            guard lstat(FileText.path(path + "/" + name), &status) == 0 else { continue }
            if status.st_mode & S_IFMT == S_IFDIR {
                folders.append(name)
            } else if known(name) || Self.mayBePicture(name),
                let stamp = Self.stamp(path + "/" + name),
                known(name) || Self.isPicture(name, in: path)
            {
                pictures[name] = stamp
            }
        }
    }

    /// The stamp of a file that has content, of a link that of what it names; nil of all else.
    static func stamp(_ path: String) -> FileStamp? {
        var status = stat()
        guard stat(FileText.path(path), &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            status.st_size > 0
        else { return nil }
        return FileStamp(status)
    }

    /// Whether a file that was just made is one that nobody will write to and close: a link.
    static func isLink(_ path: String) -> Bool {
        var status = stat()
        guard lstat(FileText.path(path), &status) == 0 else { return false }
        let isHardLink = status.st_mode & S_IFMT == S_IFREG && status.st_nlink > 1
        return isHardLink || status.st_mode & S_IFMT == S_IFLNK
    }

    /// Whether a file's name says that it is a picture, or says nothing and its first bytes do.
    ///
    /// Other than in a folder that is only read, a name that says something else is believed: it may
    /// be the one that a program gives to what it has not finished.
    static func isPicture(_ name: String, in path: String) -> Bool {
        guard mayBePicture(name) else { return false }
        if DecoderRegistry.standard.format(ofFileNamed: name) != nil { return true }
        let start = try? FileReading.withFile(at: path + "/" + name, followsLinks: true) {
            file,
            _ throws(FileReading.Problem) in
            try FileReading.read(file, count: DecoderRegistry.prefixByteCount)
        }
        return start.map { DecoderRegistry.standard.format(of: $0) != nil } ?? false
    }

    private static func mayBePicture(_ name: String) -> Bool {
        !name.contains(".") || DecoderRegistry.standard.format(ofFileNamed: name) != nil
    }
}
