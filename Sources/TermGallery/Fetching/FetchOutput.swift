import GalleryCore
import Glibc

/// Where `fetch` says what happens: JSON lines on standard output, or a progress bar on a terminal
/// and a line for each failure.
struct FetchOutput {
    private let isJSONL: Bool
    private let showsBar: Bool
    private var total = 0
    private var done = 0
    private var bytes = 0
    private var lastDrawn: ContinuousClock.Instant?
    private(set) var failed = 0

    init(isJSONL: Bool, showsBar: Bool = isatty(STDERR_FILENO) == 1) {
        self.isJSONL = isJSONL
        self.showsBar = showsBar
    }

    mutating func begin(total: Int) {
        self.total = total
        drawBar()
    }

    mutating func skipRepeated() {
        done += 1
    }

    mutating func report(_ report: FetchReport) {
        done += 1
        bytes += report.bytes ?? 0
        if report.status == .failed { failed += 1 }
        if isJSONL {
            if let line = try? report.jsonLine() { print(line) }  // it has no NaN to fail on
        } else if let failure = report.error {
            eraseBar()
            printError("\(FrameText(report.url, symbols: .halfBlocks).text): \(failure.message)")
        }
        drawBar()
    }

    mutating func end() {
        fflush(nil)
        eraseBar()
        guard !isJSONL else { return }
        let loaded = done - failed
        print(
            "\(loaded) of \(total) pictures in the cache, \(CountText.bytes(bytes)), \(failed) failed"
        )
    }

    /// Ten times a second at most: a bar for each of 10,000 cached pictures would cost more than
    /// the pictures.
    private mutating func drawBar() {
        guard showsBar else { return }
        let now = ContinuousClock.now
        if let lastDrawn, done < total, lastDrawn.duration(to: now) < .milliseconds(100) { return }
        lastDrawn = now
        let width = 30
        let filled = total > 0 ? width * done / total : width
        let bar =
            String(repeating: "#", count: filled) + String(repeating: "-", count: width - filled)
        writeError("\r[\(bar)] \(done)/\(total)  \(CountText.bytes(bytes))  \(failed) failed ")
    }

    private func eraseBar() {
        if showsBar { writeError("\r\u{1B}[K") }
    }

    private func writeError(_ text: String) {
        var text = text
        text.withUTF8 { _ = write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}
