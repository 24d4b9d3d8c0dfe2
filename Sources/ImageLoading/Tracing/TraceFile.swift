internal import Glibc
internal import SystemSupport

/// The reason why a trace cannot be written.
public struct TraceFileError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The path of the file.
    public let path: String
    /// The error message from the system.
    public let reason: String

    /// The complete error message, on one line.
    public var description: String { "cannot write the trace \(path): \(reason)" }
}

/// The file of a trace, open for writing; it may be a pipe.
///
/// The thread of the trace owns this object.
final class TraceFile: Sendable {
    private let descriptor: Int32

    /// Creates the file, or empties an existing file.
    init(path: String) throws(TraceFileError) {
        // A pipe without a reader must not prevent the program from starting, and a reader that has
        // stopped must not prevent the program from ending, so the file is opened with O_NONBLOCK.
        // The open file description is not shared, so the flag does not affect other programs.
        let flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NONBLOCK
        descriptor = open(FileText.path(path), flags, 0o600)
        guard descriptor >= 0 else { throw Self.error(path) }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    private static func error(_ path: String) -> TraceFileError {
        let reason = errno == ENXIO ? "it has no reader" : String(cString: strerror(errno))
        return TraceFileError(path: FileText.shown(path), reason: reason)
    }

    /// Writes all bytes; returns an error message if writing fails.
    ///
    /// If the reader of a pipe has stopped reading, `goesOn` is called ten times per second. If it
    /// returns false, the method stops waiting.
    func write(_ bytes: [UInt8], goesOn: () -> Bool) -> String? {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno == EAGAIN {
                guard waitUntilWritable() || goesOn() else { return "the reader has stopped" }
            } else if errno != EINTR {
                return String(cString: strerror(errno))
            }
        }
        return nil
    }

    private func waitUntilWritable() -> Bool {
        var source = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        return poll(&source, 1, 100) == 1
    }
}
