import Glibc
import ImageLoading

/// The file that a configuration is read from.
struct ConfigurationFile: Equatable, Sendable {
    /// As `FileText` has it.
    let path: String
    /// Whether the person named it, so that it must be there.
    let isNamed: Bool

    /// What the arguments ask for: the file that `--config` names, none after `--no-config`, else
    /// that of the person, `$XDG_CONFIG_HOME/termgallery/config.toml`.
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

    /// What is there now; nil if nothing is.
    var stamp: FileStamp? {
        var status = stat()
        guard stat(FileText.path(path), &status) == 0 else { return nil }
        return FileStamp(status)
    }

    /// What was read of a file.
    struct Contents {
        let bytes: [UInt8]
        let stamp: FileStamp
        /// Whether other users may read it.
        let isReadableByOthers: Bool
    }

    /// Reads it; nil if there is none and none was named.
    func read() throws(TextFault) -> Contents? {
        let start: FileStart
        do throws(FileReading.Problem) {
            start = try FileStart(of: path, count: TOMLReader.maximumByteCount + 1)
        } catch {
            if case .failure(let failure) = error, failure.isMissing, !isNamed { return nil }
            throw TextFault(position: TextPosition(), text: error.text)
        }
        if !isNamed, let text = Self.distrust(start.status) {
            throw TextFault(position: TextPosition(), text: text)
        }
        return Contents(
            bytes: start.bytes,
            stamp: FileStamp(start.status),
            isReadableByOthers: start.status.st_mode & 0o044 != 0
        )
    }

    /// Why a file is not taken for the person's own: whoever may write it could have other programs
    /// opened, and other servers asked.
    ///
    /// A group of one's own may, which is how some systems set up each user.
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
    /// What it is, for people.
    fileprivate var text: String {
        switch self {
        case .failure(let failure): failure.text
        case .notRegular, .unexpectedSize: "is not a file"
        }
    }
}

extension FileFailure {
    /// Whether there is no such file.
    fileprivate var isMissing: Bool { code == ENOENT || code == ENOTDIR }
}
