/// Converts text to the parts of an `ImageURL`, and rejects text that is not strictly valid.
///
/// Foundation's `URL` is not used. It preserves the case of scheme and host, keeps the default
/// port, and rewrites queries: "%zz" becomes "%25zz", which is a different resource on some
/// servers.
enum URLNormalizer {
    struct Parts {
        let scheme: ImageURL.Scheme
        let absoluteString: String
    }

    static func normalize(
        _ text: String,
        origin: RequestOrigin,
        sources: [String: any ImageDataSource] = [:]
    ) throws(ImageLoadingError) -> Parts {
        let trimmed = trimmed(text)
        guard !trimmed.isEmpty else { throw .invalidURL("", because: "empty") }
        var bytes = Array(trimmed.utf8)
        let containsControls = hasControls(bytes)
        if containsControls { bytes.removeAll(where: isLineBreakOrTab) }
        guard let name = schemeName(bytes) else { throw .invalidURL(trimmed, because: "no scheme") }
        let scheme = try scheme(name, origin: origin, sources)
        let limit = scheme == .data ? ImageURL.maximumDataByteCount : ImageURL.maximumByteCount
        guard bytes.count <= limit else {
            throw .invalidURL(trimmed, because: "longer than \(limit) bytes")
        }
        guard !containsControls || !hasControls(bytes) else {
            throw .invalidURL(trimmed, because: "control character")
        }
        let rest = bytes[(name.endIndex + 1)...].prefix { $0 != UInt8(ascii: "#") }
        switch parts(of: scheme, rest: rest) {
        case .success(let parts): return parts
        case .failure(let problem): throw .invalidURL(trimmed, because: problem.text)
        }
    }

    private static func parts(
        of scheme: ImageURL.Scheme,
        rest: ArraySlice<UInt8>
    ) -> Result<Parts, URLProblem> {
        switch scheme {
        case .http, .https: web(scheme, rest)
        case .file: file(rest)
        case .data: data(rest)
        case .source: opaque(scheme, rest)
        }
    }

    /// Returns the text before the first colon if it is a valid scheme (RFC 3986, section 3.1).
    private static func schemeName(_ bytes: [UInt8]) -> ArraySlice<UInt8>? {
        let name = bytes.prefix { $0 != UInt8(ascii: ":") }
        guard name.count < bytes.count, name.first.map(ASCII.isLetter) == true,
            name.allSatisfy({ ASCII.isAlphanumeric($0) || isSchemeSign($0) })
        else { return nil }
        return name
    }

    private static func isSchemeSign(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
    }

    private static func scheme(
        _ name: ArraySlice<UInt8>,
        origin: RequestOrigin,
        _ sources: [String: any ImageDataSource]
    ) throws(ImageLoadingError) -> ImageURL.Scheme {
        let lowercase = String(decoding: ASCII.lowercased(name), as: UTF8.self)
        guard let scheme = ImageURL.Scheme(lowercase, sources: sources),
            origin.allows(scheme) || sources[lowercase]?.isAvailableToRemoteFeeds == true
        else {
            throw ImageLoadingError(
                stage: .request,
                kind: .policy,
                reason: .forbiddenScheme(String(lowercase.prefix(32)))
            )
        }
        return scheme
    }

    private static func web(
        _ scheme: ImageURL.Scheme,
        _ rest: ArraySlice<UInt8>
    ) -> Result<Parts, URLProblem> {
        let (slash, question) = (UInt8(ascii: "/"), UInt8(ascii: "?"))
        let rest = rest.contains(UInt8(ascii: "\\")) ? PercentCoding.withoutBackslashes(rest) : rest
        // Any number of slashes may precede the host.
        guard rest.first == slash else { return .failure(URLProblem("no host")) }
        let authority = rest.drop { $0 == slash }.prefix { $0 != slash && $0 != question }
        return URLAuthority.normalize(authority, scheme: scheme).map { authority in
            let tail = withoutDotSegments(rest[authority.end...])
            var text: [UInt8] = []
            text.reserveCapacity(rest.count + 8)
            text += scheme.text.utf8
            text += "://".utf8
            text += authority.bytes
            if tail.first != UInt8(ascii: "/") { text.append(UInt8(ascii: "/")) }
            PercentCoding.appendEncoded(tail, to: &text)
            return Parts(scheme: scheme, absoluteString: String(decoding: text, as: UTF8.self))
        }
    }

    /// Returns whether a dot or a percent sign follows a slash in the path.
    ///
    /// Few URLs have such a path, and splitting it would cost more than normalizing the other parts
    /// of the URL.
    private static func mayHaveDotSegments(_ tail: ArraySlice<UInt8>) -> Bool {
        var followsSlash = false
        for byte in tail {
            if byte == UInt8(ascii: "?") { return false }
            if followsSlash, byte == UInt8(ascii: ".") || byte == UInt8(ascii: "%") { return true }
            followsSlash = byte == UInt8(ascii: "/")
        }
        return false
    }

