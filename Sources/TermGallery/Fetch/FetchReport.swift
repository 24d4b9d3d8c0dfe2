import Feeds
import GalleryCore
import ImageLoading
import SystemSupport

/// The result for one entry, as a line of `fetch --jsonl`.
///
/// Keys that don't apply are omitted. The URL contains no user name or password, and the text
/// contains no terminal control characters.
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
        /// The time at which the load ended, in seconds since 1970.
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
    /// True if the server did not respond and a stored copy was used.
    ///
    /// Otherwise, the key is omitted.
    var stale: Bool?
    /// False if the file is damaged or truncated and only partly usable, or if only a thumbnail in
    /// a camera file can be decoded.
    ///
    /// Otherwise, the key is omitted.
    var complete: Bool?
    /// A description of the damage.
    var reason: String?
    /// True if the certificate of the URL's host is not checked.
    ///
    /// Otherwise, the key is omitted. The key also applies to images that an earlier run stored.
    var insecure: Bool?
    var error: Failure?
    /// The key of the entry's sample in the tar file `shard`.
    var key: String?
    var shard: String?
    /// True if the URL occurred earlier in the list and the earlier result is repeated.
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
            } else if response.image.isThumbnail {
                // An embedded thumbnail is accepted only if the image itself can't be decoded.
                complete = false
                reason = "only a thumbnail can be decoded"
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

    /// Creates the report for an entry that can't be requested.
    init(unusable item: FeedItem, _ problem: String) {
        let error =
            item.forbiddenScheme.map {
                ImageLoadingError(stage: .request, kind: .policy, reason: .forbiddenScheme($0))
            }
            ?? ImageLoadingError(
                stage: .request,
                kind: .permanent,
                // The URLs of archive members are created by this program, so the URL can't be the
                // problem.
                reason: PictureAddress.isInArchive(item.url)
                    ? .unreadableFile(problem) : .invalidURL(problem)
            )
        self.init(url: item.url, result: .failure(error), duration: .zero)
    }

    /// Sets `insecure` if the URL's host is one of `hosts`.
    mutating func mark(_ hosts: Set<String>) {
        guard !hosts.isEmpty, let url = try? ImageURL(parsing: url, origin: .local),
            url.scheme == .https, url.host.map(hosts.contains) == true
        else { return }
        insecure = true
    }

    /// A copy of the report for a later entry with the same URL, marked as repeated.
    var again: FetchReport {
        var report = self
        (report.repeated, report.ms) = (true, 0)
        return report
    }

    /// Returns the report as a JSON object on one line: its own keys in alphabetical order,
    /// followed by `fields`, the fields of the entry.
    ///
    /// Fields with the name of a report key are omitted.
    func jsonLine(with fields: [ListEntry.Field] = []) -> [UInt8] {
        var line = JSONLine()
        bytes.map { line.add("bytes", $0) }
        complete.map { line.add("complete", $0) }
        error.map { line.add("error", Self.object($0)) }
        format.map { line.add("format", $0) }
        height.map { line.add("height", $0) }
        http.map { line.add("http", $0) }
        insecure.map { line.add("insecure", $0) }
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

    /// The keys used in reports.
    ///
    /// They are reserved to give them the same meaning in every report. `key` and `shard` are
    /// reserved only if samples are made, because lists often have their own fields with these
    /// names.
    private static let keys: Set = [
        "bytes", "complete", "error", "format", "height", "http", "insecure", "ms", "reason",
        "repeated", "source", "stale", "status", "url", "width",
    ]
}

extension String {
    /// The URL without user name and password.
    var withoutLogin: String {
        utf8.contains(UInt8(ascii: "@")) ? URLParts.withoutLogin(self) : self
    }
}

extension Duration {
    var wholeMilliseconds: Int {
        Int(components.seconds) * 1000 + Int(components.attoseconds / 1_000_000_000_000_000)
    }
}
