internal import Glibc

/// Where the files of this user belong, by the XDG base directory specification.
///
/// A folder is nil where there is no home. Names are as `FileText` has them.
package struct UserFolders: Sendable {
    let cache: String?
    package let configuration: String?
    package let data: String?
    package let state: String?

    /// Looks into an environment; by default that of the process.
    package init(
        environment: (String) -> String? = { getenv($0).map { FileText.text(cString: $0) } }
    ) {
        /// Relative paths are to be ignored, says the specification.
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

    /// The path of something in a folder.
    package static func join(_ folder: String, _ name: String) -> String {
        folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
    }

    /// Makes a folder and those above it, only for the user as the specification wants it.
    ///
    /// Failures show at the next attempt to make a file in it, which can't tell why there is no
    /// folder: returns the number of the first error, 0 for none.
    @discardableResult
    package static func make(_ path: String) -> Int32 {
        var (folder, errorNumber) = ("", Int32(0))
        for name in path.split(separator: "/") {
            folder += "/\(name)"
            guard mkdir(FileText.path(folder), 0o700) != 0, errno != EEXIST else { continue }
            if errorNumber == 0 { errorNumber = errno }
        }
        return errorNumber
    }
}
