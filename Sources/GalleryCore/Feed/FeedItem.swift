internal import Decoders
internal import ImageLoading

/// One image of a feed.
public struct FeedItem: Hashable, Sendable {
    /// The image's absolute URL (`http`, `https`, `file`, `data`); what stood in the feed where it
    /// could not be used.
    public let url: String
    /// The caption as the feed has it; it may hold anything, so draw it through `FrameText` only.
    public let caption: String
    /// Why it can't be loaded; nil if it can be tried.
    public internal(set) var problem: String?
    /// The URL's scheme, if that is the problem: there is none such, or not for this feed.
    public let forbiddenScheme: String?
    /// How often its file was written again since it was first seen.
    public internal(set) var revision = 0
    /// What the feed says of it besides; nil if it says nothing.
    public var details: FeedItemDetails? {
        get { keptDetails.wrappedValue }
        set { keptDetails.wrappedValue = newValue }
    }

    /// A folder of a million files has none.
    private var keptDetails = OnHeap<FeedItemDetails>(wrappedValue: nil)

    /// Makes an item; without a caption, the URL's last path component is it.
    public init(
        url: String,
        caption: String? = nil,
        problem: String? = nil,
        forbiddenScheme: String? = nil
    ) {
        self.url = url
        self.caption = caption ?? FeedCaption.caption(forURL: url)
        self.problem = problem
        self.forbiddenScheme = forbiddenScheme
    }

    /// Makes an item for a local image by its absolute path.
    public init(filePath: String) {
        self.init(filePath: Array(filePath.utf8))
    }

    /// Makes an item for a file below a folder, which is shown by its path from there.
    init(path: String, below root: String) {
        let separator = root.utf8.last == UInt8(ascii: "/") ? "" : "/"
        self.init(
            url: PercentCoding.fileURL(path: FileText.bytes(of: root + separator + path)),
            caption: FileText.shown(path)
        )
    }

    /// The same by the bytes of the path, which need not be UTF-8.
    public init(filePath: [UInt8]) {
        let name = filePath.split(separator: UInt8(ascii: "/")).last
        self.init(
            url: PercentCoding.fileURL(path: filePath),
            caption: name.map { String(decoding: $0, as: UTF8.self) }
        )
    }
}

/// What an item means where it is shown: a file that changes, or is gone.
extension FeedItem {
    private static let deletion = "deleted"

    /// Whether there was such a file, and is none any more.
    var isDeleted: Bool {
        get { problem == Self.deletion }
        set { problem = newValue ? Self.deletion : nil }
    }

    /// The URL to load it by: another one for each content that its file has had, so that no cache, and
    /// no load that began before, gives the old one.
    ///
    /// What follows the path of a file's URL is no part of its name.
    public var currentURL: String { revision == 0 ? url : "\(url)?\(revision)" }

    /// Whether it names a file of this machine, or one in an archive there.
    var isLocalFile: Bool { url.hasPrefix("file:") || url.hasPrefix("archive:///") }

    /// Whether no server has it.
    var isLocal: Bool { isLocalFile || url.hasPrefix("data:") }
}

/// The caption of an image that was given none.
enum FeedCaption {
    /// The last path component, percent-decoded; the host where there is no path.
    ///
    /// Never a user name or a password.
    static func caption(forURL url: String) -> String {
        guard !url.hasPrefix("data:") else { return "data: picture" }
        let mayHaveLogin = url.utf8.contains(UInt8(ascii: "@"))
        let url = mayHaveLogin ? URLParts.redacted(url) : url
        // By bytes: a list of a million addresses has a million captions.
        let bytes = Array(url.utf8)
        let path = bytes.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        guard let end = path.lastIndex(where: { $0 != UInt8(ascii: "/") }) else { return url }
        let start = path[...end].lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0
        return String(decoding: PercentCoding.decoded(path[start...end]), as: UTF8.self)
    }
}

/// What a feed says of a picture beside its address and its caption; texts may hold anything.
public struct FeedItemDetails: Hashable, Sendable {
    /// The title of the entry that the picture stands in.
    public var title: String?
    /// Who made the entry.
    public var author: String?
    /// When the entry was published, in seconds since 1970.
    public var date: Int?
    /// What the picture shows, for those who don't see it.
    public var alternativeText: String?
    /// The absolute URL of the page about it.
    public var link: String?
    /// Which entry the picture stands in; nil where entries have no names.
    var entry: FeedEntryPlace?
    /// Everything else that the feed says, in its order: the columns of a table, the keys of an object.
    public var fields: [Field] = []

    /// A name and its value, as the feed has them.
    public struct Field: Hashable, Sendable {
        /// A column's heading, or an object's key.
        public let name: String
        /// A text, or a number, list or object as JSON has it.
        public let value: String
        /// Whether the value is one of JSON, and no text.
        public let isJSON: Bool

        /// Makes a field.
        public init(name: String, value: String, isJSON: Bool = false) {
            (self.name, self.value, self.isJSON) = (name, value, isJSON)
        }
    }

    /// The picture in other sizes.
    public var versions: [PictureVersion] = []
    /// The size of the picture itself.
    var size: PixelSize?
    /// What is shown of it until it is there.
    var blurHash: BlurHash?

    /// Makes details that say nothing.
    public init() {}

    /// What is said in words.
    var texts: [String] {
        [title, author, alternativeText].compactMap(\.self) + fields.map(\.value)
    }
}

/// The entry of a feed that a picture stands in, and its place among that entry's pictures: what the
/// picture is known by if its address is another one each time.
struct FeedEntryPlace: Hashable, Sendable {
    /// Stands for the name that the feed gives the entry.
    let entry: UInt64
    let index: Int
}
