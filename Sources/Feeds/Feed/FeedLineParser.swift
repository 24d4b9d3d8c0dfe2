package import ImageLoading
internal import SystemSupport

/// Parses the lines of a plain-text feed.
package struct FeedLineParser: Sendable {
    /// The maximum length of a line in bytes.
    package static let maximumLineByteCount = 8 << 10

    /// Returns the maximum length in bytes of a line that starts with `start`.
    ///
    /// A `data:` URL contains an image and may be as long as a record.
    package static func maximumByteCount(ofLineFrom start: some Collection<UInt8>) -> Int {
        // For most lines, checking the first byte avoids creating the arrays.
        guard start.first?.lowercasedASCII == UInt8(ascii: "d"),
            start.prefix(5).map(\.lowercasedASCII) == Array("data:".utf8)
        else { return maximumLineByteCount }
        return RecordParser.maximumRecordByteCount
    }

    package let base: FeedBase
    package let origin: RequestOrigin
    /// Whether each line is a single path or URL without a caption.
    package var takesWholeLines = false

    /// Returns the item for a line, which must not be blank or a comment.
    package func item(_ line: some Collection<UInt8>) -> FeedItem {
        let limit = Self.maximumByteCount(ofLineFrom: line)
        guard line.count <= limit else {
            let start = URLParts.withoutLogin(String(decoding: line.prefix(60), as: UTF8.self))
            let length = limit > Self.maximumLineByteCount ? "2 MiB" : "8 KiB"
            return FeedItem(
                url: start,
                caption: start + "…",
                problem: "line is longer than \(length)"
            )
        }
        return Array(line).withUnsafeBufferPointer { bytes in
            let parts = takesWholeLines ? LineParts(whole: bytes) : LineParts(bytes)
            let caption = parts.caption.map { FileText.text(bytes[$0]) }
            return item(
                target: FileText.text(bytes[parts.target]),
                caption: caption.flatMap(Self.caption)
            )
        }
    }

    /// Returns the item for a URL or path and its caption.
    ///
    /// If `target` is invalid or not permitted, the item has a `problem`.
    package func item(target: String, caption: String?) -> FeedItem {
        switch base {
        case .tree(let root): return FeedItem(path: target, below: root)
        case .archive(let archive): return archive.item(target, caption: caption)
        case .directory, .url: break
        }
        let schemeByteCount = LineParts.schemeByteCount(of: target.utf8)
        guard
            isPath(hasScheme: schemeByteCount != nil)
                || !target.unicodeScalars.contains(where: Self.isControl)
        else {
            // The URL standard removes these three characters anywhere in a URL.
            let kept = target.unicodeScalars.filter { !"\t\n\r".unicodeScalars.contains($0) }
            guard kept.count == target.unicodeScalars.count else {
                return item(target: String(kept), caption: caption)
            }
            return unusable(target, caption: caption, problem: "control character in URL")
        }
        guard let schemeByteCount, !base.isReference(target, schemeByteCount: schemeByteCount)
        else {
            return FeedItem(url: base.resolve(target), caption: caption)
        }
        let scheme = String(decoding: target.utf8.prefix(schemeByteCount), as: UTF8.self)
            .lowercased()
        if let problem = problem(scheme: scheme, url: target) {
            let isHTTP = scheme == "http" || scheme == "https"
            return unusable(
                target,
                caption: caption,
                problem: problem,
                forbiddenScheme: isHTTP ? nil : scheme
            )
        }
        let url =
            switch scheme {
            case "data": target
            case "http", "https":
                PercentCoding.tidied(Self.webURL(target, schemeByteCount: schemeByteCount))
            default: PercentCoding.tidied(target)
            }
        return FeedItem(url: url, caption: caption)
    }

    /// Returns a web URL with slashes instead of backslashes, and with two slashes before the host.
    ///
    /// The image loader makes the same changes later. The parser must make them too, because the
    /// host of the URL determines which site's rules are followed.
    private static func webURL(_ url: String, schemeByteCount: Int) -> String {
        let url = PercentCoding.withoutBackslashes(url)
        let rest = url.utf8.dropFirst(schemeByteCount + 1)
        let host = rest.drop { $0 == UInt8(ascii: "/") }
        guard url.utf8.distance(from: rest.startIndex, to: host.startIndex) != 2 else { return url }
        return "\(url[..<rest.startIndex])//\(Substring(host))"
    }

    /// Returns whether an entry is a file path that is used byte for byte.
    ///
    /// A path from `find -print0` may contain line breaks and any other character of a file name.
    private func isPath(hasScheme: Bool) -> Bool {
        guard takesWholeLines, !hasScheme, case .directory = base else { return false }
        return true
    }

    /// Returns the absolute form of a URL in a document, or nil if the URL is invalid or not
    /// permitted.
    package func allowed(_ address: String) -> String? {
        let item = item(target: base.withScheme(address), caption: nil)
        return item.problem == nil ? item.url : nil
    }

    /// Returns the URLs that a relative URL may refer to: resolved with the parser's base, and with
    /// each of `bases`.
    ///
    /// The result is empty if the URL is absolute, or if all bases result in the same URL.
    func alternatives(to address: String, _ bases: @autoclosure () -> [FeedBase]) -> [String] {
        guard LineParts.schemeByteCount(of: address.utf8) == nil, !address.hasPrefix("//"),
            let own = allowed(address)
        else { return [] }
        let urls = bases().map { base in
            base == self.base ? own : FeedLineParser(base: base, origin: origin).allowed(address)
        }
        guard urls.contains(where: { $0 != own }) else { return [] }
        return [own] + urls.map { $0 ?? own }
    }

    private func unusable(
        _ target: String,
        caption: String?,
        problem: String,
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
            // The code processes bytes, because a combining character after the colon would form
            // one character with it.
            let rest = url.utf8.dropFirst(scheme.utf8.count + 1)
            let isSlash = { (byte: UInt8) in
                byte == UInt8(ascii: "/") || byte == UInt8(ascii: "\\")
            }
            guard rest.first.map(isSlash) == true, let host = rest.drop(while: isSlash).first,
                !"?#".utf8.contains(host),
                host != UInt8(ascii: ":") || url.utf8.contains(UInt8(ascii: "@"))
            else { return "no host in URL" }
            return nil
        case "data": return nil
        case "file":
            guard origin.isRemote else { return nil }
            return "file: is not allowed in a feed from the network"
        default:
            return "unknown scheme \(scheme):"
        }
    }

    /// Returns whether a scalar is a control character (Unicode category Cc).
    ///
    /// The category never changes, so its ranges are hard-coded. Looking up the category in a table
    /// takes ten times as long.
    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
    }

    /// Returns a caption without surrounding Unicode white space, or nil if nothing remains.
    private static func caption(_ text: String) -> String? {
        let text = text.trimmed
        return text.isEmpty ? nil : FileText.shown(text)
    }
}

