import Glibc
internal import ImageLoading
package import SystemSupport

/// The images of a directory and its subdirectories.
///
/// Each directory lists its own images first and then its subdirectories, both in natural order.
/// Like hidden files, hidden directories are skipped unless they are requested. System directories
/// (`systemFolders`) are always skipped, except as the root. A directory that is reached more than
/// once, through links or mounts, is read only once. The methods block. Don't call them on the
/// cooperative thread pool.
package struct FolderTree {
    private struct Folder {
        /// The path below the root, empty for the root itself.
        let path: String
        let depth: Int
    }

    private struct Identity: Hashable {
        let device: UInt64
        let inode: UInt64
    }

    private let root: String
    private let options: TreeOptions
    private let includesHidden: Bool
    private var waiting = [Folder(path: "", depth: 0)]
    private var seen: Set<Identity> = []
    private var pictures = FolderPictures()
    private var closedCount = 0
    private var systemCount = 0

    /// The names of directories in which file servers, file systems and Windows keep thumbnails,
    /// deleted files and snapshots.
    package static let systemFolders: Set = [
        "@eaDir", "#recycle", "$RECYCLE.BIN", "lost+found", ".zfs",
    ]

    /// Creates a tree for the directory at an absolute path, encoded by `FileText`.
    package init(root: String, options: TreeOptions, includesHidden: Bool = false) {
        (self.root, self.options, self.includesHidden) = (root, options, includesHidden)
    }

    /// Returns the paths of the images in the next directory, relative to the root, or nil at the
    /// end.
    ///
    /// Throws if the root can't be read. Other unreadable directories are counted.
    package mutating func next() throws(FileFailure) -> [String]? {
        guard let folder = waiting.popLast() else { return nil }
        let path = folder.path.isEmpty ? root : root + "/" + folder.path
        if let status = Self.status(path), !seen.insert(Self.identity(status)).inserted {
            return []
        }
        var names: (files: [String], folders: [String]) = ([], [])
        do throws(FileFailure) {
            names = try FolderNames.divided(of: path)
        } catch {
            guard !folder.path.isEmpty else { throw error }
            closedCount += 1
        }
        let files = shown(names.files, in: folder, areFolders: false)
        let folders = shown(names.folders, in: folder, areFolders: true).filter { name in
            guard Self.systemFolders.contains(name) else { return true }
            systemCount += 1
            return false
        }
        wait(for: folders, in: folder)
        return pictures.take(files, in: path).map(folder.path.appending)
    }

    /// Returns the names in a directory that are neither hidden nor excluded.
    private func shown(_ names: [String], in folder: Folder, areFolders: Bool) -> [String] {
        names.filter { name in
            FolderPictures.isShown(name, includesHidden: includesHidden)
                && !options.exclusions.exclude(folder.path.appending(name), isFolder: areFolders)
        }
    }

    /// A description of the omitted files and directories, or nil if everything is shown.
    package var leftOut: String? {
        let closed = Self.text(closedCount, "that cannot be read")
        let parts = [pictures.leftOut, closed, Self.text(systemCount: systemCount)]
            .compactMap(\.self)
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }

    /// Returns a description of the omitted system directories, or nil if `systemCount` is 0.
    static func text(systemCount: Int) -> String? {
        text(systemCount, "of the system (such as #recycle)")
    }

    private static func text(_ count: Int, _ kind: String) -> String? {
        guard count > 0 else { return nil }
        return count == 1 ? "1 folder \(kind)" : "\(count) folders \(kind)"
    }

    private mutating func wait(for names: [String], in folder: Folder) {
        guard folder.depth < options.depth ?? .max else { return }
        for name in NaturalOrder.sorted(names).reversed() {
            waiting.append(
                Folder(path: folder.path.appending(name), depth: folder.depth + 1)
            )
        }
    }

    private static func status(_ path: String) -> stat? {
        var status = stat()
        return stat(FileText.path(path), &status) == 0 ? status : nil
    }

    private static func identity(_ status: stat) -> Identity {
        Identity(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
    }
}

extension FolderTree {
    /// Reads all directories into a feed and calls `onGrowth` after each directory that contains
    /// images.
    package func feed(name: String, _ onGrowth: FeedReader.Growth) throws(FeedError) -> Feed {
        var tree = self
        var options = FeedOptions()
        options.endsEntriesWithZero = true
        var growing = GrowingFeed(
            title: name,
            base: .tree(root),
            origin: .local,
            options: options
        )
        var byteCount = 0
        while let paths = try tree.nextPaths(name: name) {
            guard !paths.isEmpty else { continue }
            let entries: [UInt8] = paths.flatMap { FileText.bytes(of: $0) + [0 as UInt8] }
            byteCount += entries.count
            guard byteCount <= FileBytes.maximumByteCount else { break }
            growing.append(entries)
            try onGrowth(&growing)
        }
        var remarks = tree.leftOut.map { ["left out \($0)"] } ?? []
        if byteCount > FileBytes.maximumByteCount {
            remarks.append("everything after the first 256 MiB of names was left out")
        }
        guard byteCount > 0 else {
            let fault = "the folder and its subfolders contain no supported image"
            throw FeedError(name: name, fault: ([fault] + remarks).joined(separator: ": "))
        }
        var feed = try growing.end()
        feed.remark = remarks.isEmpty ? nil : "\(name): \(remarks.joined(separator: "; "))"
        return feed
    }

    private mutating func nextPaths(name: String) throws(FeedError) -> [String]? {
        do throws(FileFailure) {
            return try next()
        } catch {
            throw FeedError(name: name, fault: "cannot list the folder: \(error.text)")
        }
    }
}

extension String {
    /// Returns the path of the file or directory named `name` in this directory.
    ///
    /// The path of the root is empty, so the result for the root is the name alone.
    fileprivate func appending(_ name: String) -> String {
        isEmpty ? name : "\(self)/\(name)"
    }
}
