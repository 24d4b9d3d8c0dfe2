package import Decoders
import ImageLoading
internal import SystemSupport

/// An image in a feed.
package struct FeedItem: Hashable, Sendable {
    /// The absolute URL of the image: `http`, `https`, `file`, `data`, or the URL of a file in an
    /// archive.
    ///
    /// If the URL is invalid, this property contains the text from the feed.
    package let url: String
    /// The caption from the feed.
    ///
    /// The caption may contain any characters, so draw it only through `FrameText`.
    package let caption: String
    /// The reason the image cannot be loaded, or nil if loading can be attempted.
    package var problem: String?
    /// The unknown or forbidden scheme of the URL, or nil if the scheme is permitted for this feed.
    package let forbiddenScheme: String?
    /// The number of times the file has been rewritten since it was first seen.
    package var revision = 0
    /// The other details that the feed specifies for the image, or nil if there are none.
    package var details: FeedItemDetails? {
        get { keptDetails.wrappedValue }
        set { keptDetails.wrappedValue = newValue }
    }

    /// The storage for the details, which are stored separately to save memory.
    ///
    /// The items of a folder with a million files have no details.
    private var keptDetails = OnHeap<FeedItemDetails>(wrappedValue: nil)

    /// Creates an item; the default caption is the last path component of the URL.
    package init(
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

    /// Creates an item for a local image from its absolute path.
    package init(filePath: String) {
        self.init(filePath: Array(filePath.utf8))
    }

    /// Creates an item for a file in a folder; the caption is the path relative to the folder.
    package init(path: String, below root: String) {
        let separator = root.utf8.last == UInt8(ascii: "/") ? "" : "/"
        self.init(
            url: PercentCoding.fileURL(path: FileText.bytes(of: root + separator + path)),
            caption: FileText.shown(path)
        )
    }

    /// Creates an item for a folder from its absolute path, encoded by `FileText`.
    ///
    /// The URL and the caption end with a slash.
    package init(folderPath path: String) {
        self.init(
            url: PercentCoding.fileURL(path: FileText.bytes(of: path + "/")),
            caption: FileText.shown(AbsolutePath.name(of: path)) + "/"
        )
    }

    /// Creates an item from the bytes of an absolute path, which may be invalid UTF-8.
    package init(filePath: [UInt8]) {
        let name = filePath.split(separator: UInt8(ascii: "/")).last
        self.init(
            url: PercentCoding.fileURL(path: filePath),
            caption: name.map { String(decoding: $0, as: UTF8.self) }
        )
    }
}

/// Properties for files that change or are deleted.
extension FeedItem {
    private static let deletion = "deleted"

    /// Whether the file existed earlier and has been deleted.
    package var isDeleted: Bool {
        get { problem == Self.deletion }
        set { problem = newValue ? Self.deletion : nil }
    }

    /// The URL for loading the current revision of the file.
    ///
    /// Each revision has a different URL, so no cache or earlier load can return an old version. In
    /// a file URL, the text after the path is not part of the file name.
    package var currentURL: String { revision == 0 ? url : "\(url)?\(revision)" }

    /// Whether the URL refers to a local file or to a file in a local archive.
    package var isLocalFile: Bool { url.hasPrefix("file:") || url.hasPrefix("archive:///") }

    /// Whether the image can be loaded without a server.
    package var isLocal: Bool { isLocalFile || url.hasPrefix("data:") }
}

/// The default caption of an image.
package enum FeedCaption {
    /// Returns the percent-decoded last path component, or the host if there is no path.
    ///
    /// The caption never contains a user name or a password.
    package static func caption(forURL url: String) -> String {
        guard !url.hasPrefix("data:") else { return "data: image" }
        let mayHaveLogin = url.utf8.contains(UInt8(ascii: "@"))
        let url = mayHaveLogin ? URLParts.redacted(url) : url
        // The code processes bytes for speed, because a list of a million URLs has a million
        // captions.
        let bytes = Array(url.utf8)
        let path = bytes.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        guard let end = path.lastIndex(where: { $0 != UInt8(ascii: "/") }) else { return url }
        let start = path[...end].lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0
        return String(decoding: PercentCoding.decoded(path[start...end]), as: UTF8.self)
    }
}

/// The details that a feed specifies for an image; the strings may contain any characters.
package struct FeedItemDetails: Hashable, Sendable {
    /// The title of the entry that contains the image.
    package var title: String?
    /// The author of the entry.
    package var author: String?
    /// The publication time of the entry, in seconds since 1970.
    package var date: Int?
    /// The alternative text of the image.
    package var alternativeText: String?
    /// The absolute URL of the page about the image.
    package var link: String?
    /// The entry that contains the image, or nil if entries have no identifiers.
    package var entry: FeedEntryPlace?
    /// All other values in the order of the feed: the columns of a table, or the members of an
    /// object.
    package var fields: [Field] = []

    /// A field of the item's record in the feed.
    package struct Field: Hashable, Sendable {
        /// The heading of a column, or the key of a member.
        package let name: String
        /// The string, or the number, list or object as JSON.
        package let value: String
        /// Whether the value is JSON rather than text.
        package let isJSON: Bool

        package init(name: String, value: String, isJSON: Bool = false) {
            (self.name, self.value, self.isJSON) = (name, value, isJSON)
        }
    }

    /// Versions of the image in other sizes.
    package var versions: [PictureVersion] = []
    /// The URLs to try if the base URL of the image is uncertain, or nil if there is only one.
    package var alternatives: AlternativeURLs?
    /// The size of the image itself in pixels, if the feed specifies it.
    package var size: PixelSize?
    /// The placeholder shown until the image is loaded.
    package var blurHash: BlurHash?

    package init() {}

    /// All strings that a search examines.
    package var texts: [String] {
        [title, author, alternativeText].compactMap(\.self) + fields.map(\.value)
    }
}

/// The entry that contains an image, and the position of the image in it.
///
/// This value identifies the image even if its URL is different each time the feed is read.
package struct FeedEntryPlace: Hashable, Sendable {
    /// The hash of the entry's identifier.
    package let entry: UInt64
    package let index: Int
}
