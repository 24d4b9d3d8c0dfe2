package import ImageLoading

/// A parser for the lines of a plain-text feed.
package struct FeedLineParser: Sendable {
    /// The maximum length of a line in bytes.
    package static let maximumLineByteCount = 8 << 10

    package let base: FeedBase
    package let origin: RequestOrigin
    /// Whether each line is one path or URL, without a caption.
    package var takesWholeLines = false

    /// Returns the item for a line, which must not be blank or a comment.
    package func item(_ line: some Collection<UInt8>) -> FeedItem {
        guard line.count <= Self.maximumLineByteCount else {
            let start = URLParts.withoutLogin(String(decoding: line.prefix(60), as: UTF8.self))
            return FeedItem(
                url: start,
                caption: start + "…",
                problem: "line is longer than 8 KiB"
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
            // The URL standard removes these three, wherever they are.
            let kept = target.unicodeScalars.filter { !"\t\n\r".unicodeScalars.contains($0) }
            guard kept.count == target.unicodeScalars.count else {
                return item(target: String(kept), caption: caption)
            }
            return unusable(target, caption: caption, problem: "control character in URL")
        }
        guard let schemeByteCount else {
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
        let url = scheme == "data" ? target : PercentCoding.tidied(target)
        return FeedItem(url: url, caption: caption)
    }

    /// Returns whether an entry is a file path that is used byte for byte.
    ///
    /// A path from `find -print0` may contain line breaks and any other character of a file name.
    private func isPath(hasScheme: Bool) -> Bool {
        guard takesWholeLines, !hasScheme, case .directory = base else { return false }
        return true
    }

    /// Returns the absolute form of a URL in a document; nil if the URL is invalid or not
    /// permitted.
    package func allowed(_ address: String) -> String? {
        let item = item(target: base.withScheme(address), caption: nil)
        return item.problem == nil ? item.url : nil
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

    /// Returns whether a scalar is a control character (Unicode category Cc).
    ///
    /// The category never changes, so its ranges are written here. Looking up the category in a
    /// table takes ten times as long.
    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
    }

    /// Returns a caption without surrounding Unicode white space, or nil if nothing remains.
    private static func caption(_ text: String) -> String? {
        let text = text.trimmed
        return text.isEmpty ? nil : FileText.shown(text)
    }
}

/// The location to which relative URLs and paths in a feed are relative.
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
}
