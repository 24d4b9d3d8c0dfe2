import GalleryCore
import ImageLoading

/// One line of `fetch --jsonl`: what became of one entry.
///
/// Keys that don't apply are left out. The URL has no user name and no password, and the text no
/// character that does something to a terminal.
struct FetchReport: Equatable, Sendable {
    enum Status: String {
        case ok
        case failed
    }

    struct Failure: Equatable {
        let stage: String
        let kind: String
        let retryable: Bool
        let message: String
        /// When it ended, in seconds since 1970.
        var time: Int?
    }

    let url: String
    let status: Status
    var source: String?
    var http: Int?
    var bytes: Int?
    var format: String?
    var width: Int?
    var height: Int?
    var ms: Int
    /// True if the server did not answer, and what was kept of it stands in; else left out.
    var stale: Bool?
    /// False if the file is damaged or ends too early, and this is what there is of it; else left out.
    var complete: Bool?
    /// What is wrong with such a file.
    var reason: String?
    var error: Failure?
    /// The key of its thumbnail, and the tar that this is in.
    var key: String?
    var shard: String?
    /// True if the address stood in the list before, and this is what became of it then.
    var repeated: Bool?

    init(
        url: String,
        result: Result<ImageResponse, ImageLoadingError>,
        duration: Duration,
        at time: Int? = nil
    ) {
        self.url = url.withoutLogin
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
                message: failure.description,
                time: time
            )
        }
    }

    /// An entry for which nothing can be asked.
    init(unusable item: FeedItem, _ problem: String) {
        let error =
            item.forbiddenScheme.map {
                ImageLoadingError(stage: .request, kind: .policy, reason: .forbiddenScheme($0))
            }
            ?? ImageLoadingError(
                stage: .request,
                kind: .permanent,
                // The address of what lies in an archive is the program's own: there is nothing wrong with it.
                reason: PictureAddress.isInArchive(item.url)
                    ? .unreadableFile(problem) : .invalidURL(problem)
            )
        self.init(url: item.url, result: .failure(error), duration: .zero)
    }

    /// The same for another entry with the same address.
    var again: FetchReport {
        var report = self
        (report.repeated, report.ms) = (true, 0)
        return report
    }

    /// The object on one line: its own keys in alphabetical order, then the entry's other fields, of which
    /// one that has the name of a key of a report is left out.
    func jsonLine(with fields: [ListEntry.Field] = []) -> [UInt8] {
        var line = JSONLine()
        bytes.map { line.add("bytes", $0) }
        complete.map { line.add("complete", $0) }
        error.map { line.add("error", Self.object($0)) }
        format.map { line.add("format", $0) }
        height.map { line.add("height", $0) }
        http.map { line.add("http", $0) }
        key.map { line.add("key", $0) }
        line.add("ms", ms)
        reason.map { line.add("reason", $0) }
        repeated.map { line.add("repeated", $0) }
        shard.map { line.add("shard", $0) }
        source.map { line.add("source", $0) }
        stale.map { line.add("stale", $0) }
        line.add("status", status.rawValue)
        line.add("url", url)
        width.map { line.add("width", $0) }
        for field in fields where !Self.keys.contains(field.name) {
            if key != nil, field.name == "key" || field.name == "shard" { continue }
            line.add(field.name, json: field.json)
        }
        return line.closed()
    }

    private static func object(_ failure: Failure) -> JSONLine {
        var object = JSONLine()
        object.add("class", failure.kind)
        object.add("message", failure.message)
        object.add("retryable", failure.retryable)
        object.add("stage", failure.stage)
        failure.time.map { object.add("time", RecordDate.iso($0)) }
        return object
    }

    /// The keys of all reports: a program that reads them must not find another meaning there.
    ///
    /// `key` and `shard` are those of thumbnails only where there are any: lists often have keys of their own.
    private static let keys: Set = [
        "bytes", "complete", "error", "format", "height", "http", "ms", "reason",
        "repeated", "source", "stale", "status", "url", "width",
    ]
}

extension String {
    /// An address without user name and password.
    var withoutLogin: String {
        utf8.contains(UInt8(ascii: "@")) ? URLParts.withoutLogin(self) : self
    }
}

extension Duration {
    /// Whole milliseconds, rounded down.
    var wholeMilliseconds: Int {
        Int(components.seconds) * 1000 + Int(components.attoseconds / 1_000_000_000_000_000)
    }
}