    /// Returns the path and the query without "." and ".." segments, including segments with
    /// percent-encoded dots.
    static func withoutDotSegments(_ tail: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard mayHaveDotSegments(tail) else { return tail }
        let path = tail.prefix { $0 != UInt8(ascii: "?") }
        let segments = path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard segments.dropFirst().contains(where: { dots($0) != nil }) else { return tail }
        var kept: [ArraySlice<UInt8>] = []
        for segment in segments.dropFirst() {
            switch dots(segment) {
            case 1: continue
            case 2: _ = kept.popLast()
            default: kept.append(segment)
            }
        }
        if let last = segments.last, dots(last) != nil { kept.append([]) }
        let slash = [UInt8(ascii: "/")]
        return slash + kept.joined(separator: slash) + tail[path.endIndex...]
    }

    /// Returns the number of dots in a segment that consists of one or two dots, or nil.
    private static func dots(_ segment: ArraySlice<UInt8>) -> Int? {
        guard let first = segment.first, first == UInt8(ascii: ".") || first == UInt8(ascii: "%"),
            segment.count <= 6
        else { return nil }
        let text = String(decoding: segment, as: UTF8.self).lowercased().replacing("%2e", with: ".")
        return text == "." ? 1 : text == ".." ? 2 : nil
    }

    /// Parses the forms of RFC 8089: "file:///path", "file://localhost/path" and "file:/path".
    private static func file(_ rest: ArraySlice<UInt8>) -> Result<Parts, URLProblem> {
        var tail = rest
        if rest.starts(with: "//".utf8) {
            let host = rest.dropFirst(2).prefix { $0 != UInt8(ascii: "/") }
            guard host.isEmpty || ASCII.lowercased(host) == Array("localhost".utf8) else {
                return .failure(URLProblem("file on another host"))
            }
            tail = rest[host.endIndex...]
        }
        guard tail.first == UInt8(ascii: "/") else {
            return .failure(URLProblem("file path is not absolute"))
        }
        let path = PercentCoding.decoded(tail.prefix { $0 != UInt8(ascii: "?") })
        guard !path.contains(0) else { return .failure(URLProblem("NUL byte in file path")) }
        var text = Array("file://".utf8)
        PercentCoding.appendEncoded(withoutDotSegments(tail), to: &text)
        return .success(
            Parts(scheme: .file, absoluteString: String(decoding: text, as: UTF8.self))
        )
    }

    private static func data(_ rest: ArraySlice<UInt8>) -> Result<Parts, URLProblem> {
        guard rest.contains(UInt8(ascii: ",")) else {
            return .failure(URLProblem("no comma before the data"))
        }
        let text = Array("data:".utf8) + PercentCoding.encodedNonASCII(rest)
        return .success(
            Parts(scheme: .data, absoluteString: String(decoding: text, as: UTF8.self))
        )
    }

    /// Returns a URL for one of the program's own sources.
    ///
    /// The source interprets the text after the colon itself.
    private static func opaque(
        _ scheme: ImageURL.Scheme,
        _ rest: ArraySlice<UInt8>
    ) -> Result<Parts, URLProblem> {
        guard !rest.isEmpty else { return .failure(URLProblem("nothing after the scheme")) }
        let text = Array("\(scheme.text):".utf8) + PercentCoding.encodedNonASCII(rest)
        return .success(
            Parts(scheme: scheme, absoluteString: String(decoding: text, as: UTF8.self))
        )
    }

    /// Returns the text without surrounding white space.
    ///
    /// White space is rare, so only the first and the last byte are checked in most cases.
    private static func trimmed(_ text: String) -> Substring {
        if text.utf8.first.map(isVisible) == true, text.utf8.last.map(isVisible) == true {
            return text[...]
        }
        let scalars = text.unicodeScalars
        let start = scalars.firstIndex { !$0.properties.isWhitespace } ?? scalars.endIndex
        let end = scalars[start...].lastIndex { !$0.properties.isWhitespace }
        return end.map { text[start...$0] } ?? ""
    }

    private static func isVisible(_ byte: UInt8) -> Bool { byte > 0x20 && byte < 0x7F }

    /// Returns whether the URL standard removes the byte anywhere in a URL.
    static func isLineBreakOrTab(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
    }

    /// Returns whether the text contains a control character (below 0x20, or 0x7F to 0x9F).
    private static func hasControls(_ bytes: [UInt8]) -> Bool {
        var last: UInt8 = 0
        for byte in bytes {
            if byte < 0x20 || byte == 0x7F || last == 0xC2 && byte < 0xA0 { return true }
            last = byte
        }
        return false
    }
}

/// The reason why a string is not a valid URL.
struct URLProblem: Error {
    let text: String

    init(_ text: String) {
        self.text = text
    }
}

extension RequestOrigin {
    /// Returns whether requests with this origin may use a scheme.
    ///
    /// A feed from the network must not make the program open local files. A source can allow its
    /// own scheme for such feeds (`ImageDataSource.isAvailableToRemoteFeeds`).
    func allows(_ scheme: ImageURL.Scheme) -> Bool {
        switch scheme {
        case .http, .https, .data: true
        case .file, .source: self == .local
        }
    }
}

extension ImageLoadingError {
    /// Creates an error with the text of an invalid URL.
    ///
    /// The text is truncated and stripped of secrets, because it is shown on a screen and logged.
    package static func invalidURL(
        _ text: some StringProtocol,
        because problem: String
    ) -> ImageLoadingError {
        let shown = String(URLParts.redacted(String(text)).unicodeScalars.prefix(100))
        return ImageLoadingError(
            stage: .request,
            kind: .permanent,
            reason: .invalidURL(shown.isEmpty ? problem : "\(shown) (\(problem))")
        )
    }
}
