internal import FeedDocuments
public import ImageLoading

/// A feed that is still being written: takes its bytes as they come, however they are cut.
///
/// Its lines or records lie in pieces that are never touched again once they are full, so that a feed
/// of a million lines grows by one at the cost of one piece. Each `Feed` that it makes has the items of
/// the one before at the same indices, and shares their bytes. What can only be read as a whole is a
/// feed at its end.
public struct GrowingFeed: Sendable {
    private let title: String
    private let base: FeedBase
    private let origin: RequestOrigin
    private let options: FeedOptions
    private let pieceByteCount: Int
    /// Nil as long as no line has come.
    private var kind: Kind?
    /// Full pieces.
    private var pieces: [Feed] = []
    /// The lines of the piece that still grows.
    private var lines: [UInt8] = []
    /// The line of which the end has not come.
    private var rest: [UInt8] = []
    /// Whether the piece that still grows begins with the names of columns.
    private var hasHeading = false
    private var remark: String?
    /// Whether the bytes are made UTF-8 as they come.
    private var isConverted = false
    /// Bytes of pieces that are full, or were taken.
    private var droppedByteCount = 0

    private enum Kind {
        case lines(FeedLineParser)
        /// The parser is there when enough records have come to know what they are.
        case records(FeedRecords.Format, RecordParser?)
        /// Bytes that are read when all have come.
        case whole
    }

    /// Makes an empty feed; a piece holds `pieceByteCount` bytes and what came with the last of them.
    public init(
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

    /// Makes an empty feed of the pictures in an archive, of which `ArchiveLines` makes the lines.
    ///
    /// `origin` is the archive's writer: pictures on a public server must not be redirected to a private
    /// address.
    public init(title: String, archive: ArchiveBase, origin: RequestOrigin = .local) {
        self.init(title: title, base: .archive(archive), origin: origin)
        let layout = RecordLayout.object(
            url: RecordPath(ArchiveLines.referenceKey),
            caption: RecordPath(ArchiveLines.captionKey)
        )
        let lineParser = FeedLineParser(base: base, origin: origin)
        kind = .records(.jsonLines, RecordParser(layout: layout, lineParser: lineParser))
    }

    /// Whether there is a whole line that no feed has yet, blank or not.
    public private(set) var hasNews = false

    /// Takes the next bytes.
    ///
    /// Of a line that is too long to be used only as much is kept as tells that.
    public mutating func append(_ bytes: [UInt8]) {
        // Not before it is known that it isn't UTF-16.
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
        rest += bytes[end...].prefix(max(0, maximumLineByteCount + 1 - rest.count))
    }

    private var maximumLineByteCount: Int {
        switch kind {
        case .lines?: FeedLineParser.maximumLineByteCount
        case .records?: RecordParser.maximumRecordByteCount
        // The first line may be a whole document; who reads it has a limit.
        case nil: mayBeDocument ? .max - 1 : Self.maximumHeadingByteCount
        case .whole?: .max - 1
        }
    }

    private static let maximumHeadingByteCount = 64 << 10

    /// Whether what has come of the first line begins as JSON and XML do, or with a mark.
    private var mayBeDocument: Bool {
        let first = rest.first { $0 > 0x20 }
        return first.map { [0x5B, 0x7B, 0x3C, 0xEF, 0xFE, 0xFF].contains($0) } ?? true
    }

    /// The feed as far as it has come, open; nil as long as it names no picture.
    ///
    /// Throws if the bytes as a whole are no feed.
    public mutating func feed() throws(FeedError) -> Feed? {
        try feed(isEnd: false)
    }

    /// The whole feed, with the last line, which may lack its end; throws if it names no picture.
    public mutating func end() throws(FeedError) -> Feed {
        lines += rest
        rest = []
        guard var feed = try feed(isEnd: true) else {
            throw FeedError(name: title, fault: "contains no images")
        }
        feed.isOpen = !feed.nextPages.isEmpty
        return feed
    }

    private mutating func feed(isEnd: Bool) throws(FeedError) -> Feed? {
        var byteCount = 0
        let last = try last(isEnd: isEnd, byteCount: &byteCount)
        if case .whole? = kind { return last }
        let all = last.map { pieces + [$0] } ?? pieces
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

    /// The items of the piece that still grows, and how many bytes they are.
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
        case .whole?: return isEnd ? try whole() : nil
        case nil: return nil
        }
    }

