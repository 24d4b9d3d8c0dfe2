internal import ImageLoading

/// Turns one line of a plain text feed into an item.
struct FeedLineParser: Sendable {
    /// The longest line that is read, in bytes.
    static let maximumLineByteCount = 8 << 10

    let base: FeedBase
    let origin: RequestOrigin

    /// The item a line stands for; the line is not blank and no comment.
    func item(_ line: some Collection<UInt8>) -> FeedItem {
        guard line.count <= Self.maximumLineByteCount else {
            let start = URLParts.withoutLogin(String(decoding: line.prefix(60), as: UTF8.self))
            return FeedItem(
                url: start,
                caption: start + "…",
                problem: "line is longer than 8 KiB"
            )
        }
        let (target, caption) = Self.split(FileText.text(line)[...])
        return item(target: String(target), caption: caption.map(FileText.shown))
    }

    private func item(target: String, caption: String?) -> FeedItem {
        guard !target.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
        else { return unusable(target, caption, "control character in URL") }
        guard let scheme = Self.scheme(of: target) else {
            return FeedItem(url: base.resolve(target), caption: caption)
        }
        if let problem = problem(scheme: scheme, url: target) {
            let isHTTP = scheme == "http" || scheme == "https"
            return unusable(target, caption, problem, forbiddenScheme: isHTTP ? nil : scheme)
        }
        let url = scheme == "data" ? target : PercentCoding.tidied(target)
        return FeedItem(url: url, caption: caption)
    }

    private func unusable(
        _ target: String,
        _ caption: String?,
        _ problem: String,
        forbiddenScheme: String? = nil
    ) -> FeedItem {
        FeedItem(
            url: FileText.shown(target),
            caption: caption,
            problem: problem,
            forbiddenScheme: forbiddenScheme
        )
    }

    private func problem(scheme: String, url: String) -> String? {
        switch scheme {
        case "http", "https":
            // Bytes, not characters: a joiner behind the colon would be one with it.
            let rest = url.utf8.dropFirst(scheme.utf8.count + 1)
            guard rest.starts(with: "//".utf8), let host = rest.dropFirst(2).first,
                !"/?#:".utf8.contains(host)
            else { return "no host in URL" }
            return nil
        case "file", "data":
            guard origin.isRemote else { return nil }
            return "\(scheme): is not allowed in a feed from the network"
        default:
            return "unknown scheme \(scheme):"
        }
    }

    /// The scheme in lower case; nil for a path.
    ///
    /// As RFC 3986 section 4.2 advises, a file whose name looks like one is written "./a:b.jpg".
    private static func scheme(of text: String) -> String? {
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let name = text[..<colon]
        guard let first = name.first, first.isASCII, first.isLetter,
            name.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) })
        else { return nil }
        return name.lowercased()
    }

    /// Cuts a line at its first white space.
    ///
    /// A path with spaces is quoted, or followed by a tab.
    private static func split(_ line: Substring) -> (target: Substring, caption: String?) {
        let end: Substring.Index
        if line.first == "\"", let quote = line.dropFirst().firstIndex(of: "\"") {
            return (line[..<quote].dropFirst(), caption(line[line.index(after: quote)...]))
        } else if scheme(of: String(line)) == nil, let tab = line.firstIndex(of: "\t") {
            end = tab
        } else {
            end = line.firstIndex { $0 == " " || $0 == "\t" } ?? line.endIndex
        }
        return (line[..<end], caption(line[end...]))
    }

    private static func caption(_ rest: Substring) -> String? {
        let start = rest.drop { $0.isWhitespace }
        guard let last = start.lastIndex(where: { !$0.isWhitespace }) else { return nil }
        return String(start[...last])
    }
}

/// What the relative lines of a feed are relative to.
public enum FeedBase: Hashable, Sendable {
    /// A folder, by its absolute path: lines are paths, taken literally, byte for byte.
    case directory(String)
    /// The feed's own `http` or `https` URL: lines are URL references (RFC 3986 section 5).
    case url(String)

    /// The absolute URL for a line without a scheme.
    func resolve(_ reference: String) -> String {
        switch self {
        case .directory(let directory):
            let isAbsolute = reference.utf8.first == UInt8(ascii: "/")
            let path = isAbsolute ? reference : directory + "/" + reference
            let bytes = FileText.bytes(of: URLParts.removingDotSegments(from: path))
            return PercentCoding.fileURL(path: bytes)
        case .url(let base):
            return PercentCoding.tidied(URLParts(base).resolving(reference))
        }
    }
}
