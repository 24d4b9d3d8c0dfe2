public import Decoders

/// The name of a picture's file in the disk cache: 32 lower-case hexadecimal digits of the URL's
/// digest, MD5 by default, and the URL's extension if it is a plain one.
///
///     http://a.example/x.jpg?q=a/b.c  ->  c7529f60e5cf8d1f19442a9a57f22e5a.jpg
///
/// Held in 24 bytes without a heap block, as a large cache keeps one for each of its files.
public struct CacheFileName: Hashable, Sendable {
    private let digest: MessageDigest
    /// Up to eight ASCII characters, the first one highest, left-aligned with zeros behind.
    private let packedExtension: UInt64

    /// The name of the URL's file, by its `cacheName` if it has one.
    public init(_ url: ImageURL, naming: CacheFileNaming = .md5) {
        digest =
            switch naming {
            case .md5: MessageDigest.md5(url.fileKey)
            case .sha256: MessageDigest.sha256(url.fileKey)
            }
        packedExtension = url.pathExtension.flatMap { Self.packed($0.utf8) } ?? 0
    }

    /// The name of what is no URL, without an extension.
    init(digest: MessageDigest) {
        self.digest = digest
        packedExtension = 0
    }

    /// Reads a name back; nil for every name that this type would not make, so that a directory's
    /// other files are never taken for ours.
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

    /// The name of the URL's file as text.
    public static func name(for url: ImageURL) -> String {
        CacheFileName(url).description
    }

    /// Nil unless it matches `[A-Za-z0-9]{1,8}`.
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
    /// The name as text.
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

/// How files are named after their URL.
///
/// A cache uses one of the two for everything; what was stored under the other is not found any
/// more, and leaves as the longest unused.
public enum CacheFileNaming: Hashable, Sendable {
    /// MD5, as SDWebImage 3.x does.
    ///
    /// Two URLs with the same MD5 can be made on purpose. They then share one file, but never a
    /// picture: the entry says whose it is.
    case md5
    /// The first 32 digits of SHA-256: no two URLs with the same name are known.
    case sha256
}

/// What a decoded picture is filed under in memory: one URL may be there in several sizes.
public struct ImageKey: Hashable, Sendable {
    /// The URL's `cacheKey`.
    public let url: String
    /// The box it was decoded into; nil for full size.
    public let targetSize: PixelSize?
    /// How it was laid into the box.
    ///
    /// At full size the mode changes nothing and is always `fit`.
    public let contentMode: ImageContentMode
    /// Identifiers of what was done to it after decoding, in order.
    public let processing: [String]
    /// A load looks its key up in several tables, and hashing the URL takes longer than the rest of
    /// a look-up: so that is done once.
    private let hash: Int

    /// Makes the key of a picture at a size, with what was done to it.
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

    /// The size as text, for names on disk.
    var shape: String {
        targetSize.map { "\($0.width)x\($0.height) \(contentMode.rawValue)" } ?? ""
    }

    /// Whether the two stand for the same picture.
    public static func == (one: ImageKey, other: ImageKey) -> Bool {
        one.hash == other.hash && one.url == other.url && one.targetSize == other.targetSize
            && one.contentMode == other.contentMode && one.processing == other.processing
    }

    /// Feeds the hash that was made with the key.
    public func hash(into hasher: inout Hasher) { hasher.combine(hash) }
}