    // MARK: - Piece by piece

    /// Takes the items out that have come whole: a list of any length needs the memory of a piece.
    ///
    /// At the end also the last, which may lack its own; nil if there is none, or if it is a document that
    /// can only be read as a whole (`document`). Throws if the bytes are no feed.
    public mutating func takePiece(isEnd: Bool = false) throws(FeedError) -> ListPiece? {
        if isEnd {
            lines += rest
            rest = []
        }
        // Whoever reads a document as a whole may find more in it than a feed: other feeds.
        try check()
        guard document == nil else { return nil }
        // A quotation mark that is never closed: what follows it must not be kept, and read again,
        // with each piece.
        let isOverlong = lines.count > Self.maximumOpenByteCount
        var byteCount = 0
        let taken = try last(isEnd: isEnd || isOverlong, byteCount: &byteCount)
        guard document == nil, isLaidOut, kind != nil else { return nil }
        let offset = droppedByteCount
        dropFirst(byteCount)
        return taken.map { ListPiece(feed: $0, offset: offset) }
    }

    /// More than a record may have, so that none is cut that can be read.
    private static let maximumOpenByteCount = 2 * RecordParser.maximumRecordByteCount

    /// All bytes so far of what is no list, and has to be read as a whole.
    public var document: [UInt8]? {
        if case .whole? = kind { lines + rest } else { nil }
    }

    /// The same once no more bytes come.
    public mutating func documentAtEnd() throws(FeedError) -> [UInt8]? {
        lines += rest
        rest = []
        try check()
        return document
    }

    /// How a document is read: what was made UTF-8 already is not made so again.
    public var documentOptions: FeedOptions {
        var options = options
        if isConverted { options.encoding = .automatic }
        return options
    }

    /// Bytes that wait for what follows them.
    public var heldByteCount: Int { lines.count + rest.count }

    /// What was found and not said, in words: where the addresses are.
    public var layoutRemark: String? { remark }

    /// Whether what has come can be made a piece.
    private var isLaidOut: Bool {
        if case .records(_, nil)? = kind { false } else { true }
    }

    /// The records that have come whole; nil if there is none.
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
        // One object may be all there is: it is known by the next line, or by the end.
        if pieces.isEmpty, droppedByteCount == 0,
            let list = RecordList(inOnly: found, options: options)
        {
            byteCount = 0
            guard isEnd else { return nil }
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
                // A heading alone says less than the rows below it.
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
        let options = documentOptions
        return try Feed(parsing: lines, title: title, base: base, origin: origin, options: options)
    }

    /// Looks once at how the bytes begin.
    private mutating func check() throws(FeedError) {
        guard kind == nil, !lines.isEmpty else { return }
        if !options.endsEntriesWithZero, FeedText.isUTF16(lines) != nil { return kind = .whole }
        guard options.encoding == .latin1 else { return kind = try kind(of: lines) }
        let converted = FeedText.utf8(fromLatin1: lines)
        let kind = try kind(of: converted)
        self.kind = kind
        // A document may say itself in which encoding it is, and is read as it came.
        if case .whole = kind { return }
        (isConverted, lines) = (true, converted)
        rest = FeedText.utf8(fromLatin1: rest)
    }

    private func kind(of bytes: [UInt8]) throws(FeedError) -> Kind {
        if !options.endsEntriesWithZero, FeedDocument.promisesEntries(bytes) { return .whole }
        switch FeedFormat.sniffed(from: bytes, name: title, options: options) {
        case .unusable(let fault): throw FeedError(name: title, fault: fault)
        case .records(.jsonElements), .object, .xml, .page: return .whole
        case .records(let format): return .records(format, nil)
        case .plainText:
            var parser = FeedLineParser(base: base, origin: origin)
            parser.takesWholeLines = options.endsEntriesWithZero
            return .lines(parser)
        }
    }
}
