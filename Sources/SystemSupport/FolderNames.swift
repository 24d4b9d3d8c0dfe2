internal import Glibc

/// Lists the entries of a directory.
package enum FolderNames {
    /// Returns the names in a directory except "." and "..", in directory order.
    ///
    /// The names are in the encoding of `FileText`.
    package static func of(_ path: String) throws(FileFailure) -> [String] {
        var names: [String] = []
        try each(of: path) { name, _ in
            names.append(name)
            return true
        }
        return names
    }

    /// Returns the names of a directory's subdirectories and of all its other entries.
    ///
    /// A symbolic link to a directory counts as a subdirectory. The method makes an additional
    /// system call for each link, and for each entry if the file system does not report its type.
    package static func divided(
        of path: String
    ) throws(FileFailure) -> (files: [String], folders: [String]) {
        var files: [String] = []
        var folders: [String] = []
        try each(of: path) { name, type in
            if isFolder(name, in: path, type: type) {
                folders.append(name)
            } else {
                files.append(name)
            }
            return true
        }
        return (files, folders)
    }

    /// Returns whether an entry with this `d_type` is a directory or a link to a directory.
    ///
    /// Makes a system call only for a link or an unknown type.
    package static func isFolder(_ name: String, in path: String, type: UInt8) -> Bool {
        guard type == UInt8(DT_LNK) || type == UInt8(DT_UNKNOWN) else {
            return type == UInt8(DT_DIR)
        }
        var status = stat()
        return stat(FileText.path(path + "/" + name), &status) == 0
            && status.st_mode & S_IFMT == S_IFDIR
    }

    /// Passes the name and the `d_type` of each directory entry except "." and ".." to `body`.
    ///
    /// Stops if `body` returns false.
    package static func each(
        of path: String,
        _ body: (_ name: String, _ type: UInt8) -> Bool
    ) throws(FileFailure) {
        guard let stream = opendir(FileText.path(path)) else { throw .last("opendir") }
        defer { closedir(stream) }
        errno = 0
        while let entry = readdir(stream) {
            // An entry is only as long as its name requires, so `d_name` must not be copied with
            // its 256 bytes.
            guard let offset = MemoryLayout<dirent>.offset(of: \.d_name) else { break }
            let start = UnsafeRawPointer(entry).advanced(by: offset)
            let name = FileText.text(cString: start.assumingMemoryBound(to: CChar.self))
            if name != ".", name != "..", !body(name, entry.pointee.d_type) { return }
            errno = 0
        }
        guard errno == 0 else { throw .last("readdir") }
    }
}
