import Foundation
import Glibc

/// A folder for one test; deleted with this object.
final class TestFolder: Sendable {
    let path: String

    init() {
        path = NSTemporaryDirectory() + "/imageloading-\(UUID().uuidString)"
        mkdir(path, 0o700)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// Writes a file, and returns its path.
    @discardableResult func write(_ text: String, to name: String) -> String {
        let file = "\(path)/\(name)"
        precondition(FileManager.default.createFile(atPath: file, contents: Data(text.utf8)))
        return file
    }
}
