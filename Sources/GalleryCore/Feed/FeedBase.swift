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

/// Percent-encoding as RFC 3986 section 2.1 has it.
enum PercentEncoding {
    /// Decodes `%XX`; what isn't a valid escape stays, invalid UTF-8 is repaired.
    static func decoded(_ text: String) -> String {
        let bytes = Array(text.utf8)
        var decoded: [UInt8] = []
        var index = 0
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count,
                let high = Character(Unicode.Scalar(bytes[index + 1])).hexDigitValue,
                let low = Character(Unicode.Scalar(bytes[index + 2])).hexDigitValue
            {
                decoded.append(UInt8(high << 4 | low))
                index += 3
            } else {
                decoded.append(bytes[index])
                index += 1
            }
        }
        return String(decoding: decoded, as: UTF8.self)
    }

    /// A `file:` URL for an absolute path; every byte of the path is meant literally, `%` too.
    static func fileURL(path: String) -> String {
        "file://" + encoded(path) { isPathByte($0) }
    }

    /// Encodes what may not stand raw in a URL (spaces, quotes, non-ASCII), as browsers do when a
    /// person types one; escapes that are there stay.
    static func tidied(_ url: String) -> String {
        encoded(url) { $0 > 0x20 && $0 < 0x7F && !unsafe.contains($0) }
    }

    private static let unsafe = Set("\"<>\\^`{|}".utf8)
    private static let pathPunctuation = Set("/-._~!$&'()*+,;=:@".utf8)

    private static func isPathByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: pathPunctuation.contains(byte)
        }
    }

    private static func encoded(_ text: String, keeping isKept: (UInt8) -> Bool) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            if isKept(byte) {
                bytes.append(byte)
            } else {
                bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
