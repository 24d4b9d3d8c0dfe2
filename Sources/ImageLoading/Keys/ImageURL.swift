internal import FoundationEssentials

/// A URL that passed every check and is written in one way only.
///
/// Two spellings of one address are equal if they differ in the case of scheme or host, in the
/// default port, in an empty path or in the fragment. Path and query are never touched, except
/// that spaces and non-ASCII bytes are percent-encoded, so that the text is plain ASCII.
public struct ImageURL: Hashable, Sendable {
    /// The schemes there are loaders for.
    public enum Scheme: Hashable, Sendable {
        /// Plain HTTP.
        case http
        /// HTTP over TLS.
        case https
        /// A local file.
        case file
        /// The picture itself, inside the URL.
        case data
        /// A file in an archive on this machine.
        case archive
        /// One of the program's own, in lower case (`ImageManagerConfiguration.sources`).
        case source(String)

        /// The scheme as it stands before the colon.
        public var text: String {
            switch self {
            case .http: "http"
            case .https: "https"
            case .file: "file"
            case .data: "data"
            case .archive: ArchivedFile.scheme
            case .source(let name): name
            }
        }

        init?(_ text: String, sources: Set<String>) {
            switch text {
            case "http": self = .http
            case "https": self = .https
            case "file": self = .file
            case "data": self = .data
            case ArchivedFile.scheme: self = .archive
            case let name where sources.contains(name): self = .source(name)
            default: return nil
            }
        }
    }

    /// The longest text accepted in bytes, `data:` apart; servers refuse more as well.
    public static let maximumByteCount = 8 << 10
    /// The longest `data:` URL accepted in bytes: 64 MiB in base 64 and its head.
    public static let maximumDataByteCount = 88 << 20

    /// The scheme.
    public let scheme: Scheme
    /// The whole URL, normalised, ASCII only, without a fragment.
    ///
    /// What is sent and hashed.
    public let absoluteString: String
    /// What the caches, the memory of failures and the sharing of loads take the picture for; nil
    /// for the URL itself.
    public var cacheName: String?

    /// Checks and normalises `text`, which may have white space around it.
    ///
    /// Errors are of stage `request`: `forbiddenScheme` (kind `policy`) for a scheme that `origin`
    /// may not use, else `invalidURL` (kind `permanent`) with the text, cut to a line, and why.
    public init(parsing text: String, origin: RequestOrigin) throws(ImageLoadingError) {
        try self.init(parsing: text, origin: origin, sources: [])
    }

    /// As above, also for the schemes that the program has `sources` of its own for, in lower case.
    ///
    /// Only what the person wrote down may use those.
    init(
        parsing text: String,
        origin: RequestOrigin,
        sources: Set<String>
    ) throws(ImageLoadingError) {
        let parts = try URLNormaliser.normalise(text, origin: origin, sources: sources)
        scheme = parts.scheme
        absoluteString = parts.absoluteString
    }

    /// The `file:` URL of an absolute path; nil if the path is relative or has a NUL in it.
    public init?(filePath path: String) {
        guard path.utf8.first == UInt8(ascii: "/"), !path.utf8.contains(0) else { return nil }
        scheme = .file
        absoluteString = PercentCoding.fileURL(path: path.utf8)
    }

    /// The percent-decoded path of a `file:` URL, always absolute; nil for other schemes.
    ///
    /// What is not UTF-8 in it is shown as U+FFFD. The file itself is found by its bytes.
    public var filePath: String? {
        filePathBytes.map { String(decoding: $0, as: UTF8.self) }
    }

    /// The bytes of the path of a `file:` URL.
    var filePathBytes: [UInt8]? {
        guard scheme == .file else { return nil }
        let path = absoluteString.utf8.dropFirst("file://".utf8.count)
        return PercentCoding.decoded(path.prefix { $0 != UInt8(ascii: "?") })
    }

    /// What an `archive:` URL names; nil for other schemes.
    var archivedFile: ArchivedFile? {
        scheme == .archive ? ArchivedFile(url: absoluteString) : nil
    }

    /// What follows the last dot of the path's last component, as written in the URL; nil if there
    /// is nothing.
    ///
    /// Unlike 3.x's it never comes out of the query or the host.
    public var pathExtension: String? {
        guard scheme != .data else { return nil }
        let path = URLParts(absoluteString).path.utf8
        let component = path.reversed().prefix { $0 != UInt8(ascii: "/") }
        let reversedExtension = component.prefix { $0 != UInt8(ascii: ".") }
        // The dot must be there, and something before it: ".jpg" is a hidden file's name.
        guard !reversedExtension.isEmpty, reversedExtension.count + 1 < component.count else {
            return nil
        }
        return String(decoding: Array(reversedExtension.reversed()), as: UTF8.self)
    }

    /// What the memory cache files the picture under: `cacheName`, else the URL, or for `data:` its
    /// digest, so that keys stay small.
    public var cacheKey: String {
        if let cacheName { return cacheName }
        guard scheme == .data else { return absoluteString }
        let digest = MessageDigest.md5(absoluteString)
        return "data:\(digest.hexadecimal)-\(absoluteString.utf8.count)"
    }

    /// What the disk cache files the picture under: `cacheName`, else the URL.
    var fileKey: String { cacheName ?? absoluteString }

    /// The host without port, user and password; nil for `file:` and `data:`.
    public var host: String? {
        guard let authority, let colon = authority.lastIndex(of: ":"),
            authority[colon...].dropFirst().allSatisfy(\.isNumber)
        else { return authority }
        return String(authority[..<colon])
    }

    /// Host and port, which is left out if it is the scheme's own.
    var authority: String? {
        switch scheme {
        case .http, .https: break
        case .source(let name) where RemoteArchivedFile.schemes.contains(name): break
        case .file, .data, .archive, .source: return nil
        }
        return URLParts(absoluteString).hostAndPort.map(String.init)
    }
}

extension ImageURL: CustomStringConvertible {
    /// The normalised text.
    public var description: String { absoluteString }
}

extension ImageURL {
    /// The bytes inside a `data:` URL (RFC 2397); nil for other schemes.
    ///
    /// The media type is ignored, as the bytes say what they are. Base 64 that isn't any is an
    /// error of stage `request`, no bytes at all is `emptyBody`.
    public func inlineBody() throws(ImageLoadingError) -> [UInt8]? {
        guard scheme == .data, let comma = absoluteString.utf8.firstIndex(of: UInt8(ascii: ","))
        else { return nil }
        let head = absoluteString.utf8[..<comma]
        let content = PercentCoding.decoded(
            absoluteString.utf8[absoluteString.utf8.index(after: comma)...]
        )
        let isBase64 = ASCII.lowercased(head.suffix(7)) == Array(";base64".utf8)
        guard let bytes = isBase64 ? Self.base64Decoded(content) : content else {
            throw .invalidURL(absoluteString, because: "bad base 64")
        }
        guard !bytes.isEmpty else {
            throw ImageLoadingError(stage: .request, kind: .permanent, reason: .emptyBody)
        }
        return bytes
    }

    /// White space and missing padding are forgiven, as browsers do.
    private static func base64Decoded(_ text: [UInt8]) -> [UInt8]? {
        var digits = text.filter { !" \t\r\n\u{C}".utf8.contains($0) }
        if digits.last != UInt8(ascii: "=") {
            digits += [UInt8](repeating: UInt8(ascii: "="), count: (4 - digits.count % 4) % 4)
        }
        return Data(base64Encoded: Data(digits)).map { Array($0) }
    }
}
