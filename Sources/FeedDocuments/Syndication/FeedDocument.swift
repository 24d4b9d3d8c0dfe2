/// What a feed of entries says: RSS, Atom, JSON Feed, or the answer of a social network's server.
///
/// Everything as the document has it: addresses may be relative, texts may hold anything.
public struct FeedDocument: Equatable, Sendable {
    /// An entry: an article, a post.
    public struct Entry: Equatable, Sendable {
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
        /// A small one that stands for it.
        public var previewURL: String?
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
    }

    /// A feed that a list of feeds names.
    public struct Outline: Equatable, Sendable {
        /// What the list calls it.
        public let title: String?
        /// Where it is.
        public let url: String
    }

    /// What the feed is called.
    public var title: String?
    /// The address of the page that the feed belongs to.
    public var link: String?
    /// In the document's order.
    public var entries: [Entry] = []
    /// The feeds of an OPML document, which has no entries.
    public var outlines: [Outline] = []
    /// The address of the next part, of a feed that comes in parts.
    public var next: String?
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
