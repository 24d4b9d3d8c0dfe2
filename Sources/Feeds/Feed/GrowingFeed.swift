package import ImageLoading

/// An incremental parser for a feed that is still being written; it accepts chunks of any size.
///
/// The lines or records are stored in pieces. Full pieces do not change, so adding a line to a feed
/// of a million lines processes at most one piece. Each `Feed` has the items of the previous `Feed`
/// at the same indices and shares their bytes. If a format cannot be read in parts, the feed is
/// created at the end of the input.
package struct GrowingFeed: Sendable {
    private let title: String
    private let base: FeedBase
    private let origin: RequestOrigin
    private let options: FeedOptions
    private let pieceByteCount: Int
    /// The type of the feed, or nil before the first line.
    private var kind: Kind?
    /// The pieces that reached their maximum size.
    private var pieces: [Feed] = []
    /// The lines of the current piece.
    private var lines: [UInt8] = []
    /// The received bytes of an incomplete line.
    private var rest: [UInt8] = []
    /// Whether the current piece starts with the names of columns.
    private var hasHeading = false
    private var remark: String?
    /// Whether bytes are converted to UTF-8 as they arrive.
    private var isConverted = false
    /// The number of bytes in full or removed pieces.
    private var droppedByteCount = 0

    private enum Kind {
        case lines(FeedLineParser)
        /// The parser is nil until there are enough records to detect the fields that contain the
        /// URL and the caption.
        case records(FeedRecords.Format, RecordParser?)
        /// A document that is parsed when it is complete.
        case whole
    }

    /// Creates an empty feed.
    ///
    /// The feed consists of pieces that are parsed separately. After each received chunk of bytes,
    /// the current piece is full if it has at least `pieceByteCount` bytes.
    package init(
        title: String,
        base: FeedBase,
        origin: RequestOrigin,
        options: FeedOptions = FeedOptions(),
        pieceByteCount: Int = 256 << 10
    ) {
        self.title = title
        self.base = base
        self.origin = origin
        self.options = options
        self.pieceByteCount = pieceByteCount
    }

    /// Creates an empty feed for an archive's images; `ArchiveLines` produces its lines.
    ///
    /// `origin` is the origin of the archive. If it is a public server, image requests are not
    /// redirected to private addresses.
    package init(title: String, archive: ArchiveBase, origin: RequestOrigin = .local) {
        self.init(title: title, base: .archive(archive), origin: origin)
        let layout = RecordLayout.object(
            url: RecordPath(ArchiveLines.referenceKey),
            caption: RecordPath(ArchiveLines.captionKey)
        )
        let lineParser = FeedLineParser(base: base, origin: origin)
        kind = .records(.jsonLines, RecordParser(layout: layout, lineParser: lineParser))
    }

    /// Whether a complete line, possibly blank, has arrived since a feed was last created.
    package private(set) var hasNews = false

    /// Adds a chunk of bytes.
    ///
    /// If a line is too long, only the bytes that are needed to detect this are kept.
    package mutating func append(_ bytes: [UInt8]) {
        // The conversion starts after UTF-16 is ruled out.
        let bytes = isConverted ? FeedText.utf8(fromLatin1: bytes) : bytes
        if case .whole? = kind { return lines += bytes }
        let separator = options.endsEntriesWithZero ? 0 : UInt8(ascii: "\n")
        let end = bytes.lastIndex(of: separator).map { $0 + 1 } ?? 0
        if end > 0 {
            lines += rest
            lines += bytes[..<end]
            rest = []
            hasNews = true
        }
        // The start of a line determines its maximum length.
        let tail = bytes[end...]
        let start = tail.prefix(max(0, Self.lineStartByteCount - rest.count))
        rest += start
        rest += tail.dropFirst(start.count).prefix(max(0, maximumLineByteCount + 1 - rest.count))
    }

    private var maximumLineByteCount: Int {
        switch kind {
        case .lines?: FeedLineParser.maximumByteCount(ofLineFrom: lineStart)
        case .records?: RecordParser.maximumRecordByteCount
        // The first line may be a complete document; its parser has its own limit.
        case nil:
            mayBeDocument
                ? .max - 1
                : max(
                    Self.maximumHeadingByteCount,
                    FeedLineParser.maximumByteCount(ofLineFrom: lineStart)
                )
        case .whole?: .max - 1
        }
    }

    private static let maximumHeadingByteCount = 64 << 10
    private static let lineStartByteCount = 64

    /// The start of the incomplete line, without the white space before it.
    private var lineStart: ArraySlice<UInt8> {
        rest.prefix(Self.lineStartByteCount).drop { $0 <= 0x20 }
    }

    /// Whether the start of the first line may be JSON, XML or a byte order mark.
    private var mayBeDocument: Bool {
        let first = rest.prefix(Self.maximumHeadingByteCount).first { $0 > 0x20 }
        guard let first else { return rest.count < Self.maximumHeadingByteCount }
        return [0x5B, 0x7B, 0x3C, 0xEF, 0xFE, 0xFF].contains(first)
    }

    /// Returns the current feed, or nil if the feed contains no image yet.
    ///
    /// A document that cannot be parsed in parts contains no image before its end.
    ///
    /// Throws if the bytes are not a feed.
    package mutating func feed() throws(FeedError) -> Feed? {
        try feed(isEnd: false)
    }

    /// Returns the complete feed, including an unterminated last line.
    ///
    /// Throws if the feed contains no image.
    package mutating func end() throws(FeedError) -> Feed {
        lines += rest
        rest = []
        guard var feed = try feed(isEnd: true) else {
            throw FeedError(name: title, notAFeed: "contains no images")
        }
        feed.isOpen = !feed.nextPages.isEmpty
        return feed
    }

    private mutating func feed(isEnd: Bool) throws(FeedError) -> Feed? {
        var byteCount = 0
        let last = try last(isEnd: isEnd, byteCount: &byteCount)
        if case .whole? = kind { return last }
        let all = pieces + [last].compactMap(\.self)
        if byteCount >= pieceByteCount, isLaidOut {
            pieces = all
            dropFirst(byteCount)
        }
        guard !all.isEmpty else { return nil }
        var feed = Feed(pieces: all, title: title, origin: origin)
        feed.isOpen = true
        feed.remark = remark
        return feed
    }

    private mutating func dropFirst(_ byteCount: Int) {
        lines = Array(lines[byteCount...])
        droppedByteCount += byteCount
        hasHeading = false
    }

    /// Returns the items of the current piece and sets `byteCount` to their length in bytes.
    private mutating func last(
        isEnd: Bool,
        byteCount: inout Int
    ) throws(FeedError) -> Feed? {
        try check()
        hasNews = false
        byteCount = lines.count
        switch kind {
        case .lines(let parser)?:
            let found = FeedLines(lines, endingWithZero: options.endsEntriesWithZero)
            return found.count > 0 ? Feed(lines: found, title: title, parser: parser) : nil
        case .records(let format, let parser)?:
            return try records(format, parser, isEnd: isEnd, byteCount: &byteCount)
        case .whole? where isEnd: return try whole()
        case .whole?, nil: return nil
        }
    }

    /// Removes and returns the complete items.
    ///
    /// A list of any length therefore needs memory for only one piece. At the end, the last item
    /// may be incomplete. Returns nil if there is no item, or if the bytes are a document that
    /// cannot be parsed in parts (`document`). Throws if the bytes are not a feed.
    package mutating func takePiece(isEnd: Bool = false) throws(FeedError) -> ListPiece? {
        guard isEnd || hasNews else { return nil }
        if isEnd {
            lines += rest
            rest = []
        }
        // A caller that parses the whole document may find other content, such as a list of feeds.
        try check()
        guard document == nil else { return nil }
        // After an unclosed quotation mark, the rest must not be parsed again with each piece.
        let isOverlong = lines.count > Self.maximumOpenByteCount
        var byteCount = 0
        let taken = try last(isEnd: isEnd || isOverlong, byteCount: &byteCount)
        guard document == nil, isLaidOut, kind != nil else { return nil }
        let offset = droppedByteCount
        dropFirst(byteCount)
        return taken.map { ListPiece(feed: $0, offset: offset) }
    }

    /// The number of bytes above which the lines cannot be a single incomplete record: twice the
    /// maximum size of a record.
    private static let maximumOpenByteCount = 2 * RecordParser.maximumRecordByteCount

    /// The received bytes of a document, or nil for a list, which is parsed in pieces.
    package var document: [UInt8]? {
        if case .whole? = kind { lines + rest } else { nil }
    }

    /// Returns the complete document after the last chunk has been added, or nil for a list.
    package mutating func documentAtEnd() throws(FeedError) -> [UInt8]? {
        lines += rest
        rest = []
        try check()
        return document
    }

    /// The options for parsing the document.
    ///
    /// If its bytes have already been converted to UTF-8, the options do not convert them again.
    package var documentOptions: FeedOptions {
        var options = options
        if isConverted { options.encoding = .automatic }
        return options
    }

    /// The number of bytes that are held until more bytes arrive.
    package var heldByteCount: Int { lines.count + rest.count }

    /// A remark about the keys or columns in which URLs and captions were detected.
    package var layoutRemark: String? { remark }

    /// Whether the current bytes can become a piece.
    ///
    /// False for records until the fields that contain the URL and the caption have been detected.
    private var isLaidOut: Bool {
        if case .records(_, nil)? = kind { false } else { true }
    }

    /// Returns the complete records, or nil if there are no records or their layout is still
    /// unknown.
    private mutating func records(
        _ format: FeedRecords.Format,
        _ parser: RecordParser?,
        isEnd: Bool,
        byteCount: inout Int
    ) throws(FeedError) -> Feed? {
        let found =
            isEnd
            ? FeedRecords(lines, format)
            : FeedRecords(lines, arriving: format, byteCount: &byteCount)
        guard found.count > 0 else { return nil }
        // A single object may be a document; this is decided at the next line or at the end.
        if pieces.isEmpty, droppedByteCount == 0,
            let list = RecordList(inOnly: found, options: options)
        {
            let followingByteCount = lines.count - byteCount
            byteCount = 0
            guard isEnd || followingByteCount > Self.maximumOpenByteCount else { return nil }
            kind = .whole
            let parser = FeedLineParser(base: base, origin: origin)
            return try Feed(list: list, title: title, parser: parser, options: options)
        }
        var known = parser
        if known == nil {
            let finder = RecordLayoutFinder(records: found, options: options, title: title)
            do throws(FeedError) {
                let result = try finder.find()
                (hasHeading, remark) = (result.hasHeading, result.remark)
                let lineParser = FeedLineParser(base: base, origin: origin)
                known = RecordParser(layout: result.layout, lineParser: lineParser)
                // A heading alone is less informative than the rows below it.
                let isKnown = found.count > (hasHeading ? 1 : 0)
                kind = .records(format, isKnown ? known : nil)
            } catch {
                guard !isEnd, found.count < RecordLayoutFinder.sampleCount else { throw error }
                return nil
            }
        }
        let items = hasHeading ? found.withoutHeading : found
        guard let known, items.count > 0 else { return nil }
        return Feed(records: items, title: title, parser: known)
    }

    private func whole() throws(FeedError) -> Feed {
        try Feed(parsing: lines, title: title, base: base, origin: origin, options: documentOptions)
    }

    /// Detects the format from `lines`, unless the format is already known or `lines` is empty.
    private mutating func check() throws(FeedError) {
        guard kind == nil, !lines.isEmpty else { return }
        if !options.endsEntriesWithZero, FeedText.isUTF16(lines) != nil { return kind = .whole }
        guard options.encoding == .latin1 else {
            // A chunk may end within a multibyte character, so the feed is parsed at the end.
            return kind = options.encoding == .automatic ? try kind(of: lines) : .whole
        }
        let converted = FeedText.utf8(fromLatin1: lines)
        let kind = try kind(of: converted)
        self.kind = kind
        // A document may declare its own encoding, so it is parsed unchanged.
        if case .whole = kind { return }
        (isConverted, lines) = (true, converted)
        rest = FeedText.utf8(fromLatin1: rest)
    }

    private func kind(of bytes: [UInt8]) throws(FeedError) -> Kind {
        if !options.endsEntriesWithZero, FeedDocument.promisesEntries(bytes) { return .whole }
        switch FeedFormat.sniffed(from: bytes, name: title, options: options) {
        case .unusable(let fault): throw FeedError(name: title, notAFeed: fault)
        case .records(.jsonElements), .object, .xml, .page: return .whole
        case .records(let format): return .records(format, nil)
        case .plainText:
            var parser = FeedLineParser(base: base, origin: origin)
            parser.takesWholeLines = options.endsEntriesWithZero
            return .lines(parser)
        }
    }
}
