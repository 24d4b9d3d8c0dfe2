/// What the relative lines of a feed are relative to.
public enum FeedBase: Hashable, Sendable {
    /// A folder, by its absolute path: lines are paths, taken literally.
    case directory(String)
    /// The feed's own `http` or `https` URL: lines are URL references (RFC 3986 section 5).
    case url(String)

    /// The absolute URL for a line without a scheme.
    func resolve(_ reference: String) -> String {
        switch self {
        case .directory(let directory):
            let path = reference.hasPrefix("/") ? reference : directory + "/" + reference
            return PercentEncoding.fileURL(path: PathSegments.normalised(path))
        case .url(let base):
            return PercentEncoding.tidied(Self.resolve(reference, against: base))
        }
    }

    private static func resolve(_ reference: String, against base: String) -> String {
        guard let colon = base.firstIndex(of: ":") else { return reference }
        // Bytes, not characters: a slash is one with an accent behind it.
        let bytes = reference.utf8
        if bytes.starts(with: "//".utf8) { return base[...colon] + reference }
        let (origin, path) = split(base, afterScheme: colon)
        guard let first = bytes.first else { return base }
        if first == UInt8(ascii: "#") { return base.prefix { $0 != "#" } + reference }
        if first == UInt8(ascii: "?") { return origin + path + reference }
        let end = bytes.firstIndex { "?#".utf8.contains($0) } ?? reference.endIndex
        let (target, tail) = (reference[..<end], reference[end...])
        let folder = String(path[...lastSlash(path)])
        let merged = first == UInt8(ascii: "/") ? String(target) : folder + target
        return origin + PathSegments.normalised(merged) + tail
    }

    /// Cuts "http://host:1/a/b?q" into "http://host:1" and "/a/b".
    private static func split(
        _ base: String,
        afterScheme colon: String.Index
    ) -> (origin: String, path: String) {
        let whole = base.prefix { $0 != "?" && $0 != "#" }
        let authority = whole[colon...].dropFirst(3)
        guard let slash = authority.firstIndex(of: "/") else { return (String(whole), "/") }
        return (String(whole[..<slash]), String(whole[slash...]))
    }

    private static func lastSlash(_ path: String) -> String.Index {
        path.lastIndex(of: "/") ?? path.startIndex
    }
}

/// Paths without dot segments.
enum PathSegments {
    /// Takes "." and ".." out of an absolute path (RFC 3986 section 5.2.4); never climbs above "/".
    static func normalised(_ path: String) -> String {
        var kept: [Substring] = []
        let segments = path.utf8
            .split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            .dropFirst().map { Substring($0) }
        for segment in segments {
            switch segment {
            case ".": continue
            case "..": _ = kept.popLast()
            default: kept.append(segment)
            }
        }
        if let last = segments.last, last == "." || last == ".." { kept.append("") }
        return "/" + kept.joined(separator: "/")
    }
}
