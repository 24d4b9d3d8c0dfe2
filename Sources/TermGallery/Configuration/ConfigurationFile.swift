import Feeds
import Glibc
import ImageLoading
import SystemSupport

/// The file that contains a configuration.
struct ConfigurationFile: Equatable, Sendable {
    /// The path of the file, encoded by `FileText`.
    let path: String
    /// Whether the user named the file with `--config`, in which case it must exist.
    let isNamed: Bool

    /// Returns the file selected by the arguments.
    ///
    /// The result is the file named by `--config`, nil if `--no-config` is set, or otherwise the
    /// user's file `$XDG_CONFIG_HOME/termgallery/config.toml`.
    static func named(
        in arguments: [String],
        folders: UserFolders = UserFolders()
    ) -> ConfigurationFile? {
        let arguments = arguments.prefix { $0 != "--" }
        guard !arguments.contains("--no-config") else { return nil }
        var named: String?
        for (index, argument) in arguments.enumerated() {
            if argument == "--config", index + 1 < arguments.count { named = arguments[index + 1] }
            if argument.hasPrefix("--config=") { named = String(argument.dropFirst(9)) }
        }
        if let named { return ConfigurationFile(path: named, isNamed: true) }
        return folders.configuration.map { folder in
            let path = UserFolders.join(folder, "termgallery/config.toml")
            return ConfigurationFile(path: path, isNamed: false)
        }
    }

    /// The current modification time, size, device and inode of the file, or nil if it doesn't
    /// exist.
    var stamp: FileStamp? {
        var status = stat()
        guard stat(FileText.path(path), &status) == 0 else { return nil }
        return FileStamp(status)
    }

    /// The content of the file, and its permissions, size and modification time when it was read.
    struct Contents {
        let bytes: [UInt8]
        let stamp: FileStamp
        /// Whether other users may read the file.
        let isReadableByOthers: Bool
    }

    /// Reads the file, or returns nil if the user did not name the file and it doesn't exist.
    func read() throws(TextFault) -> Contents? {
        let start: FileStart
        do throws(FileReading.Problem) {
            start = try FileStart(of: path, count: TOMLReader.maximumByteCount + 1)
        } catch {
            if case .failure(let failure) = error, failure.isMissing, !isNamed { return nil }
            throw TextFault(position: .wholeFile, text: error.text)
        }
        if !isNamed, let text = Self.distrust(start.status) {
            throw TextFault(position: .wholeFile, text: text)
        }
        return Contents(
            bytes: start.bytes,
            stamp: FileStamp(start.status),
            isReadableByOthers: start.status.st_mode & 0o044 != 0
        )
    }

    /// Returns the reason why a file is not trusted as the user's own, or nil if it is trusted.
    ///
    /// Anyone with write access could make the gallery start other programs and contact other
    /// servers. The user's own group may have write access because this is the default on some
    /// systems.
    private static func distrust(_ status: stat) -> String? {
        if status.st_uid != geteuid(), status.st_uid != 0 {
            return "belongs to another user; change its owner (chown), or name it with --config"
        }
        let others = status.st_gid == getegid() ? mode_t(0o002) : mode_t(0o022)
        guard status.st_mode & others != 0 else { return nil }
        return "is writable by other users; run chmod go-w on it"
    }
}

extension FileReading.Problem {
    /// A description for the user.
    var text: String {
        switch self {
        case .failure(let failure): failure.text
        case .notRegular, .unexpectedSize: "is not a file"
        }
    }
}

extension FileFailure {
    /// Whether the error means that the file doesn't exist.
    fileprivate var isMissing: Bool { code == ENOENT || code == ENOTDIR }
}
