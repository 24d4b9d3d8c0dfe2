import Decoders
import FoundationEssentials
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
    private var total = 0
    private var done = 0
    private var repeated = 0
    private var bytes = 0
    private var stale = 0
    private var incomplete = 0
    private var lastDrawn: ContinuousClock.Instant?
    private(set) var failed = 0
    /// False once standard output was closed by its reader.
    private(set) var isRead = true

    /// The bar is drawn only where standard error is a terminal.
    init(isJSONL: Bool, descriptors: Descriptors = Descriptors()) {
        self.isJSONL = isJSONL
        self.descriptors = descriptors
        showsBar = isatty(descriptors.errors) == 1
    }

    mutating func begin(total: Int) {
        self.total = total
        drawBar()
    }

    mutating func skipRepeated() {
        done += 1
        repeated += 1
    }

    mutating func report(_ report: FetchReport) {
        done += 1
        bytes += report.bytes ?? 0
        if report.status == .failed { failed += 1 }
        if report.stale == true { stale += 1 }
        if report.complete == false { incomplete += 1 }
        if isJSONL {
            if let line = try? report.jsonLine() { writeLine(line) }  // it has no NaN to fail on
        } else if let words = report.error?.message ?? report.reason.map({ "incomplete: \($0)" }) {
            writeErrorLine("\(FrameText(report.url, symbols: .halfBlocks).text): \(words)")
        }
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
        eraseBar()
        if let problem = statistics.diskProblem { writeErrorLine("termgallery: \(problem)") }
        guard !isJSONL, isWhole else { return }
        let tried = done - repeated
        writeLine(
            "\(tried - failed) of \(tried) pictures loaded, \(CountText.bytes(bytes)), "
                + "\(failed) failed"
                + (incomplete > 0 ? ", \(incomplete) incomplete" : "")
                + (stale > 0 ? ", \(stale) stale: no answer" : "")
        )
    }

    /// Ten times a second at most: a bar for each of 10,000 cached images would cost more than
    /// the images.
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

    private mutating func eraseBar() {
        guard showsBar else { return }
        lastDrawn = nil
        writeError("\r\u{1B}[K")
    }

    private mutating func writeLine(_ line: String) {
        isRead = OutputBytes.write(Array((line + "\n").utf8), to: descriptors.output)
    }

    private mutating func writeErrorLine(_ line: String) {
        eraseBar()
        writeError(line + "\n")
    }

    private func writeError(_ text: String) {
        _ = OutputBytes.write(Array(text.utf8), to: descriptors.errors)
    }
}

/// One line of `fetch --jsonl`: what became of one URL.
///
/// Keys that don't apply are left out. The URL has no user name and no password, and the text no
/// character that does something to a terminal.
struct FetchReport: Encodable, Equatable {
    enum Status: String, Encodable {
        case ok
        case failed
    }

    struct Failure: Encodable, Equatable {
        let stage: String
        let kind: String
        let retryable: Bool
        let message: String

        enum CodingKeys: String, CodingKey {
            case stage
            case kind = "class"
            case retryable
            case message
        }
    }

    let url: String
    let status: Status
    var source: String?
    var http: Int?
    var bytes: Int?
    var format: String?
    var width: Int?
    var height: Int?
    let ms: Int
    /// True if the server did not answer, and what was kept of it stands in; else left out.
    var stale: Bool?
    /// False if the file is damaged or ends too early, and this is what there is of it; else left out.
    var complete: Bool?
    /// What is wrong with such a file.
    var reason: String?
    var error: Failure?

    init(
        url: String,
        result: Result<ImageResponse, ImageLoadingError>,
        duration: Duration
    ) {
        self.url = URLParts.withoutLogin(url)
        self.ms = duration.wholeMilliseconds
        switch result {
        case .success(let response):
            let properties = response.image.properties
            status = .ok
            source = response.source.rawValue
            http = response.httpStatus
            bytes = response.byteCount
            format = properties.format.rawValue
            width = properties.size.width
            height = properties.size.height
            stale = response.isStale ? true : nil
            if let damage = response.image.damage {
                complete = false
                reason = damage.description
            }
        case .failure(let failure):
            status = .failed
            http = failure.httpStatus
            error = Failure(
                stage: failure.stage.rawValue,
                kind: failure.kind.rawValue,
                retryable: failure.isRetryable,
                message: failure.description
            )
        }
    }

    /// The object on one line, keys in alphabetical order.
    func jsonLine() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return EscapedText.of(String(decoding: try encoder.encode(self), as: UTF8.self))
    }
}

extension Duration {
    /// Whole milliseconds, rounded down.
    var wholeMilliseconds: Int {
        Int(components.seconds) * 1000 + Int(components.attoseconds / 1_000_000_000_000_000)
    }
}

extension TransferNotice {
    /// A line for people; nil for what need not be said.
    var text: String? {
        switch self {
        case .hostUnavailable(let host, let error): "waiting for \(host): \(error)"
        case .hostAvailable(let host): "\(host) answers again"
        case .fewerTransfers(let host, let count):
            "\(host) does not take so many connections: \(count) at once from now on"
        case .outOfResources(let error, let count):
            "\(error): \(count) transfers at once from now on"
        }
    }
}

extension LoadingStatistics {
    /// A line for people if images could not be kept on disk; nil if all were.
    var diskProblem: String? {
        guard diskWriteFailures > 0 else { return nil }
        let reason = diskFailureText ?? "no reason known"
        let pictures = diskWriteFailures == 1 ? "1 picture" : "\(diskWriteFailures) pictures"
        return "\(pictures) not kept in the disk cache: \(reason)"
    }
}
