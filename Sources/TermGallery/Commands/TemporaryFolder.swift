import FoundationEssentials
import Glibc
import ImageLoading

/// A folder that lasts as long as the program.
///
/// It is locked meanwhile, so that a later start knows those of programs that were killed.
final class TemporaryFolder: Sendable {
    private static let prefix = "termgallery-demo-"

    /// As `FileText` has it.
    let path: String
    /// The open folder, which has the lock.
    private let descriptor: Int32

    /// What names made below `parent` look like: the system writes over the six X.
    static var template: [CChar] { FileText.path("\(parent)/\(prefix)XXXXXX") }

    private static var parent: String {
        let requested = getenv("TMPDIR").map { FileText.text(cString: $0) } ?? ""
        return requested.isEmpty ? "/tmp" : requested
    }

    init() throws {
        // A start at the same moment may take a folder for a left-over before it is locked.
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
        throw ProgramFailure(.systemFailure, "no temporary folder in \(Self.parent): \(reason)")
    }

    deinit {
        close(descriptor)
    }

    /// Deletes it with what it holds; what can't be deleted is swept by a later start.
    func remove() {
        Self.delete(path)
    }

    /// Deletes the folders of programs that were killed.
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

    /// The open folder if it is this user's, and nobody uses it.
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
