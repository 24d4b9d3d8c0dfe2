import Decoders
import Feeds
import GalleryCore
import Glibc
import ImageLoading
import SystemSupport
import TerminalUI

/// The printed output of `fetch`.
///
/// With JSON lines, each result is written as a line to standard output. Otherwise, each failure is
/// written as a line to standard error. If standard error is a terminal, it also shows a progress
/// bar.
struct FetchOutput {
    struct Descriptors {
        var output = STDOUT_FILENO
        var errors = STDERR_FILENO
    }

    private let isJSONL: Bool
    private let showsBar: Bool
    private let descriptors: Descriptors
    /// The total number of entries, or nil while it is unknown.
    private var total: Int?
    private var done = 0
    private var skipped = 0
    private var repeated = 0
    private var bytes = 0
    private var stale = 0
    private var incomplete = 0
    private var failures = FailureSummary()
    private var lastDrawn: ContinuousClock.Instant?
    private(set) var failed = 0
    /// The lines that have not been written yet.
    private var lines: [UInt8] = []
    /// The output that receives the lines.
    private(set) var result: ResultOutput

    /// Creates an output.
    ///
    /// The progress bar is drawn only if standard error is a terminal.
    init(isJSONL: Bool, descriptors: Descriptors = Descriptors()) {
        self.isJSONL = isJSONL
        self.descriptors = descriptors
        result = ResultOutput(descriptors.output)
        showsBar = isatty(descriptors.errors) == 1
    }

    /// Sets the total number of entries.
    mutating func begin(total: Int) {
        self.total = total
        drawBar()
    }

    /// Counts an entry that an earlier run has finished.
    mutating func skip() {
        done += 1
        skipped += 1
        drawBar()
    }

    /// Reports the result for an entry.
    ///
    /// The line is written by the next call to `flush`.
    mutating func report(_ report: FetchReport, with fields: [ListEntry.Field] = []) {
        done += 1
        if report.repeated == true { repeated += 1 } else { count(report) }
        if isJSONL {
            write(report.jsonLine(with: fields))
        } else if report.repeated == true {
            drawBar()
            return
        } else if let words = report.error?.message ?? report.reason.map({ "incomplete: \($0)" }) {
            writeErrorLine("\(FrameText(report.url, symbols: .halfBlocks).text): \(words)")
        }
        drawBar()
    }

    /// Prints a line that an earlier run should have printed, if JSON lines are requested.
    mutating func tell(untold line: [UInt8]) {
        if isJSONL { write(line) }
    }

    private mutating func count(_ report: FetchReport) {
        bytes += report.bytes ?? 0
        if report.status == .failed { failed += 1 }
        if let error = report.error { failures.count(error, of: report.url) }
        if report.stale == true { stale += 1 }
        if report.complete == false { incomplete += 1 }
    }

    /// Writes the lines of all pending reports.
    ///
    /// Call this method before each wait. Otherwise, the lines would be delayed until the next
    /// result.
    mutating func flush() {
        guard !lines.isEmpty else { return }
        result.write(lines)
        lines.removeAll(keepingCapacity: true)
    }

    private mutating func write(_ line: [UInt8]) {
        lines += line
        lines.append(UInt8(ascii: "\n"))
        if lines.count >= 64 << 10 { flush() }
    }

    /// Writes a line terminator after the incomplete last line of an earlier run.
    mutating func endLine() {
        lines.append(UInt8(ascii: "\n"))
    }

    /// Prints a remark about the list or the run.
    mutating func tell(remark: String) {
        writeErrorLine("termgallery: \(FrameText(remark, symbols: .halfBlocks).text)")
        drawBar()
    }

    /// Prints a notice about the network on standard error, even if the results are JSON lines.
    mutating func tell(_ notice: TransferNotice) {
        guard let text = notice.text else { return }
        writeErrorLine("termgallery: \(FrameText(text, symbols: .halfBlocks).text)")
        drawBar()
    }

    /// Ends the output, and prints a summary if `isWhole` is true.
    ///
    /// Disk cache errors in `statistics` are always reported.
    mutating func end(
        _ statistics: LoadingStatistics = LoadingStatistics(),
        isWhole: Bool = true
    ) {
        flush()
        eraseBar()
        if let problem = statistics.diskProblem { writeErrorLine("termgallery: \(problem)") }
        guard isWhole else { return }
        for line in failures.lines {
            writeErrorLine("termgallery: \(FrameText(line, symbols: .halfBlocks).text)")
        }
        guard !isJSONL else { return }
        let tried = done - repeated - skipped
        write(Array(summary(of: tried).utf8))
        flush()
    }

    private func summary(of tried: Int) -> String {
        "\(tried - failed) of \(tried) images loaded, \(CountText.bytes(bytes)), "
            + "\(failed) failed"
            + (incomplete > 0 ? ", \(incomplete) incomplete" : "")
            + (stale > 0 ? ", \(stale) stale (no response)" : "")
            + (skipped > 0 ? ", \(skipped) done before" : "")
    }

    /// Draws the progress bar at most ten times per second.
    ///
    /// Drawing the bar for each of 10,000 cached images would take longer than loading the images.
    private mutating func drawBar() {
        guard showsBar else { return }
        let now = ContinuousClock.now
        if let lastDrawn, done != total, lastDrawn.duration(to: now) < .milliseconds(100) { return }
        lastDrawn = now
        let sums = "\(CountText.bytes(bytes))  \(failed) failed "
        guard let total else { return writeError("\r\(done)  \(sums)") }
        let width = 30
        let filled = total > 0 ? min(width, width * done / total) : width
        let bar =
            String(repeating: "#", count: filled) + String(repeating: "-", count: width - filled)
        writeError("\r[\(bar)] \(done)/\(total)  \(sums)")
    }

    private mutating func eraseBar() {
        guard showsBar else { return }
        lastDrawn = nil
        writeError("\r\u{1B}[K")
    }

    private mutating func writeErrorLine(_ line: TerminalText) {
        eraseBar()
        writeError("\(line)\n")
    }

    private func writeError(_ text: TerminalText) {
        OutputBytes.write(text, to: descriptors.errors)
    }
}

extension TransferNotice {
    /// A message for the user, or nil if the notice needs no message.
    var text: String? {
        switch self {
        case .hostUnavailable(let host, let error): "waiting for \(host): \(error)"
        case .hostAvailable(let host): "\(host) is responding again"
        case .fewerTransfers(let host, let count):
            "\(host) limits connections; now using \(count) at once"
        case .outOfResources(let error, let count):
            "\(error): now using \(count) transfers at once"
        }
    }
}

extension LoadingStatistics {
    /// A message about images that could not be stored on disk, or nil if all were stored.
    var diskProblem: String? {
        guard diskWriteFailures > 0 else { return nil }
        let reason = diskFailureText ?? "no reason known"
        let pictures = diskWriteFailures == 1 ? "1 image" : "\(diskWriteFailures) images"
        return "\(pictures) not stored in the disk cache: \(reason)"
    }
}
