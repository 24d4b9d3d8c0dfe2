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
    }

    var status: Int
    var contentType: String
    var body: [UInt8]
    /// Headers beside type and length.
    var headers: [String: String] = [:]
    /// `Content-Length`; the body's own unless a fault says otherwise.
    var announcedLength: Int
    var ending: Ending = .keepOpen
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
