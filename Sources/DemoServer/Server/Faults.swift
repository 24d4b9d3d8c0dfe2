/// How one answer is to be made and to misbehave: the server's defaults, overridden by the request's query.
struct Faults: Equatable {
    /// How long the answer takes to begin (`latency`, milliseconds).
    var latency: Duration = .zero
    /// Body bytes a second (`bandwidth`).
    var bandwidth: Int?
    /// Answers with this status and a text (`status`).
    var status: Int?
    /// Closes after so many bytes of a longer `Content-Length` (`truncate`).
    var truncate: Int?
    /// Resets the connection after so many bytes (`reset`).
    var reset: Int?
    /// Sends nothing more, for ever, after so many bytes (`stall`).
    var stall: Int?
    /// Announces this length whatever the body has, and closes after it (`length`).
    var length: Int?
    /// Redirects so many times before the answer (`redirect`).
    var redirects = 0
    /// Sends an HTML page in place of the image (`html`).
    var isHTML = false
    /// Damages bytes in the middle of the image (`corrupt`).
    var isCorrupt = false
    /// Answers in a way that no HTTP library does (`fault`).
    var raw: RawFault?
    /// Paints the image so many pixels wide (`width`).
    var width: Int?
    /// The entity tag to send; empty sends none (`etag`).
    var entityTag: String?

    /// Reads a query such as `latency=300&stall=1000`; what it doesn't know or can't read is left
    /// out.
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
    /// What an image does without a query: the configuration's pace, and for the share of numbers
    /// that fails one of five failures.
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
