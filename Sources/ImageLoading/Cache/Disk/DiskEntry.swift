internal import Decoders

/// An entry in the disk cache: bytes and their metadata.
struct DiskEntry: Hashable, Sendable {
    static let maximumMetadataByteCount = 4 << 10

    /// A body as the server sent it, a partial body, or an image made from a body; never empty.
    var bytes: [UInt8]
    /// The metadata of the bytes, at most `maximumMetadataByteCount` bytes; may be empty.
    var metadata: [UInt8]

    init(bytes: [UInt8], metadata: [UInt8] = []) {
        self.bytes = bytes
        self.metadata = metadata
    }
}

/// The key of a URL in the disk cache.
///
/// `file` is part of the names of all cache files of the URL. `owner` is a digest of the URL; it
/// distinguishes URLs with the same file name.
struct DiskKey: Sendable {
    let url: ImageURL
    let file: CacheFileName
    let owner: MessageDigest

    init(_ url: ImageURL, naming: CacheFileNaming) {
        self.url = url
        file = CacheFileName(url, naming: naming)
        owner = MessageDigest.sha256(url.fileKey)
    }

    init(url: ImageURL, file: CacheFileName, owner: MessageDigest) {
        self.url = url
        self.file = file
        self.owner = owner
    }

    func name(_ kind: EntryName.Kind) -> EntryName { EntryName(file, kind) }

    var body: EntryName { name(.body) }
    var partial: EntryName { name(.partial) }

    /// Returns the key of the processed image with the size and the processing steps of `image`.
    ///
    /// The file name consists of a number and the URL's file name, so all images of a URL can be
    /// found. `owner` distinguishes two images with the same number.
    func image(_ image: ImageKey) -> (key: DiskKey, kind: EntryName.Kind) {
        // The length before each step ensures that no two lists of steps produce the same text.
        let steps = image.processing.map { "\($0.utf8.count):\($0)" }.joined()
        let owner = MessageDigest.sha256("\(url.fileKey)\n\(image.shape)\n\(steps)")
        let key = DiskKey(url: url, file: file, owner: owner)
        return (key, .image(UInt32(truncatingIfNeeded: owner.high)))
    }
}

/// The file name of an entry.
///
///     c7529f60e5cf8d1f19442a9a57f22e5a.jpg                a body
///     part-c7529f60e5cf8d1f19442a9a57f22e5a.jpg           a partial body
///     image-09ac77e1-c7529f60e5cf8d1f19442a9a57f22e5a.jpg a processed image
///     thumb-1c22d0b4-c7529f60e5cf8d1f19442a9a57f22e5a.jpg a decoded thumbnail
struct EntryName: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        case body
        /// A partial body.
        ///
        /// It is never returned as a body, because a truncated image looks almost like a complete
        /// image.
        case partial
        /// A processed image; the number identifies its size and processors.
        case image(UInt32)
        /// A decoded thumbnail; the number identifies its size.
        case thumbnail(UInt32)

        /// The maximum size of an entry of this kind in bytes; a larger entry is not read.
        var maximumByteCount: Int {
            switch self {
            case .body, .partial, .image: DiskCache.maximumBodyByteCount
            case .thumbnail: StoredThumbnail.maximumByteCount
            }
        }
    }

    private static let partialPrefix = "part-"
    private static let imagePrefix = "image-"
    private static let thumbnailPrefix = "thumb-"

    let file: CacheFileName
    let kind: Kind

    init(_ file: CacheFileName, _ kind: Kind) {
        self.file = file
        self.kind = kind
    }

    init?(parsing name: String) {
        if name.hasPrefix(Self.partialPrefix) {
            self.init(file: name.dropFirst(Self.partialPrefix.count), .partial)
        } else if name.hasPrefix(Self.imagePrefix) {
            self.init(numbered: name.dropFirst(Self.imagePrefix.count), Kind.image)
        } else if name.hasPrefix(Self.thumbnailPrefix) {
            self.init(numbered: name.dropFirst(Self.thumbnailPrefix.count), Kind.thumbnail)
        } else {
            self.init(file: name[...], .body)
        }
    }

    private init?(numbered rest: Substring, _ kind: (UInt32) -> Kind) {
        let digits = rest.prefix(8)
        // Accept only the form that this type writes: eight digits in lower case.
        guard let number = UInt32(digits, radix: 16), Self.digits(of: number) == digits,
            rest.dropFirst(8).first == "-"
        else { return nil }
        self.init(file: rest.dropFirst(9), kind(number))
    }

    private init?(file: Substring, _ kind: Kind) {
        guard let file = CacheFileName(parsing: String(file)) else { return nil }
        self.init(file, kind)
    }

    private static func digits(of number: UInt32) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 8 - digits.utf8.count) + digits
    }

    /// Whether the entry is a processed image or a thumbnail.
    var isImage: Bool {
        switch kind {
        case .image, .thumbnail: true
        case .body, .partial: false
        }
    }

    var isThumbnail: Bool {
        if case .thumbnail = kind { true } else { false }
    }
}

extension EntryName: CustomStringConvertible {
    var description: String {
        switch kind {
        case .body: file.description
        case .partial: Self.partialPrefix + file.description
        case .image(let number): "\(Self.imagePrefix)\(Self.digits(of: number))-\(file)"
        case .thumbnail(let number): "\(Self.thumbnailPrefix)\(Self.digits(of: number))-\(file)"
        }
    }
}