/// The base for resolving relative URLs and paths in a feed.
package enum FeedBase: Hashable, Sendable {
    /// The absolute path of a folder: lines are literal paths, byte for byte.
    case directory(String)
    /// The `http` or `https` URL of the feed: lines are URL references (RFC 3986, section 5).
    case url(String)
    /// The absolute path of a folder: lines are paths of files in the folder.
    case tree(String)
    /// An archive: lines are references to files in the archive.
    case archive(ArchiveBase)

    /// Returns the absolute URL for a line without a scheme.
    package func resolve(_ reference: String) -> String {
        switch self {
        case .archive(let archive): return archive.item(reference, caption: nil).url
        case .directory(let directory), .tree(let directory):
            let isAbsolute = reference.utf8.first == UInt8(ascii: "/")
            let path = isAbsolute ? reference : directory + "/" + reference
            let bytes = FileText.bytes(of: URLParts.removingDotSegments(from: path))
            return PercentCoding.fileURL(path: bytes)
        case .url(let base):
            return PercentCoding.tidied(URLParts(base).resolving(reference))
        }
    }

    /// Returns whether a URL with a scheme is relative to the base, as in "http:x.png".
    fileprivate func isReference(_ url: String, schemeByteCount: Int) -> Bool {
        guard case .url(let base) = self, url.utf8.first?.lowercasedASCII == UInt8(ascii: "h"),
            !url.utf8.dropFirst(schemeByteCount + 1).starts(with: "//".utf8)
        else { return false }
        return URLParts.relativePart(of: url, scheme: URLParts(base).scheme ?? "") != nil
    }
}

extension FeedBase {
    /// The URL of a feed from the network, or nil for a local feed.
    package var address: String? {
        if case .url(let address) = self { address } else { nil }
    }

    /// Returns the base for relative URLs in a document that specifies `address` as its page or
    /// base URL.
    ///
    /// Only web URLs are accepted, so no document from the network can refer to files. If a feed
    /// was saved as a file, its base is the page of the feed, because the images are not stored
    /// next to the file. If a feed is from the network, its base is its own URL unless `isExplicit`
    /// is set.
    package func moved(to address: String?, isExplicit: Bool = false) -> FeedBase {
        if case .url = self, !isExplicit { return self }
        return address.flatMap { link($0) }.map { .url($0) } ?? self
    }

    /// Returns the absolute URL of a link, or nil if the link is not an `http` or `https` URL.
    package func link(_ reference: String) -> String? {
        let reference = withScheme(reference)
        let address =
            switch self {
            case _ where LineParts.schemeByteCount(of: reference.utf8) != nil: reference
            case .url(let base): URLParts(base).resolving(reference)
            case .directory, .tree, .archive: reference
            }
        let start = address.prefix(8).lowercased()
        guard start.hasPrefix("http://") || start.hasPrefix("https://") else { return nil }
        return PercentCoding.tidied(address)
    }

    /// Returns the path that a relative URL in a saved page refers to.
    ///
    /// Other URLs are returned unchanged. The query and the fragment are removed. The path is
    /// percent-decoded, because a page contains percent-encoded URLs, unlike the file names in
    /// other feeds.
    package func pathInPage(_ address: String) -> String {
        guard case .directory = self, LineParts.schemeByteCount(of: address.utf8) == nil,
            !address.hasPrefix("//")
        else { return address }
        return PercentCoding.decoded(address.prefix { $0 != "?" && $0 != "#" })
    }

    /// Adds `https:` to a URL such as "//host" in a saved page.
    ///
    /// Such a URL refers to the web even though the page is a file.
    package func withScheme(_ address: String) -> String {
        guard case .directory = self, address.hasPrefix("//") else { return address }
        return "https:" + address
    }
}
