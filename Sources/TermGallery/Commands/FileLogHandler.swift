import FoundationEssentials
import Glibc
import ImageLoading
import Logging
import SystemSupport

/// A log handler that appends messages to a file, one per line.
///
/// Standard error can't be used because it is reserved for the gallery's screen.
struct FileLogHandler: LogHandler {
    var metadata: Logger.Metadata = [:]
    var logLevel: Logger.Level = .debug
    private let file: LogFile

    /// Opens `path` for appending, or throws an error with the system's reason.
    init(path: String) throws(ProgramFailure) {
        file = try LogFile(path: path)
    }

    /// A message about lost log lines, or nil if the log is complete.
    ///
    /// It is printed when the program ends.
    var complaint: String? {
        let (count, number) = file.loss
        guard count > 0 else { return nil }
        let reason =
            number == EAGAIN ? "its reader is too slow" : String(cString: strerror(number))
        return "termgallery: \(count) log lines were lost: \(reason)"
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let pairs = metadata.merging(event.metadata ?? [:]) { $1 }
            .sorted { $0.key < $1.key }
            .map { " \($0.key)=\($0.value)" }
        let time = Date().formatted(.iso8601)
        // Text from a feed must not be able to forge lines or move the cursor of a terminal that
        // shows the log.
        let line = EscapedText.of("\(time) \(event.level) \(event.message)\(pairs.joined())")
        file.append(line + "\n")
    }

    /// The open log file.
    ///
    /// The file is opened with O_APPEND and each line is written with a single call, so lines from
    /// different threads never mix.
    private final class LogFile: Sendable {
        private let descriptor: Int32
        private let lost = Protected((count: 0, number: Int32(0)))

        /// The number of lines that could not be written, and the error number of the last failed
        /// write.
        var loss: (count: Int, number: Int32) { lost.withLock { $0 } }

        init(path: String) throws(ProgramFailure) {
            // A pipe must not block the program, so opening a pipe without a reader fails, and
            // lines are lost if the reader stops reading.
            let flags = O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK
            descriptor = open(FileText.path(path), flags, 0o600)
            guard descriptor >= 0 else {
                let reason = errno == ENXIO ? "it has no reader" : String(cString: strerror(errno))
                throw ProgramFailure(.systemFailure, "cannot write the log \(path): \(reason)")
            }
        }

        deinit {
            close(descriptor)
        }

        func append(_ line: String) {
            var line = line
            let (written, count) = line.withUTF8 {
                (write(descriptor, $0.baseAddress, $0.count), $0.count)
            }
            guard written != count else { return }
            // The system gives no reason if it writes only part of a line: the disk is full.
            let number = written < 0 ? errno : ENOSPC
            lost.withLock { lost in lost = (lost.count + 1, number) }
        }
    }
}

/// The output file of `--trace`.
enum TraceOutput {
    /// Creates the file, and returns a closure that records events in it.
    ///
    /// When the process ends, the file is completed and lost events are reported.
    static func open(
        _ path: String
    ) throws(ProgramFailure) -> @Sendable (TraceEvent) -> Void {
        do throws(TraceFileError) {
            let writer = try TraceWriter(path: path)
            ExitHandlers.add { complaint(about: writer.finish()).map { printError("\($0)") } }
            return { writer.record($0) }
        } catch {
            throw ProgramFailure(.systemFailure, error.description)
        }
    }

    /// Returns a message about lost events, or nil if the trace is complete.
    static func complaint(about summary: TraceSummary) -> String? {
        guard summary.droppedCount > 0 || summary.failure != nil else { return nil }
        let reason = summary.failure.map { ": \($0)" } ?? ""
        return "termgallery: \(summary.droppedCount) trace events were lost\(reason)"
    }
}
