import Feeds
import FoundationEssentials
import Glibc
import ImageLoading
import SystemSupport

/// A folder of its own for a test; deleted with everything in it.
package final class TestFolder: Sendable {
    package let path: String
    private let names = Protected<[String]>([])

    package init() {
        var template = Array("/tmp/termgallery-test-XXXXXX".utf8CString)
        mkdtemp(&template)
        path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    deinit {
        for name in names.withLock({ $0 }).reversed() { remove(FileText.path(path + "/" + name)) }
        guard rmdir(path) != 0 else { return }
        // There are folders in it.
        try? FileManager.default.removeItem(atPath: path)
    }

    /// Writes a file; returns its path.
    @discardableResult
    package func add(_ name: String, _ bytes: [UInt8] = []) -> String {
        let file = path + "/" + name
        let descriptor = open(FileText.path(file), O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        write(descriptor, bytes, bytes.count)
        close(descriptor)
        names.withLock { $0.append(name) }
        return file
    }

    /// Writes images at relative paths, and creates the folders around them.
    package func addPictures(_ names: String...) {
        for name in names {
            UserFolders.make(AbsolutePath.directory(of: "\(path)/\(name)"))
            add(name, LoadingHarness.picture)
        }
    }

    package func addPipe(_ name: String) -> String {
        mkfifo(path + "/" + name, 0o600)
        names.withLock { $0.append(name) }
        return path + "/" + name
    }
}
