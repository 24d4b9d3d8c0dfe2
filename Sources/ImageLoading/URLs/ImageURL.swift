internal import Decoders

/// A valid, normalized URL.
///
/// A URL is normalized as in browsers (the URL standard), so different spellings become equal. The
/// scheme and host are converted to lowercase, the host to ASCII, and IP addresses to their usual
/// form. The default port, the fragment and the "." and ".." path segments are removed. Spaces,
/// non-ASCII bytes and a few other characters in the path and query are percent-encoded.
public struct ImageURL: Hashable, Sendable {
    /// The schemes of URLs that can be loaded.
    public enum Scheme: Hashable, Sendable {
        /// Plain HTTP.
        case http
        /// HTTP over TLS.
        case https
        /// A local file.
        case file
        /// Image data in the URL itself.
        case data
        /// The lowercase scheme of one of the program's own sources
        /// (`ImageManagerConfiguration.sources`).
        case source(String)

        /// The scheme as written before the colon.
        public var text: String {
            switch self {
            case .http: "http"
            case .https: "https"
            case .file: "file"
            case .data: "data"
            case .source(let name): name
            }
        }

        init?(_ text: String, sources: [String: any ImageDataSource]) {
            switch text {
            case "http": self = .http
            case "https": self = .https
            case "file": self = .file
            case "data": self = .data
            case let name where sources[name] != nil: self = .source(name)
            default: return nil
            }
        }
    }

    /// The maximum length of a URL in bytes, except for `data:` URLs.
    ///
    /// Servers reject longer URLs too.
    public static let maximumByteCount = 8 << 10
    /// The maximum length of a `data:` URL in bytes: a header and 64 MiB of data in base64.
    public static let maximumDataByteCount = 88 << 20

    /// The scheme.
    public let scheme: Scheme
    /// The complete normalized URL, in ASCII and without a fragment.
    ///
    /// This string is sent in requests and hashed for cache keys.
    public let absoluteString: String
    /// The name of the image in the caches and in the list of remembered failures.
    ///
    /// Loads with the same name share one transfer. If nil, the URL is used instead.
    public var cacheName: String?

    /// Creates a URL from `text`, which may be surrounded by white space.
    ///
    /// All errors have the stage `request`. If `origin` may not use the scheme, the reason is
    /// `forbiddenScheme` (kind `policy`). Otherwise, it is `invalidURL` (kind `permanent`), with an
    /// explanation and the text truncated to one line.
    public init(parsing text: String, origin: RequestOrigin) throws(ImageLoadingError) {
        try self.init(parsing: text, origin: origin, sources: [:])
    }

    /// Creates a URL; also accepts the lowercase schemes in `sources`.
    init(
        parsing text: String,
        origin: RequestOrigin,
        sources: [String: any ImageDataSource]
    ) throws(ImageLoadingError) {
        let parts = try URLNormalizer.normalize(text, origin: origin, sources: sources)
        scheme = parts.scheme
        absoluteString = parts.absoluteString
    }

    /// Creates the `file:` URL of an absolute path.
    ///
    /// Returns nil if the path is relative or contains a NUL character.
    public init?(filePath path: String) {
        guard path.utf8.first == UInt8(ascii: "/"), !path.utf8.contains(0) else { return nil }
        scheme = .file
        absoluteString = PercentCoding.fileURL(path: path.utf8)
    }

    /// The percent-decoded, absolute path of a `file:` URL; nil for other schemes.
    ///
    /// Bytes that are not UTF-8 appear as U+FFFD. The file is opened using the original bytes.
    public var filePath: String? {
        filePathBytes.map { String(decoding: $0, as: UTF8.self) }
    }

    /// The bytes of the path of a `file:` URL; nil for other schemes.
    var filePathBytes: [UInt8]? {
        guard scheme == .file else { return nil }
        let path = absoluteString.utf8.dropFirst("file://".utf8.count)
        return PercentCoding.decoded(path.prefix { $0 != UInt8(ascii: "?") })
    }

    /// The text after the last dot in the last component of the path, as written in the URL; nil if
    /// there is no extension.
    ///
    /// Unlike in SDWebImage 3.x, the extension is never taken from the query or the host.
    public var pathExtension: String? {
        guard scheme != .data else { return nil }
        let path = URLParts(absoluteString).path.utf8
        let component = path.reversed().prefix { $0 != UInt8(ascii: "/") }
        let reversedExtension = component.prefix { $0 != UInt8(ascii: ".") }
        // There must be a dot with text before it, because ".jpg" is the name of a hidden file.
        guard !reversedExtension.isEmpty, reversedExtension.count + 1 < component.count else {
            return nil
        }
        return String(decoding: Array(reversedExtension.reversed()), as: UTF8.self)
    }

    /// The key of the image in the memory cache.
    ///
    /// It is `cacheName` if that is set, and otherwise the URL. A `data:` URL is replaced by its
    /// digest, so keys stay small.
    public var cacheKey: String {
        if let cacheName { return cacheName }
        guard scheme == .data else { return absoluteString }
        let digest = MessageDigest.md5(absoluteString)
        return "data:\(digest.hexadecimal)-\(absoluteString.utf8.count)"
    }

    /// The key of the image in the disk cache: `cacheName` if it is set, otherwise the URL.
    var fileKey: String { cacheName ?? absoluteString }

    /// The host without port, user and password; nil if the scheme has no host (`file:` and
    /// `data:`).
    ///
    /// A scheme of the program's own sources has a host if it ends with `+http` or `+https`.
    public var host: String? {
        guard let authority, let colon = authority.lastIndex(of: ":"),
            authority[colon...].dropFirst().allSatisfy(\.isNumber)
        else { return authority }
        return String(authority[..<colon])
    }

    /// The host and port; nil if the scheme has no host.
    ///
    /// The port is omitted if it is the default port of the scheme.
    var authority: String? {
        switch scheme {
        case .http, .https: break
        case .source(let name) where name.hasSuffix("+http") || name.hasSuffix("+https"): break
        case .file, .data, .source: return nil
        }
        return URLParts(absoluteString).hostAndPort.map(String.init)
    }
}

extension ImageURL: CustomStringConvertible {
    /// The normalized URL as a string.
    public var description: String { absoluteString }
}

extension ImageURL {
    /// Returns the bytes in a `data:` URL (RFC 2397), or nil for other schemes.
    ///
    /// The media type is ignored, because the format is detected from the bytes. Throws
    /// `invalidURL` if the base64 is invalid, and `emptyBody` if there are no bytes, both with
    /// stage `request`.
    public func inlineBody() throws(ImageLoadingError) -> [UInt8]? {
        guard scheme == .data, let comma = absoluteString.utf8.firstIndex(of: UInt8(ascii: ","))
        else { return nil }
        let head = absoluteString.utf8[..<comma]
        let content = PercentCoding.decoded(
            absoluteString.utf8[absoluteString.utf8.index(after: comma)...]
        )
        let isBase64 = ASCII.lowercased(head.suffix(7)) == Array(";base64".utf8)
        guard let bytes = isBase64 ? Base64.decode(content) : content else {
            throw .invalidURL(absoluteString, because: "bad base 64")
        }
        guard !bytes.isEmpty else {
            throw ImageLoadingError(stage: .request, kind: .permanent, reason: .emptyBody)
        }
        return bytes
    }
}
