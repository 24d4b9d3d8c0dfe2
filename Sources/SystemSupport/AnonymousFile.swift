import CLinux
import Glibc

/// A file in memory that has no name and ends with its last descriptor.
package enum AnonymousFile {
    /// Creates an empty file that other programs don't inherit, or returns nil if it can't be
    /// created.
    package static func create() -> Int32? {
        let file = clinux_memory_file()
        return file >= 0 ? file : nil
    }

    /// Creates a file that contains `bytes`, positioned at its start, or returns nil if it can't be
    /// created or written.
    package static func holding(_ bytes: [UInt8]) -> Int32? {
        guard let file = create() else { return nil }
        guard OutputBytes.write(bytes, to: file), lseek(file, 0, SEEK_SET) == 0 else {
            close(file)
            return nil
        }
        return file
    }
}
