import FoundationEssentials
import Glibc
import ImageLoading
import SystemSupport

/// A directory that exists only while the program is running.
///
/// The program holds a lock on the directory. If the program is killed, the directory remains but
/// the lock is released, so a later run can recognize and delete the directory.
final class TemporaryFolder: Sendable {
    private static let prefix = "termgallery-demo-"

    /// The path of the directory, encoded by `FileText`.
    let path: String
    /// The descriptor of the open directory, which holds the lock.
    private let descriptor: Int32

    /// The template for the path of a directory; the system replaces the six X characters.
    static var template: [CChar] { FileText.path("\(parent)/\(prefix)XXXXXX") }

    private static var parent: String {
        let requested = getenv("TMPDIR").map { FileText.text(cString: $0) } ?? ""
        return requested.isEmpty ? "/tmp" : requested
    }

    init() throws {
        // Another instance that starts at the same moment may remove a directory before it is
        // locked, so up to 8 attempts are made.
        for _ in 0..<8 {
            var template = Self.template
            guard mkdtemp(&template) != nil else { break }
            let path = FileText.text(cString: template)
            guard let descriptor = Self.lock(path) else { continue }
            self.path = path
            self.descriptor = descriptor
            return
        }
        let reason = String(cString: strerror(errno))
        throw ProgramFailure(
            .systemFailure,
            "cannot create a temporary folder in \(Self.parent): \(reason); "
                + "set TMPDIR to another folder"
        )
    }

    deinit {
        close(descriptor)
    }

    /// Deletes the directory and its contents.
    ///
    /// Anything that can't be deleted now is deleted by a later run.
    func remove() {
        Self.delete(path)
    }

    /// Deletes the directories left by killed programs.
    static func sweep() {
        for name in (try? FolderNames.of(parent)) ?? [] where isOurs(name) {
            let path = "\(parent)/\(name)"
            guard let descriptor = lock(path) else { continue }
            delete(path)
            close(descriptor)
        }
    }

    private static func isOurs(_ name: String) -> Bool {
        name.hasPrefix(prefix) && name.utf8.count == prefix.utf8.count + 6
    }

    private static func delete(_ path: String) {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// Opens and locks a directory.
    ///
    /// Returns the descriptor, or nil if the directory belongs to another user or is in use.
    private static func lock(_ path: String) -> Int32? {
        let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
        let descriptor = open(FileText.path(path), flags)
        guard descriptor >= 0 else { return nil }
        var (opened, named) = (stat(), stat())
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0,
            fstat(descriptor, &opened) == 0, lstat(FileText.path(path), &named) == 0,
            opened.st_ino == named.st_ino, opened.st_uid == geteuid()
        else {
            close(descriptor)
            return nil
        }
        return descriptor
    }
}
