/// The behavior and misbehavior of one response.
///
/// The values are the server's defaults, overridden by the query of the request. The query
/// parameters are in parentheses.
struct Faults: Equatable {
    /// The delay before the response (`latency`, in milliseconds).
    var latency: Duration = .zero
    /// The number of body bytes sent per second (`bandwidth`).
    var bandwidth: Int?
    /// The HTTP status to send instead of the image (`status`).
    var status: Int?
    /// The number of bytes after which the connection is closed (`truncate`).
    ///
    /// `Content-Length` announces the full length.
    var truncate: Int?
    /// The number of bytes after which the connection is reset (`reset`).
    var reset: Int?
    /// The number of bytes after which the server sends nothing more (`stall`).
    ///
    /// The connection stays open.
    var stall: Int?
    /// The value of `Content-Length`, regardless of the actual length (`length`).
    ///
    /// The connection is closed after the body.
    var length: Int?
    /// The number of redirects before the response (`redirect`).
    var redirects = 0
    /// Whether an HTML page is sent instead of the image (`html`).
    var isHTML = false
    /// Whether bytes in the middle of the image file are damaged (`corrupt`).
    var isCorrupt = false
    /// A response that no HTTP library would send (`fault`).
    var raw: RawFault?
    /// The width of the image in pixels (`width`).
    var width: Int?
    /// The entity tag to send (`etag`).
    ///
    /// If it is nil, the default entity tag is sent. If it is empty, no entity tag is sent.
    var entityTag: String?

    /// Applies a query such as `latency=300&stall=1000`; unknown names and invalid values are
    /// ignored.
    mutating func apply(query: Substring) {
        for item in query.split(separator: "&") {
            let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let value = parts.count > 1 ? parts[1] : ""
            apply(name: parts[0], value: value)
        }
    }

    private mutating func apply(name: Substring, value: Substring) {
        let number = Int(value).map { max(0, $0) }
        switch name {
        case "latency": latency = number.map { .milliseconds(min($0, 3_600_000)) } ?? latency
        case "bandwidth": bandwidth = number.map { max(1, $0) } ?? bandwidth
        case "status": status = number.map { max(200, min(599, $0)) }
        case "truncate": truncate = number
        case "reset": reset = number
        case "stall": stall = number
        case "length": length = number
        case "redirect": redirects = number ?? 0
        case "width": width = number.map { max(1, min(6000, $0)) }
        case "html": isHTML = value != "0"
        case "corrupt": isCorrupt = value != "0"
        case "fault": raw = RawFault(rawValue: String(value))
        case "etag": entityTag = String(value)
        default: break
        }
    }
}

extension Faults {
    /// Creates the default behavior of an image, with the configured latency and bandwidth.
    ///
    /// For the configured fraction of images, the behavior also includes one of five failures.
    init(number: Int, configuration: DemoConfiguration) {
        self.init(latency: configuration.latency, bandwidth: configuration.bandwidth)
        var random = SeededRandom(
            seed: configuration.seed &+ UInt64(truncatingIfNeeded: number) &* 0xA24B_AED4_963E_E407
        )
        guard Double(random.number(in: 0..<1)) < configuration.failureRate else { return }
        switch random.index(below: 5) {
        case 0: status = 404
        case 1: status = 500
        case 2: reset = 3000
        case 3: truncate = 6000
        default: isHTML = true
        }
    }
}
