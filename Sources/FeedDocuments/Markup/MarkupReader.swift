internal import CFeedLibraries

/// Reads XML or HTML node by node.
///
/// Nothing that a document names is fetched, and entities that it defines stay out: a document of
/// 1 kB can't become one of 1 GB. Elements that lie deeper than libxml2 goes end the reading.
///
/// Blocks for as long as reading takes.
struct MarkupReader: ~Copyable {
    /// An element's name; its namespace as documents usually abbreviate it.
    struct Name: Hashable, Sendable {
        /// "media", "dc"; empty for elements of the document's own format.
        let prefix: String
        let local: String
    }

    enum Node {
        /// Attributes are to be had until the next node is asked for.
        case start(Name, isEmpty: Bool)
        case text(String)
        case end(Name)
    }

    /// Why nothing can be read: libxml2 is missing.
    struct Unavailable: Error {}

    /// Reads a document, or says what is missing for its language.
    static func reading<Result>(
        _ language: String,
        _ read: () throws(Unavailable) -> Result
    ) throws(FeedDocumentFault) -> Result {
        do throws(Unavailable) {
            return try read()
        } catch {
            throw FeedDocumentFault(
                text: "\(language) needs libxml2: install the package libxml2"
            )
        }
    }

    private let reader: OpaquePointer

    /// Reads with a reader of XML, which ends at the first thing that is wrong.
    @discardableResult
    static func withXML<Result>(
        _ bytes: [UInt8],
        _ body: (inout MarkupReader) -> Result
    ) throws(Unavailable) -> Result? {
        try with(bytes, cfl_markup_open_xml, body)
    }

    /// Reads with a reader of whatever can be made of XML that is not as it should be; takes several
    /// times the memory of the bytes.
    @discardableResult
    static func withBrokenXML<Result>(
        _ bytes: [UInt8],
        _ body: (inout MarkupReader) -> Result
    ) throws(Unavailable) -> Result? {
        try with(bytes, cfl_markup_open_broken_xml, body)
    }

    /// Reads with a reader of HTML, a page or a piece of one, in UTF-8 unless it says otherwise.
    static func withHTML<Result>(
        _ bytes: [UInt8],
        encoding: String? = "UTF-8",
        _ body: (inout MarkupReader) -> Result
    ) throws(Unavailable) -> Result? {
        try with(bytes, { cfl_markup_open_html($0, $1, encoding) }, body)
    }

    private static func with<Result>(
        _ bytes: [UInt8],
        _ open: (UnsafePointer<CChar>, CInt) -> OpaquePointer?,
        _ body: (inout MarkupReader) -> Result
    ) throws(Unavailable) -> Result? {
        guard cfl_markup_is_available() else { throw Unavailable() }
        guard let count = CInt(exactly: bytes.count), count > 0 else { return nil }
        return bytes.withUnsafeBytes { buffer -> Result? in
            let start = buffer.assumingMemoryBound(to: CChar.self).baseAddress
            guard let start, let reader = open(start, count) else { return nil }
            var markup = MarkupReader(reader: reader)
            return body(&markup)
        }
    }

    private init(reader: OpaquePointer) {
        self.reader = reader
    }

    deinit {
        cfl_markup_close(reader)
    }

    /// The next node; nil at the end, or where nothing more can be made out.
    mutating func next() -> Node? {
        while cfl_markup_next(reader) == 1 {
            switch cfl_markup_node_kind(reader) {
            case cfl_markup_start: return .start(name, isEmpty: cfl_markup_is_empty(reader))
            case cfl_markup_text: return .text(Self.text(cfl_markup_value(reader)))
            case cfl_markup_end: return .end(name)
            default: continue
            }
        }
        return nil
    }

    /// Attributes of the start that came last, by their names without a namespace.
    func attributes() -> [String: String] {
        var attributes: [String: String] = [:]
        while cfl_markup_next_attribute(reader) {
            let prefix = Self.text(cfl_markup_prefix(reader))
            let local = Self.text(cfl_markup_local_name(reader))
            let name = prefix.isEmpty || prefix == "xmlns" ? local : "\(prefix):\(local)"
            attributes[name] = attributes[name] ?? Self.text(cfl_markup_value(reader))
        }
        cfl_markup_leave_attributes(reader)
        return attributes
    }

    /// How many elements the present node lies in.
    var depth: Int { Int(cfl_markup_depth(reader)) }

    /// The line on which XML broke off; nil if it has not.
    var brokenLine: Int? {
        let line = Int(cfl_markup_broken_line(reader))
        return line > 0 ? line : nil
    }

    private var name: Name {
        let local = Self.text(cfl_markup_local_name(reader))
        if let namespace = cfl_markup_namespace(reader) {
            return Name(prefix: Self.usualPrefix(of: Self.text(namespace)), local: local)
        }
        // A prefix that is not declared, which some feeds write, is part of the name.
        guard let colon = local.firstIndex(of: ":") else {
            return Name(prefix: Self.text(cfl_markup_prefix(reader)), local: local)
        }
        return Name(
            prefix: String(local[..<colon]),
            local: String(local[local.index(after: colon)...])
        )
    }

    /// Namespaces that feeds use; those of the formats themselves have none.
    private static func usualPrefix(of namespace: String) -> String {
        switch namespace {
        case "http://www.w3.org/2005/Atom", "http://purl.org/atom/ns#": "atom"
        case "http://purl.org/rss/1.0/", "http://my.netscape.com/rdf/simple/0.9/",
            "http://backend.userland.com/rss2":
            ""
        case "http://www.w3.org/1999/02/22-rdf-syntax-ns#": "rdf"
        case "http://search.yahoo.com/mrss/", "http://search.yahoo.com/mrss",
            "http://www.rssboard.org/media-rss":
            "media"
        case "http://purl.org/dc/elements/1.1/", "http://purl.org/dc/terms/": "dc"
        case "http://purl.org/rss/1.0/modules/content/": "content"
        case "http://www.itunes.com/dtds/podcast-1.0.dtd": "itunes"
        case "http://www.w3.org/1999/xhtml": "html"
        default: namespace
        }
    }

    private static func text(_ string: UnsafePointer<CChar>?) -> String {
        string.map { String(cString: $0) } ?? ""
    }
}
