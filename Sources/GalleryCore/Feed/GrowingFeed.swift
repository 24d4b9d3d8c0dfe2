public import ImageLoading

/// A plain text feed that is still being written: takes its bytes as they come, however they are cut.
///
/// Its lines lie in pieces that are never touched again once they are full, so that a feed of a
/// million lines grows by one at the cost of one piece. Each `Feed` that it makes has the items of
/// the one before at the same indices, and shares their bytes.
public struct GrowingFeed: Sendable {
    private let title: String
    private let parser: FeedLineParser
    private let pieceByteCount: Int
    /// Full pieces.
    private var pieces: [Feed] = []
    /// The lines of the piece that still grows.
    private var lines: [UInt8] = []
    /// The line of which the end has not come.
    private var rest: [UInt8] = []
    private var isChecked = false

    /// Makes an empty feed; a piece holds `pieceByteCount` bytes and what came with the last of them.
    public init(
        title: String,
        base: FeedBase,
        origin: RequestOrigin,
        pieceByteCount: Int = 256 << 10
    ) {
        self.title = title
        parser = FeedLineParser(base: base, origin: origin)
        self.pieceByteCount = pieceByteCount
    }

    /// Whether there is a whole line that no feed has yet, blank or not.
    public private(set) var hasNews = false

    /// Takes the next bytes.
    ///
    /// Of a line that is too long to be used only as much is kept as tells that.
    public mutating func append(_ bytes: [UInt8]) {
        let newline = UInt8(ascii: "\n")
        let end = bytes.lastIndex(of: newline).map { $0 + 1 } ?? 0
        if end > 0 {
            lines += rest
            lines += bytes[..<end]
            rest = []
            hasNews = true
        }
        let room = FeedLineParser.maximumLineByteCount + 1 - rest.count
        rest += bytes[end...].prefix(max(0, room))
    }

    /// The feed as far as it has come, open; nil as long as it names no picture.
    ///
    /// Throws if the bytes as a whole are no feed.
    public mutating func feed() throws(FeedError) -> Feed? {
        try check()
        hasNews = false
        let found = FeedLines(lines)
        let last = Feed(lines: found, title: title, parser: parser)
        let all = found.count > 0 ? pieces + [last] : pieces
        if lines.count >= pieceByteCount {
            pieces = all
            lines = []
        }
        guard !all.isEmpty else { return nil }
        var feed = Feed(pieces: all, title: title, origin: parser.origin)
        feed.isOpen = true
        return feed
    }

    /// The whole feed, with the last line, which may lack its end; throws if it names no picture.
    public mutating func end() throws(FeedError) -> Feed {
        lines += rest
        rest = []
        guard var feed = try feed() else {
            throw FeedError(name: title, fault: "names no picture")
        }
        feed.isOpen = false
        return feed
    }

    /// Looks once at how the bytes begin.
    private mutating func check() throws(FeedError) {
        guard !isChecked, !lines.isEmpty else { return }
        isChecked = true
        if case .unusable(let fault) = FeedFormat.sniffed(from: lines) {
            throw FeedError(name: title, fault: fault)
        }
    }
}
