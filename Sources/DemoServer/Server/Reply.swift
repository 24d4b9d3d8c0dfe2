/// The plan for a response: the announced properties, the bytes to send, and the way in which the
/// response ends.
struct Reply: Equatable {
    /// The way in which the body ends.
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
    /// Whether `body` includes the head, so that nothing else is sent.
    var isRaw = false
    /// The offset from which bytes are sent one at a time, or nil if no bytes are sent in this way.
    var dripStart: Int?
    /// Whether only the head is sent, as in a response to HEAD.
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
    /// Returns the response with the ending and the length that the faults require.
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

/// Paces the sending of a body: determines the bytes to send next, and the pause after them.
///
/// A pause follows every chunk, including the last chunk, so that the time for sending a body is
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

    /// Creates the delivery of a body in chunks of at most 64 KiB.
    ///
    /// With a bandwidth, a chunk is a twentieth of the bytes per second, up to the limit of 64 KiB:
    /// 20 chunks per second look steady in a progress bar, and the limit keeps the memory use
    /// small. Starting at `dripStart`, one byte is sent every two seconds.
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

    /// Whether the whole body has been sent, and the response ends normally after it.
    var isWhole: Bool { position >= limit && last == .finish }

    private func pause(after byteCount: Int) -> Duration {
        bandwidth.map { .seconds(Double(byteCount) / Double($0)) } ?? .zero
    }

    /// Returns the next step; the last step is repeated.
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
