import CLinux
import Glibc

/// A file in memory that has no name and is deleted when its last descriptor is closed.
package enum AnonymousFile {
    /// Creates an empty file and returns its descriptor, or nil if the file cannot be created.
    ///
    /// Child processes do not inherit the descriptor.
    package static func create() -> Int32? {
        let file = clinux_memory_file()
        return file >= 0 ? file : nil
    }

    /// Creates a file that contains `bytes` and returns its descriptor.
    ///
    /// The position is the start of the file. Returns nil if the file cannot be created or written.
    package static func holding(_ bytes: [UInt8]) -> Int32? {
        guard let file = create() else { return nil }
        guard OutputBytes.write(bytes, to: file), lseek(file, 0, SEEK_SET) == 0 else {
            close(file)
            return nil
        }
        return file
    }
}
