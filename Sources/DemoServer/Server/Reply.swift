/// The plan for a response: its announced properties, its bytes, and its ending.
struct Reply: Equatable {
    /// The ending of a body.
    enum Ending: Equatable {
        /// Sends the whole body and keeps the connection open.
        case keepOpen
        /// Sends this many bytes, then closes the connection.
        case close(after: Int)
        /// Sends this many bytes, then resets the connection.
        case reset(after: Int)
        /// Sends this many bytes, then nothing more.
        case stall(after: Int)
        /// Sends all bytes, then endlessly repeats the bytes from an offset to the end.
        case endless(from: Int)
    }

    var status: Int
    var contentType: String
    var body: [UInt8]
    /// The header fields in addition to the type and the length.
    var headers: [String: String] = [:]
    /// The value of `Content-Length`, which is the length of the body unless `Faults.length` is
    /// set.
    var announcedLength: Int
    var ending: Ending = .keepOpen
    /// Whether `body` also contains the response head, so no other head is sent.
    var isRaw = false
    /// The offset from which bytes are sent one at a time, with a pause of two seconds after each
    /// byte.
    ///
    /// Nil if all bytes are sent in larger chunks.
    var dripStart: Int?
    /// Whether only the response head is sent, as for a HEAD request.
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
    /// Returns this response with the ending and length specified by `faults`.
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

/// The progress of sending a body: the bytes to send next, and the pause after them.
///
/// A pause follows every chunk, including the last chunk. The time for sending a body is therefore
/// its length divided by the bandwidth.
struct Delivery {
    enum Step: Equatable {
        /// Send these bytes of the body, then wait.
        case send(Range<Int>, pause: Duration)
        /// Finish the response and keep the connection open.
        case finish
        /// Close the connection.
        case close
        /// Reset the connection.
        case reset
        /// Do nothing more until the client disconnects.
        case stall
    }

    private let limit: Int
    private let last: Step
    private let bandwidth: Int?
    private let chunk: Int
    private let dripStart: Int
    /// The offset from which an endless body is repeated, or nil if the body is not endless.
    private let restart: Int?
    private var position = 0

    /// Creates the plan for sending a body in chunks of at most 64 KiB.
    ///
    /// If `bandwidth` is not nil, a chunk contains the bytes for 1/20 of a second, but at most 64
    /// KiB. Twenty chunks per second look steady in a progress bar, and the limit keeps the memory
    /// use small. Starting at the offset `dripStart`, one byte is sent every two seconds.
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

    /// Whether the whole body has been sent and the response then ends normally.
    var isWhole: Bool { position >= limit && last == .finish }

    private func pause(after byteCount: Int) -> Duration {
        bandwidth.map { .seconds(Double(byteCount) / Double($0)) } ?? .zero
    }

    /// Returns the next step; after the end, repeats the last step.
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
