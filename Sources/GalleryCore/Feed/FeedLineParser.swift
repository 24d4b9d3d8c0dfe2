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
            let start = String(decoding: line.prefix(60), as: UTF8.self)
            return FeedItem(
                url: start,
                caption: start + "…",
                problem: "line is longer than 8 KiB"
            )
        }
        let text = String(decoding: line, as: UTF8.self)
        let (target, caption) = Self.split(text[...])
        return item(target: String(target), caption: caption)
    }

    private func item(target: String, caption: String?) -> FeedItem {
        guard !target.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
        else { return FeedItem(url: target, caption: caption, problem: "control character in URL") }
        guard let scheme = Self.scheme(of: target) else {
            return FeedItem(url: base.resolve(target), caption: caption)
        }
        if let problem = problem(scheme: scheme, url: target) {
            return FeedItem(url: target, caption: caption, problem: problem)
        }
        let url = scheme == "data" ? target : PercentEncoding.tidied(target)
        return FeedItem(url: url, caption: caption)
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
