internal import CFeedLibraries

/// Reads the nodes of an XML or HTML document, one at a time.
///
/// The reader does not fetch anything that a document references. It does not expand entities that
/// the document defines, so a document of 1 kB cannot become 1 GB. Reading stops at elements that
/// are nested deeper than libxml2 allows.
///
/// Reading blocks the thread.
package struct MarkupReader: ~Copyable {
    /// The name of an element, with the usual prefix of its namespace.
    package struct Name: Hashable, Sendable {
        /// The usual prefix of the namespace, such as "media" or "dc"; empty for RSS elements.
        package let prefix: String
        package let local: String
    }

    package enum Node {
        /// The start of an element; its attributes are available until the next node is read.
        case start(Name, isEmpty: Bool)
        case text(String)
        case end(Name)
    }

    /// The depth at which libxml2 stops reading HTML and broken XML.
    private static let deepestNode = 254

    /// The error thrown if libxml2 is not installed.
    package struct Unavailable: Error {}

    /// Calls `read` and replaces the error for a missing libxml2 with an error that names
    /// `language` and the package to install.
    package static func reading<Result>(
        _ language: String,
        _ read: () throws(Unavailable) -> Result
    ) throws(FeedDocumentFault) -> Result {
        do throws(Unavailable) {
            return try read()
        } catch {
            throw FeedDocumentFault(
                text: "\(language) needs libxml2.so.2 or libxml2.so.16: install libxml2"
            )
        }
    }

    private let reader: OpaquePointer
    /// The limits that were reached before or while reading.
    package private(set) var reached: ReachedLimits
    private var prefixes: [String: String] = [:]

    /// Calls `body` with a strict XML reader and returns the result of `body`.
    ///
    /// Reading stops at the first error. Returns nil if the document is empty or cannot be opened.
    @discardableResult
    package static func withXML<Result>(
        _ bytes: [UInt8],
        _ body: (inout MarkupReader) -> Result
    ) throws(Unavailable) -> Result? {
        try with(BoundedMarkup(bytes, .xml), open: cfl_markup_open_xml, body: body)
    }

    /// Calls `body` with a reader that recovers as much as possible from broken XML and returns the
    /// result of `body`.
    ///
    /// Reading takes several times as much memory as the document itself. Returns nil if the
    /// document is empty or cannot be opened.
    @discardableResult
    package static func withBrokenXML<Result>(
        _ bytes: [UInt8],
        _ body: (inout MarkupReader) -> Result
    ) throws(Unavailable) -> Result? {
        try with(BoundedMarkup(bytes, .xml), open: cfl_markup_open_broken_xml, body: body)
    }

    /// Calls `body` with a reader for an HTML page or fragment and returns the result of `body`.
    ///
    /// The encoding is UTF-8 unless `encoding` specifies otherwise. Returns nil if the document is
    /// empty or cannot be opened.
    package static func withHTML<Result>(
        _ bytes: [UInt8],
        encoding: String? = "UTF-8",
        _ body: (inout MarkupReader) -> Result
    ) throws(Unavailable) -> Result? {
        try with(
            BoundedMarkup(bytes, .html),
            open: { cfl_markup_open_html($0, $1, encoding) },
            body: body
        )
    }

    private static func with<Result>(
        _ markup: BoundedMarkup,
        open: (UnsafePointer<CChar>, CInt) -> OpaquePointer?,
        body: (inout MarkupReader) -> Result
    ) throws(Unavailable) -> Result? {
        guard cfl_markup_is_available() else { throw Unavailable() }
        guard let count = CInt(exactly: markup.bytes.count), count > 0 else { return nil }
        return markup.bytes.withUnsafeBytes { buffer -> Result? in
            let start = buffer.assumingMemoryBound(to: CChar.self).baseAddress
            guard let start, let pointer = open(start, count) else { return nil }
            var reader = MarkupReader(reader: pointer, reached: markup.reached)
            return body(&reader)
        }
    }

    private init(reader: OpaquePointer, reached: ReachedLimits) {
        (self.reader, self.reached) = (reader, reached)
    }

    deinit {
        cfl_markup_close(reader)
    }

    /// Returns the next node, or nil at the end or if nothing more can be read.
    package mutating func next() -> Node? {
        while cfl_markup_next(reader) == 1 {
            switch cfl_markup_node_kind(reader) {
            case cfl_markup_start:
                if depth >= Self.deepestNode { reached.insert(.nesting) }
                return .start(name(), isEmpty: cfl_markup_is_empty(reader))
            case cfl_markup_text: return .text(Self.text(cfl_markup_value(reader)))
            case cfl_markup_end: return .end(name())
            default: continue
            }
        }
        return nil
    }

    /// Returns the attributes of the last start node by name, such as "href" or "xml:base".
    package func attributes() -> [String: String] {
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

    /// The number of elements that enclose the current node.
    package var depth: Int { Int(cfl_markup_depth(reader)) }

    /// The line number of the first XML error, or nil if no error occurred.
    package var brokenLine: Int? {
        let line = Int(cfl_markup_broken_line(reader))
        return line > 0 ? line : nil
    }

    private mutating func name() -> Name {
        let local = Self.text(cfl_markup_local_name(reader))
        if let namespace = cfl_markup_namespace(reader) {
            return Name(prefix: prefix(of: namespace), local: local)
        }
        // Some feeds use a prefix without declaring it; libxml2 then includes the prefix in the
        // name.
        guard let colon = local.firstIndex(of: ":") else {
            return Name(prefix: Self.text(cfl_markup_prefix(reader)), local: local)
        }
        return Name(
            prefix: String(local[..<colon]),
            local: String(local[local.index(after: colon)...])
        )
    }

    /// Returns the usual prefix of a namespace.
    ///
    /// The result is empty for RSS. If the namespace is unknown, the result is the namespace
    /// itself. The comparison is lenient, because feeds write namespaces with https, with different
    /// capitalization, or without the final slash.
    private static func usualPrefix(of namespace: String) -> String {
        let parts = namespace.trimmed.lowercased().split(separator: "/")
        let isWeb = parts.first == "http:" || parts.first == "https:"
        let path = parts.dropFirst(isWeb ? 1 : 0).joined(separator: "/")
        return switch path.hasSuffix("#") ? String(path.dropLast()) : path {
        case "www.w3.org/2005/atom", "purl.org/atom/ns": "atom"
        case "purl.org/rss/1.0", "my.netscape.com/rdf/simple/0.9", "backend.userland.com/rss2": ""
        case "www.w3.org/1999/02/22-rdf-syntax-ns": "rdf"
        case "search.yahoo.com/mrss", "www.rssboard.org/media-rss": "media"
        case "purl.org/dc/elements/1.1", "purl.org/dc/terms": "dc"
        case "purl.org/rss/1.0/modules/content": "content"
        case "www.itunes.com/dtds/podcast-1.0.dtd": "itunes"
        case "www.w3.org/1999/xhtml": "html"
        default: namespace
        }
    }

    /// Returns the usual prefix of a namespace, using a cache of at most 64 namespaces.
    private mutating func prefix(of namespace: UnsafePointer<CChar>) -> String {
        let namespace = Self.text(namespace)
        if let known = prefixes[namespace] { return known }
        if prefixes.count >= 64 { prefixes = [:] }
        let prefix = Self.usualPrefix(of: namespace)
        prefixes[namespace] = prefix
        return prefix
    }

    private static func text(_ string: UnsafePointer<CChar>?) -> String {
        string.map { String(cString: $0) } ?? ""
    }
}
