internal import Glibc

/// A file operation that did not work.
struct FileFailure: Error, Hashable, Sendable {
    /// What was tried, "open" or "write".
    let operation: String
    /// The system's error number.
    let code: Int32

    /// The calling thread's last error.
    static func last(_ operation: String) -> FileFailure {
        FileFailure(operation: operation, code: errno)
    }

    /// Whether there is no such file.
    var isMissing: Bool { code == ENOENT }

    /// The system's words, such as "No space left on device".
    var text: String { String(cString: strerror(code)) }
}
