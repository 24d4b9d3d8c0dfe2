import Glibc
import ImageLoading

/// The file that a configuration is read from.
struct ConfigurationFile: Equatable, Sendable {
    /// Which file there was: another one means that it was changed.
    struct Stamp: Equatable, Sendable {
        let device: UInt
        let number: UInt
        let size: Int
        let seconds: Int
        let nanoseconds: Int
    }

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
    var stamp: Stamp? {
        var status = stat()
        guard stat(FileText.path(path), &status) == 0 else { return nil }
        return Stamp(status)
    }

    /// What was read of a file.
    struct Contents {
        let bytes: [UInt8]
        let stamp: Stamp
        /// Whether other users may read it.
        let isReadableByOthers: Bool
    }

    /// Reads it; nil if there is none and none was named.
    func read() throws(TextFault) -> Contents? {
        let descriptor = open(FileText.path(path), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else {
            if errno == ENOENT || errno == ENOTDIR, !isNamed { return nil }
            throw TextFault(position: TextPosition(), text: String(cString: strerror(errno)))
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw TextFault(position: TextPosition(), text: "is not a file")
        }
        if !isNamed, let text = Self.distrust(status) {
            throw TextFault(position: TextPosition(), text: text)
        }
        var file = FileBytes(descriptor: descriptor, name: path)
        guard let bytes = try? file.next(TOMLReader.maximumByteCount + 1) else {
            throw TextFault(position: TextPosition(), text: "can't be read")
        }
        return Contents(
            bytes: bytes,
            stamp: Stamp(status),
            isReadableByOthers: status.st_mode & 0o044 != 0
        )
    }

    /// Why a file is not taken for the person's own: whoever may write it could have other programs
    /// opened, and other servers asked.
    ///
    /// A group of one's own may, which is how some systems set up each user.
    private static func distrust(_ status: stat) -> String? {
        if status.st_uid != geteuid(), status.st_uid != 0 {
            return "belongs to another user; take it over (chown), or name it with --config"
        }
        let others = status.st_gid == getegid() ? mode_t(0o002) : mode_t(0o022)
        guard status.st_mode & others != 0 else { return nil }
        return "other users may write it; take that away (chmod go-w)"
    }
}

extension ConfigurationFile.Stamp {
    init(_ status: stat) {
        device = UInt(status.st_dev)
        number = UInt(status.st_ino)
        size = Int(status.st_size)
        seconds = status.st_mtim.tv_sec
        nanoseconds = status.st_mtim.tv_nsec
    }
}
