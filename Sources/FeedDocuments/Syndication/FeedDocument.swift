/// What a feed of entries says: RSS, Atom, JSON Feed, or the answer of a social network's server.
///
/// Everything as the document has it: addresses may be relative, texts may hold anything.
public struct FeedDocument: Equatable, Sendable {
    /// An entry: an article, a post.
    public struct Entry: Equatable, Sendable {
        /// What the feed names it by, for programs: the same whatever else changes of it.
        public var identity: String?
        /// Its headline.
        public var title: String?
        /// Who wrote it.
        public var author: String?
        /// In seconds since 1970.
        public var date: Int?
        /// The address of the page about it.
        public var link: String?
        /// What its relative addresses are relative to: each to the one before, the first to the
        /// document.
        public var bases: [String] = []
        /// What it declares, or else what its text shows.
        public var pictures: [Picture] = []
        /// What else it says in words, without markup.
        public var text: String?

        /// Makes an entry that says nothing.
        public init() {}
    }

    /// A picture of an entry.
    public struct Picture: Equatable, Sendable {
        /// Where it is.
        public var url: String
        /// The same in other sizes, the small ones that stand for it among them.
        public var versions: [Version] = []
        /// Its width and height in pixels, as far as they are said.
        public var size: (width: Int, height: Int)? {
            get { width > 0 && height > 0 ? (width, height) : nil }
            set { (width, height) = newValue ?? (0, 0) }
        }
        /// How wide a page that shows it says it is.
        var shownWidth: Int?
        private var width = 0
        private var height = 0
        /// A title of its own.
        public var title: String?
        /// What it shows, for those who don't see it.
        public var alternativeText: String?
        /// Its author, if that is not the entry's.
        public var credit: String?
        /// A picture of a few bytes to be shown until it is there; see blurha.sh.
        public var blurHash: String?

        /// Makes a picture of which only the address is known.
        public init(url: String) {
            self.url = url
        }

        /// A picture in one size.
        public struct Version: Hashable, Sendable {
            /// Where it is.
            public let url: String
            /// In pixels; nil of a small one of which no more is said.
            public let width: Int?

            /// Makes a version.
            public init(url: String, width: Int? = nil) {
                (self.url, self.width) = (url, width)
            }
        }
    }

    /// A feed that a list of feeds names.
    public struct Outline: Equatable, Sendable {
        /// What the list calls it.
        public let title: String?
        /// Where it is.
        public let url: String
    }

    /// Where a feed goes on that comes in parts.
    public enum Next: Equatable, Sendable {
        /// At another address.
        case address(String)
        /// At the same one, with a parameter of its query in place of any of that name.
        case parameter(name: String, value: String)
    }

    /// What kind of document it is.
    public enum Kind: Equatable, Sendable {
        /// A feed: articles, posts.
        case entries
        /// A page of HTML, of which each picture is an entry.
        case page
        /// The files of a folder or bucket, of which each picture is an entry.
        case listing
    }

    /// What the feed is called.
    public var title: String?
    /// The address of the page that the feed belongs to.
    public var link: String?
    /// In the document's order.
    public var entries: [Entry] = []
    /// The feeds of an OPML document, which has no entries.
    public var outlines: [Outline] = []
    /// The next part, of a feed that comes in parts.
    public var next: Next?
    /// What a page or a listing is read as.
    public var kind = Kind.entries
    /// What is left out, and other things a person should know.
    public var remarks: [String] = []
    /// The first line of the document that is not as the format wants it; what could be read is there.
    public var firstErrorLine: Int?

    /// Makes a document that says nothing.
    public init() {}
}

/// Why a document is no feed at all; the text finishes "NAME: …".
public struct FeedDocumentFault: Error, Equatable, Sendable {
    /// Without the name.
    public let text: String
}
