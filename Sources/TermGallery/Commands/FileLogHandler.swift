import FoundationEssentials
import Glibc
import ImageLoading
import Logging

/// Appends log messages to a file, a line each: standard error belongs to the gallery's screen.
struct FileLogHandler: LogHandler {
    var metadata: Logger.Metadata = [:]
    var logLevel: Logger.Level = .debug
    private let file: LogFile

    /// Opens `path` for appending; throws with the system's reason.
    init(path: String) throws(ProgramFailure) {
        file = try LogFile(path: path)
    }

    /// What to say at the end of a log that lacks lines; nil if it is whole.
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
        // What may come from a feed neither forges lines nor moves the cursor of whoever reads
        // the log.
        let line = EscapedText.of("\(time) \(event.level) \(event.message)\(pairs.joined())")
        file.append(line + "\n")
    }

    /// The open file; the kernel keeps lines of several threads apart (O_APPEND, one write each).
    private final class LogFile: Sendable {
        private let descriptor: Int32
        private let lost = Protected((count: 0, number: Int32(0)))

        /// How many lines could not be written, and the number of the system's reason.
        var loss: (count: Int, number: Int32) { lost.withLock { $0 } }

        init(path: String) throws(ProgramFailure) {
            // A pipe without a reader, or with one that has stopped, must not hold anything up: the
            // first is an error, the second loses lines.
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
            // Of a line that is cut the system gives no reason: the disk is full.
            let number = written < 0 ? errno : ENOSPC
            lost.withLock { lost in lost = (lost.count + 1, number) }
        }
    }
}

/// The file that `--trace` names.
enum TraceOutput {
    /// Creates it; returns where events go.
    ///
    /// It is completed before the process ends, and then what is missing in it is said.
    static func open(
        _ path: String
    ) throws(ProgramFailure) -> @Sendable (TraceEvent) -> Void {
        do throws(TraceFileError) {
            let writer = try TraceWriter(path: path)
            ExitHandlers.add { complaint(about: writer.finish()).map(printError) }
            return { writer.record($0) }
        } catch {
            throw ProgramFailure(.systemFailure, error.description)
        }
    }

    /// Nil if the trace is whole.
    static func complaint(about summary: TraceSummary) -> String? {
        guard summary.droppedCount > 0 || summary.failure != nil else { return nil }
        let reason = summary.failure.map { ": \($0)" } ?? ""
        return "termgallery: \(summary.droppedCount) trace events were lost\(reason)"
    }
}
