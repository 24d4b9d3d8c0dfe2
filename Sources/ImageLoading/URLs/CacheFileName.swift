public import Decoders

/// The name of a URL's file in the disk cache.
///
/// The name consists of 32 lowercase hexadecimal digits of the URL's digest (MD5 by default),
/// followed by the URL's extension if it has 1 to 8 ASCII letters or digits.
///
///     http://a.example/x.jpg?q=a/b.c  ->  c7529f60e5cf8d1f19442a9a57f22e5a.jpg
///
/// A value takes 24 bytes without a heap allocation, because a large cache stores one name for each
/// of its files.
public struct CacheFileName: Hashable, Sendable {
    private let digest: MessageDigest
    /// The extension: up to eight ASCII characters, with the first character in the highest byte.
    ///
    /// Unused bytes are zero.
    private let packedExtension: UInt64

    /// Creates the name of a URL's file; if the URL has a `cacheName`, the name is derived from it.
    public init(_ url: ImageURL, naming: CacheFileNaming = .md5) {
        digest =
            switch naming {
            case .md5: MessageDigest.md5(url.fileKey)
            case .sha256: MessageDigest.sha256(url.fileKey)
            }
        packedExtension = url.pathExtension.flatMap { Self.packed($0.utf8) } ?? 0
    }

    /// Creates a name without an extension from a digest that does not belong to a URL.
    init(digest: MessageDigest) {
        self.digest = digest
        packedExtension = 0
    }

    /// Parses a file name; returns nil if the cache never creates a file with this name.
    ///
    /// Other files in a directory are therefore not mistaken for files of the cache.
    public init?(parsing name: String) {
        let digits = Array(name.utf8.prefix(32))
        guard digits.count == 32, digits.allSatisfy(Self.isLowercaseHexadecimal) else { return nil }
        let text = String(decoding: digits, as: UTF8.self)
        guard let high = UInt64(text.prefix(16), radix: 16),
            let low = UInt64(text.suffix(16), radix: 16)
        else { return nil }
        let rest = name.utf8.dropFirst(32)
        guard rest.isEmpty || rest.first == UInt8(ascii: ".") else { return nil }
        guard let packed = rest.isEmpty ? 0 : Self.packed(rest.dropFirst()) else { return nil }
        digest = MessageDigest(high: high, low: low)
        packedExtension = packed
    }

    /// Returns the name of the URL's file as a string.
    public static func name(for url: ImageURL) -> String {
        CacheFileName(url).description
    }

    /// Returns the packed extension, or nil if it does not match `[A-Za-z0-9]{1,8}`.
    private static func packed(_ text: some Collection<UInt8>) -> UInt64? {
        guard (1...8).contains(text.count), text.allSatisfy(ASCII.isAlphanumeric) else {
            return nil
        }
        let value = text.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return value << (8 * (8 - text.count))
    }

    private static func isLowercaseHexadecimal(_ byte: UInt8) -> Bool {
        ASCII.isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
    }
}

extension CacheFileName: CustomStringConvertible {
    /// The file name as a string.
    public var description: String {
        guard packedExtension != 0 else { return digest.hexadecimal }
        let text = String(unsafeUninitializedCapacity: 8) { buffer in
            var (rest, count) = (packedExtension, 0)
            while rest != 0 {
                buffer[count] = UInt8(truncatingIfNeeded: rest >> 56)
                (rest, count) = (rest << 8, count + 1)
            }
            return count
        }
        return digest.hexadecimal + "." + text
    }
}

/// How file names are derived from URLs.
///
/// A cache uses one method for all its files. If the method changes, existing files are no longer
/// found and are eventually evicted as the least recently used files.
public enum CacheFileNaming: Hashable, Sendable {
    /// MD5, as in SDWebImage 3.x.
    ///
    /// It is possible to create two URLs with the same MD5 digest. They share a file name but never
    /// get each other's image, because each entry identifies its URL.
    case md5
    /// The first 32 digits of SHA-256; no two URLs with the same digits are known.
    case sha256
}

/// The key of a decoded image in memory; a URL may have images of several sizes.
public struct ImageKey: Hashable, Sendable {
    /// The URL's `cacheKey`.
    public let url: String
    /// The box that the image was scaled into; nil means full size.
    public let targetSize: PixelSize?
    /// How the image was scaled into the box; always `fit` at full size.
    public let contentMode: ImageContentMode
    /// The identifiers of the processors that were applied after decoding, in order.
    public let processing: [String]
    /// The hash value, which is computed only once.
    ///
    /// A load looks up its key in several tables, and hashing the URL takes longer than the rest of
    /// a lookup.
    private let hash: Int

    /// Creates a key from an image's URL, target size, content mode and processor identifiers.
    public init(
        url: ImageURL,
        targetSize: PixelSize? = nil,
        contentMode: ImageContentMode = .fit,
        processing: [String] = []
    ) {
        self.url = url.cacheKey
        self.targetSize = targetSize
        self.processing = processing
        self.contentMode = targetSize == nil ? .fit : contentMode
        var hasher = Hasher()
        hasher.combine(self.url)
        hasher.combine(targetSize)
        hasher.combine(self.contentMode)
        if !processing.isEmpty { hasher.combine(processing) }
        hash = hasher.finalize()
    }

    /// The target size and the content mode as a string, for names on disk; empty for full size.
    var shape: String {
        targetSize.map { "\($0.width)x\($0.height) \(contentMode.rawValue)" } ?? ""
    }

    /// Returns whether two keys identify the same image.
    public static func == (one: ImageKey, other: ImageKey) -> Bool {
        one.hash == other.hash && one.url == other.url && one.targetSize == other.targetSize
            && one.contentMode == other.contentMode && one.processing == other.processing
    }

    /// Adds the stored hash value to `hasher`.
    public func hash(into hasher: inout Hasher) { hasher.combine(hash) }
}
