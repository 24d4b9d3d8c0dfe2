/// The contents of a feed: RSS, Atom, JSON Feed, or the response of a social network's server.
///
/// The values are not processed: URLs may be relative, and texts may contain anything.
public struct FeedDocument: Equatable, Sendable {
    /// An item of a feed, such as an article or a post.
    public struct Entry: Equatable, Sendable {
        /// The feed's identifier for the item, which does not change if other properties do.
        public var identity: String?
        /// The headline.
        public var title: String?
        /// The author.
        public var author: String?
        /// The date, in seconds since 1970.
        public var date: Int?
        /// The URL of the page about the item.
        public var link: String?
        /// The base URLs for relative URLs: each is relative to the one before it, and the first to
        /// the document.
        public var bases: [String] = []
        /// The images that the item declares or, if it declares no images, the images in its text.
        public var pictures: [Picture] = []
        /// The text of the item without markup.
        public var text: String?

        /// Creates an empty item.
        public init() {}
    }

    /// An image of an item.
    public struct Picture: Equatable, Sendable {
        /// The URL of the image.
        public var url: String
        /// The variants of the image in other sizes, including thumbnails.
        public var versions: [Version] = []
        /// The width and height in pixels, if declared.
        public var size: (width: Int, height: Int)? {
            get { width > 0 && height > 0 ? (width, height) : nil }
            set { (width, height) = newValue ?? (0, 0) }
        }
        /// The base URLs for the URL of the image, after those of the item.
        package var bases: [String] = []
        /// Whether a relative URL without a base is relative to the page of the item.
        package var isRelativeToPage = false
        /// The width at which the page displays the image, if declared.
        var shownWidth: Int?
        private var width = 0
        private var height = 0
        /// The title of the image itself.
        public var title: String?
        /// A description of the image for people who cannot see it.
        public var alternativeText: String?
        /// The author of the image, if different from the author of the item.
        public var credit: String?
        /// A placeholder of a few bytes that is displayed until the image is loaded; see blurha.sh.
        public var blurHash: String?

        /// Creates an image with a URL only.
        public init(url: String) {
            self.url = url
        }

        /// An image in one size.
        public struct Version: Hashable, Sendable {
            /// The URL of the image.
            public let url: String
            /// The width in pixels; nil for a thumbnail of unknown width.
            public let width: Int?

            /// Creates a variant.
            public init(url: String, width: Int? = nil) {
                (self.url, self.width) = (url, width)
            }
        }
    }

    /// A feed in a list of feeds.
    public struct Outline: Equatable, Sendable {
        /// The name of the feed in the list.
        public let title: String?
        /// The URL of the feed.
        public let url: String
    }

    /// The next part of a feed that has several parts.
    public enum Next: Equatable, Sendable {
        /// Another URL.
        case address(String)
        /// The same URL with this query parameter, which replaces any parameter with the same name.
        case parameter(name: String, value: String)
    }

    /// The kind of a document.
    public enum Kind: Equatable, Sendable {
        /// A feed of articles or posts.
        case entries
        /// An HTML page; each image is an item.
        case page
        /// The files of a directory or bucket; each image is an item.
        case listing
    }

    /// The title of the feed.
    public var title: String?
    /// The URL of the page that the feed belongs to.
    public var link: String?
    /// The items in document order.
    public var entries: [Entry] = []
    /// The feeds of an OPML document, which has no items.
    public var outlines: [Outline] = []
    /// The next part; nil for the last part.
    public var next: Next?
    /// The kind of the document.
    public var kind = Kind.entries
    /// Remarks for the user, for example about omitted content.
    public var remarks: [String] = []
    /// The first line of the document that violates its format; everything readable is included.
    public var firstErrorLine: Int?

    /// Creates an empty document.
    public init() {}
}

/// The reason why a document is not a feed; the text completes "NAME: …".
public struct FeedDocumentFault: Error, Equatable, Sendable {
    /// The reason without the name.
    public let text: String
}
