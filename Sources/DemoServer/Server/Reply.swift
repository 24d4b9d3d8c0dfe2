/// An answer, decided: what is announced, what is sent and how it ends.
struct Reply: Equatable {
    /// How the body ends.
    enum Ending: Equatable {
        /// The whole body; the connection stays.
        case keepOpen
        /// So many bytes, then a close.
        case close(after: Int)
        /// So many bytes, then a reset.
        case reset(after: Int)
        /// So many bytes, then nothing.
        case stall(after: Int)
        /// All bytes, and those from a place on again and again.
        case endless(from: Int)
    }

    var status: Int
    var contentType: String
    var body: [UInt8]
    /// Headers beside type and length.
    var headers: [String: String] = [:]
    /// `Content-Length`; the body's own unless a fault says otherwise.
    var announcedLength: Int
    var ending: Ending = .keepOpen
    /// Whether the body is all that is sent, and has a head in it.
    var isRaw = false
    /// From which byte on it comes a byte at a time; nil for never.
    var dripStart: Int?
    /// Whether the head alone is sent, as for HEAD.
    var isHeadOnly = false

    init(status: Int, contentType: String, body: [UInt8], headers: [String: String] = [:]) {
        self.status = status
        self.contentType = contentType
        self.body = body
        self.headers = headers
        announcedLength = body.count
    }

    init(status: Int = 200, text: String, contentType: String = "text/plain; charset=utf-8") {
        self.init(status: status, contentType: contentType, body: Array(text.utf8))
    }
}

extension Reply {
    /// The answer's end and length as the faults want them.
    func applying(_ faults: Faults) -> Reply {
        var reply = self
        if let length = faults.length {
            reply.announcedLength = length
            reply.ending = .close(after: body.count)
        }
        if let count = faults.truncate { reply.ending = .close(after: count) }
        if let count = faults.stall { reply.ending = .stall(after: count) }
        if let count = faults.reset { reply.ending = .reset(after: count) }
        return reply
    }
}

/// The pace of one body: what to send next and how long to wait behind it.
///
/// Every chunk is paid for after it is sent, the last one too, so that a body of n bytes takes
/// n / bandwidth seconds.
struct Delivery {
    enum Step: Equatable {
        /// Sends these bytes of the body, then waits.
        case send(Range<Int>, pause: Duration)
        /// The answer is over and the connection stays.
        case finish
        /// The connection is closed.
        case close
        /// The connection is reset.
        case reset
        /// Nothing more happens until the client leaves.
        case stall
    }

    private let limit: Int
    private let last: Step
    private let bandwidth: Int?
    private let chunk: Int
    private let dripStart: Int
    /// Where it begins again at its end.
    private let restart: Int?
    private var position = 0

    /// Twenty chunks a second look steady to a progress bar; 64 KiB keeps the memory small.
    ///
    /// A drip is a byte every two seconds.
    init(byteCount: Int, ending: Reply.Ending, bandwidth: Int?, dripStart: Int? = nil) {
        if case .endless(let place) = ending, place < byteCount {
            restart = place
        } else {
            restart = nil
        }
        (limit, last) =
            switch ending {
            case .keepOpen: (byteCount, .finish)
            case .close(let count): (min(count, byteCount), .close)
            case .reset(let count): (min(count, byteCount), .reset)
            case .stall(let count): (min(count, byteCount), .stall)
            case .endless: (byteCount, .close)
            }
        self.dripStart = dripStart ?? .max
        self.bandwidth = bandwidth
        chunk = max(1, min(bandwidth.map { $0 / 20 } ?? 65_536, 65_536))
    }

    /// Whether the whole body is sent, and nothing follows it.
    var isWhole: Bool { position >= limit && last == .finish }

    private func pause(after byteCount: Int) -> Duration {
        bandwidth.map { .seconds(Double(byteCount) / Double($0)) } ?? .zero
    }

    /// The next step; after the last one it is repeated.
    mutating func next() -> Step {
        if position >= limit, let restart { position = restart }
        guard position < limit else { return last }
        let isDripping = position >= dripStart
        let end = isDripping ? position + 1 : min(position + chunk, dripStart)
        let range = position..<min(end, limit)
        position = range.upperBound
        return .send(range, pause: isDripping ? .seconds(2) : pause(after: range.count))
    }
}
