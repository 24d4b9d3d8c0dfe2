/// The parts of an absolute or relative URL, as written.
///
/// RFC 3986, appendix B:
///
///     https://user:password@host:81/a/b.jpg?query#fragment
///     scheme  authority            path     query fragment
///
/// Every string can be split into these parts. Nothing is decoded or checked; `ImageURL` does that.
/// The text is split at bytes instead of characters, because a slash followed by a combining accent
/// is one character.
package struct URLParts: Sendable {
    /// The scheme as written, without the colon; nil if there is no scheme.
    package let scheme: Substring?
    /// The text between "//" and the path, including user and password; nil if there is no "//".
    package let authority: Substring?
    /// The path, which may be empty.
    package let path: Substring

    private let text: Substring

    package init(_ text: String) {
        var text = text
        let cuts = text.withUTF8 { Cuts($0) }
        let utf8 = text.utf8
        let part = { (range: Range<Int>) in
            let start = utf8.index(utf8.startIndex, offsetBy: range.lowerBound)
            return text[start..<utf8.index(start, offsetBy: range.count)]
        }
        self.text = text[...]
        scheme = cuts.scheme.map(part)
        authority = cuts.authority.map(part)
        path = part(cuts.path)
    }

    /// The byte ranges of the parts.
    ///
    /// Searching bytes is fast, which matters for lists with many URLs.
    private struct Cuts {
        var scheme: Range<Int>?
        var authority: Range<Int>?
        let path: Range<Int>

        init(_ bytes: UnsafeBufferPointer<UInt8>) {
            let (colon, slash) = (UInt8(ascii: ":"), UInt8(ascii: "/"))
            let isTail = { (byte: UInt8) in byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#") }
            let end = bytes.firstIndex(where: isTail) ?? bytes.count
            var start = 0
            let nameEnd = bytes[..<end].firstIndex { !URLParts.mayBeInScheme($0) } ?? end
            if nameEnd > 0, nameEnd < end, ASCII.isLetter(bytes[0]), bytes[nameEnd] == colon {
                scheme = 0..<nameEnd
                start = nameEnd + 1
            }
            if start + 2 <= end, bytes[start] == slash, bytes[start + 1] == slash {
                let first = start + 2
                start = bytes[first..<end].firstIndex(of: slash) ?? end
                authority = first..<start
            }
            path = start..<end
        }
    }

    /// The host and port, without user and password.
    ///
    /// In normalized URLs, different servers have different values.
    package var hostAndPort: Substring? {
        authority.map { authority in
            guard let at = authority.utf8.lastIndex(of: UInt8(ascii: "@")) else { return authority }
            return authority[authority.utf8.index(after: at)...]
        }
    }

    private static func mayBeInScheme(_ byte: UInt8) -> Bool {
        ASCII.isAlphanumeric(byte) || "+-.".utf8.contains(byte)
    }
}

// MARK: - References

extension URLParts {
    /// Resolves a reference against this web URL (RFC 3986, section 5.2, and the URL standard).
    ///
    /// If this URL has no scheme, or if the reference is absolute, the reference is returned. Path
    /// and query stay as written, except for "." and ".." segments, backslashes in the path, tabs
    /// and line breaks.
    package func resolving(_ reference: String) -> String {
        let reference = Self.cleaned(reference)
        guard let scheme, let relative = Self.relativePart(of: reference, scheme: scheme) else {
            return reference
        }
        return resolving(relative: PercentCoding.withoutBackslashes(relative), scheme: scheme)
    }

    private func resolving(relative reference: String, scheme: Substring) -> String {
        let bytes = reference.utf8
        if bytes.starts(with: "//".utf8) { return "\(scheme):\(reference)" }
        let origin = authority.map { "\(scheme)://\($0)" } ?? "\(scheme):"
        let ownPath = path.isEmpty ? "/" : path
        switch bytes.first {
        case nil: return String(text)
        case UInt8(ascii: "#"): return Self.withoutFragment(text) + reference
        case UInt8(ascii: "?"): return origin + ownPath + reference
        default: break
        }
        let end = bytes.firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }
        let target = reference[..<(end ?? reference.endIndex)]
        let tail = reference[target.endIndex...]
        let isAbsolute = target.utf8.first == UInt8(ascii: "/")
        let merged = isAbsolute ? String(target) : Self.folder(of: ownPath) + target
        let resolved = URLNormalizer.withoutDotSegments(Array(merged.utf8)[...])
        return origin + String(decoding: resolved, as: UTF8.self) + tail
    }

    /// Returns the reference without its scheme, or nil if the reference is an absolute URL.
    ///
    /// "http:x.png" is relative to all http URLs, but "http://x.png" is not.
    package static func relativePart(of reference: String, scheme: some StringProtocol) -> String? {
        guard reference.utf8.contains(UInt8(ascii: ":")) else { return reference }
        let parts = URLParts(reference)
        guard let own = parts.scheme else { return reference }
        let name = own.lowercased()
        guard parts.authority == nil, name == "http" || name == "https",
            name == scheme.lowercased()
        else { return nil }
        return String(reference.utf8.dropFirst(own.utf8.count + 1))
    }

    /// Removes tabs and line breaks, and the spaces around a reference.
    private static func cleaned(_ reference: String) -> String {
        let isPlain = reference.utf8.allSatisfy { $0 > 0x20 }
        guard !isPlain else { return reference }
        let kept = reference.utf8.filter { !URLNormalizer.isLineBreakOrTab($0) }
        let start = kept.drop { $0 == 0x20 }
        let end = start.lastIndex { $0 != 0x20 }.map { $0 + 1 } ?? start.startIndex
        return String(decoding: start[..<end], as: UTF8.self)
    }

    /// Removes "." and ".." segments from the absolute path of a file.
    ///
    /// If a ".." would lead above "/", it has no effect. Unlike in a URL
    /// (`URLNormalizer.withoutDotSegments`), "%2e" is a name and not a dot.
    package static func removingDotSegments(from path: String) -> String {
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

    /// Returns the path up to and including the last slash.
    private static func folder(of path: Substring) -> String {
        let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
        return slash.map { String(path[...$0]) } ?? "/"
    }

    private static func withoutFragment(_ text: Substring) -> String {
        String(text[..<(text.utf8.firstIndex(of: UInt8(ascii: "#")) ?? text.endIndex)])
    }
}

// MARK: - Secrets

extension URLParts {
    /// Returns the parts of a URL that may be shown on a screen or in a log: scheme, host and path.
    ///
    /// User name, password, query and control characters are removed. The query may contain the
    /// secret of a signed URL. If the text is not a URL, everything that might be a password is
    /// removed.
    package static func redacted(_ url: String) -> String {
        // Leading white space and uppercase letters are accepted.
        let url = url.drop(while: \.isWhitespace)
        guard url.prefix(5).lowercased() != "data:" else { return "data:" }
        let beforeQuery = url.prefix { $0 != "?" && $0 != "#" }
        let printable = beforeQuery.filter { character in
            character.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
        }
        guard let slashes = printable.firstRange(of: "://") else {
            return String(printable.split(separator: "@").last ?? "")
        }
        let authority = printable[slashes.upperBound...].prefix { $0 != "/" }
        guard let at = authority.lastIndex(of: "@") else {
            return isHostAndPort(authority) ? printable : "\(printable[..<slashes.upperBound])…"
        }
        return String(printable[..<slashes.upperBound] + printable[printable.index(after: at)...])
    }

    /// Removes the user name and the password from a URL; the rest stays as written.
    ///
    /// Use this function for reports that programs read, because the query may distinguish images.
    /// A string that is not a URL may contain a password anywhere, so all secrets are removed as in
    /// `redacted`.
    package static func withoutLogin(_ url: String) -> String {
        guard url.utf8.contains(UInt8(ascii: "@")) else { return url }
        let parts = URLParts(url)
        let scheme = parts.scheme?.lowercased()
        guard scheme != "data", scheme != "file" else { return url }
        guard let authority = parts.authority, let host = parts.hostAndPort, isHostAndPort(host)
        else { return redacted(url) }
        return String(url[..<authority.startIndex] + host + url[authority.endIndex...])
    }

    /// Returns whether the text is a host with an optional port.
    ///
    /// If the text after the last colon is not a number, it is the beginning of a password that
    /// contains a slash or a question mark.
    private static func isHostAndPort(_ authority: Substring) -> Bool {
        guard authority.last != "]", let colon = authority.lastIndex(of: ":") else { return true }
        return authority[colon...].dropFirst().allSatisfy(\.isNumber)
    }
}
