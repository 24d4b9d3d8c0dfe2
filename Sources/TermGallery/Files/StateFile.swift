import Glibc
import ImageLoading

/// Small files of this user in `$XDG_STATE_HOME/termgallery`, written whole or not at all.
enum StateFile {
    /// The path of a file; nil where there is no home.
    static func path(_ name: String) -> String? {
        UserFolders().state.map { UserFolders.join($0, "termgallery/\(name)") }
    }

    /// What a file holds, up to a size; empty if there is none.
    static func read(_ path: String, atMost count: Int) -> [UInt8] {
        (try? FileStart(of: path, count: count))?.bytes ?? []
    }

    /// Writes a file that nobody else may read; another gallery may read it at this moment.
    static func write(_ bytes: [UInt8], to path: String) {
        UserFolders.make(AbsolutePath.directory(of: path))
        let temporary = "\(path).\(getpid())"
        let flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW
        let descriptor = open(FileText.path(temporary), flags, 0o600)
        guard descriptor >= 0 else { return }
        let isWritten = OutputBytes.write(bytes, to: descriptor)
        close(descriptor)
        let isInPlace =
            isWritten && rename(FileText.path(temporary), FileText.path(path)) == 0
        if !isInPlace { unlink(FileText.path(temporary)) }
    }
}
