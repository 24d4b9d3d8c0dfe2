internal import Glibc

/// The directories for the files of this user, as specified by the XDG base directory
/// specification.
///
/// A directory is nil if neither its XDG variable nor `HOME` contains an absolute path. Paths use
/// the encoding of `FileText`.
package struct UserFolders: Sendable {
    package let cache: String?
    package let configuration: String?
    package let data: String?
    package let state: String?

    /// Creates the directories from environment variables, by default those of the process.
    package init(
        environment: (String) -> String? = { getenv($0).map { FileText.text(cString: $0) } }
    ) {
        /// Returns the path in a variable; the specification requires relative paths to be ignored.
        func absolute(_ name: String) -> String? {
            environment(name).flatMap { $0.utf8.first == UInt8(ascii: "/") ? $0 : nil }
        }
        let home = absolute("HOME")
        func folder(_ variable: String, _ inHome: String) -> String? {
            absolute(variable) ?? home.map { Self.join($0, inHome) }
        }
        cache = folder("XDG_CACHE_HOME", ".cache")
        configuration = folder("XDG_CONFIG_HOME", ".config")
        data = folder("XDG_DATA_HOME", ".local/share")
        state = folder("XDG_STATE_HOME", ".local/state")
    }

    /// Returns the path of an item in a directory.
    package static func join(_ folder: String, _ name: String) -> String {
        folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
    }

    /// Creates a directory and its missing parents, accessible only to this user, as the
    /// specification requires.
    ///
    /// A missing home directory is not created, because it indicates an error in the caller's
    /// environment. Returns the `errno` of the first error, or 0. Callers need this value, because
    /// a later attempt to create a file in the directory fails without showing why the directory is
    /// missing.
    @discardableResult
    package static func make(_ path: String) -> Int32 {
        var (folder, errorNumber) = ("", Int32(0))
        let home = getenv("HOME").map { FileText.text(cString: $0) }
        for name in path.split(separator: "/") {
            folder += "/\(name)"
            if folder == home, access(FileText.path(folder), F_OK) != 0 { return errno }
            guard mkdir(FileText.path(folder), 0o700) != 0, errno != EEXIST else { continue }
            if errorNumber == 0 { errorNumber = errno }
        }
        return errorNumber
    }
}
