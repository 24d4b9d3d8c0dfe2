import Glibc
import ImageLoading
import SystemSupport

/// Reads and writes small files in `$XDG_STATE_HOME/termgallery`.
///
/// A file is written completely or not at all.
package enum StateFile {
    /// Returns the path of a file, or nil if there is no home directory.
    package static func path(_ name: String) -> String? {
        UserFolders().state.map { UserFolders.join($0, "termgallery/\(name)") }
    }

    /// Returns at most `count` bytes of a file, or an empty array if the file can't be read.
    package static func read(_ path: String, atMost count: Int) -> [UInt8] {
        (try? FileStart(of: path, count: count))?.bytes ?? []
    }

    /// Writes a file that only this user can read.
    ///
    /// The file is replaced atomically, so another gallery may read it at the same time.
    package static func write(_ bytes: [UInt8], to path: String) {
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
