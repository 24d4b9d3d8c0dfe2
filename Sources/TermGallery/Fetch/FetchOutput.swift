import Decoders
import GalleryCore
import Glibc
import ImageLoading

/// Where `fetch` says what happens: JSON lines on standard output, or a progress bar on a terminal
/// and a line for each failure.
struct FetchOutput {
    /// Where the lines go.
    struct Descriptors {
        var output = STDOUT_FILENO
        var errors = STDERR_FILENO
    }

    private let isJSONL: Bool
    private let showsBar: Bool
    private let descriptors: Descriptors
    /// Nil as long as nobody knows how many there are.
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
    /// Lines that are not written yet.
    private var lines: [UInt8] = []
    /// Where the lines go.
    private(set) var result: ResultOutput

    /// The bar is drawn only where standard error is a terminal.
    init(isJSONL: Bool, descriptors: Descriptors = Descriptors()) {
        self.isJSONL = isJSONL
        self.descriptors = descriptors
        result = ResultOutput(descriptors.output)
        showsBar = isatty(descriptors.errors) == 1
    }

    /// Takes note of how many entries there are.
    mutating func begin(total: Int) {
        self.total = total
        drawBar()
    }

    /// An entry was done in an earlier run.
    mutating func skip() {
        done += 1
        skipped += 1
        drawBar()
    }

    /// Tells of an entry; its line is there after `flush`.
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

    /// Tells of what an earlier run has done without telling.
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

    /// Writes the lines of all reports so far.
    ///
    /// To be called before each wait, so that no line stands back for want of another.
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

    /// Ends a line that an earlier run has cut.
    mutating func endLine() {
        lines.append(UInt8(ascii: "\n"))
    }

    /// Says something of the list, or of the run.
    mutating func tell(remark: String) {
        writeErrorLine("termgallery: \(FrameText(remark, symbols: .halfBlocks).text)")
        drawBar()
    }

    /// Says what happens to the network meanwhile; on standard error also beside JSON lines.
    mutating func tell(_ notice: TransferNotice) {
        guard let text = notice.text else { return }
        writeErrorLine("termgallery: \(FrameText(text, symbols: .halfBlocks).text)")
        drawBar()
    }

    /// Sums up, if the run was not interrupted; `statistics` tell whether the disk took everything.
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
        "\(tried - failed) of \(tried) pictures loaded, \(CountText.bytes(bytes)), "
            + "\(failed) failed"
            + (incomplete > 0 ? ", \(incomplete) incomplete" : "")
            + (stale > 0 ? ", \(stale) stale (no response)" : "")
            + (skipped > 0 ? ", \(skipped) done before" : "")
    }

    /// Ten times a second at most: a bar for each of 10,000 cached images would cost more than
    /// the images.
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

    private mutating func writeErrorLine(_ line: String) {
        eraseBar()
        writeError(line + "\n")
    }

    private func writeError(_ text: String) {
        _ = OutputBytes.write(Array(text.utf8), to: descriptors.errors)
    }
}

extension TransferNotice {
    /// A line for people; nil for what need not be said.
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
    /// A line for people if images could not be kept on disk; nil if all were.
    var diskProblem: String? {
        guard diskWriteFailures > 0 else { return nil }
        let reason = diskFailureText ?? "no reason known"
        let pictures = diskWriteFailures == 1 ? "1 picture" : "\(diskWriteFailures) pictures"
        return "\(pictures) not stored in the disk cache: \(reason)"
    }
}
