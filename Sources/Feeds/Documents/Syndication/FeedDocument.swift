/// The contents of a feed: RSS, Atom, JSON Feed, or the response of a social network's server.
///
/// The values are not processed: URLs may be relative, and text may contain any characters.
package struct FeedDocument: Equatable, Sendable {
    /// An item of a feed, such as an article or a post.
    package struct Entry: Equatable, Sendable {
        /// The feed's identifier for the item, which stays the same if other properties change.
        package var identity: String?
        /// The headline.
        package var title: String?
        package var author: String?
        /// The publication date in seconds since 1970; the modification date if the publication date
        /// is missing.
        package var date: Int?
        /// The URL of the web page for the item.
        package var link: String?
        /// The base URLs for relative URLs.
        ///
        /// Each base URL is relative to the previous base URL, and the first is relative to the
        /// document.
        package var bases: [String] = []
        /// The images that the item declares or, if it declares none, the images in its text.
        package var pictures: [Picture] = []
        /// The text of the item without markup.
        package var text: String?

        package init() {}
    }

    /// An image of an item.
    package struct Picture: Equatable, Sendable {
        package var url: String
        /// The variants of the image in other sizes, including thumbnails.
        package var versions: [Version] = []
        /// The width and height in pixels, if declared.
        package var size: (width: Int, height: Int)? {
            get { width > 0 && height > 0 ? (width, height) : nil }
            set { (width, height) = newValue ?? (0, 0) }
        }
        /// The additional base URLs for the image's URL.
        package var bases: [String] = []
        /// Whether a relative URL is relative to the item's page if there is no base URL.
        package var isRelativeToPage = false
        /// The URL of an image that a script may show instead of this one.
        package var hiddenURL: String?
        /// Whether the text of the item shows the image.
        package var isShown = false
        /// The width at which the page displays the image, if declared.
        package var shownWidth: Int?
        private var width = 0
        private var height = 0
        /// The title of the image itself.
        package var title: String?
        /// A description of the image for people who cannot see it.
        package var alternativeText: String?
        /// The author of the image, if different from the author of the item.
        package var credit: String?
        /// A placeholder of a few bytes that is displayed until the image is loaded; see blurha.sh.
        package var blurHash: String?

        package init(url: String) {
            self.url = url
        }

        /// A variant of an image in one size.
        package struct Version: Hashable, Sendable {
            package let url: String
            /// The width in pixels, or nil for a thumbnail of unknown width.
            package let width: Int?

            package init(url: String, width: Int? = nil) {
                (self.url, self.width) = (url, width)
            }
        }
    }

    /// A feed in a list of feeds.
    package struct Outline: Equatable, Sendable {
        /// The name of the feed in the list.
        package let title: String?
        package let url: String

        package init(title: String?, url: String) {
            (self.title, self.url) = (title, url)
        }

        /// Creates the feed of an `outline` element; returns nil if the element has no URL.
        ///
        /// Programs write the attribute as `xmlUrl` in any capitalization, or as `url`. Control
        /// characters in the URL are mistakes and are removed.
        package init?(_ attributes: [String: String]) {
            let own = attributes.first { $0.key.lowercased() == "xmlurl" }?.value
            let url = (own ?? attributes["url"])?.unicodeScalars.filter { $0.value >= 0x20 }
            guard let url = url.map({ String($0).trimmed })?.nonEmpty else { return nil }
            self.init(title: attributes["title"] ?? attributes["text"], url: url)
        }

        /// Reads the feeds of a broken list by parsing it as HTML, which allows any character in an
        /// attribute.
        package static func all(
            inBroken bytes: [UInt8],
            limit: Int
        ) throws(MarkupReader.Unavailable) -> [Self] {
            var outlines: [Self] = []
            _ = try MarkupReader.withHTML(bytes) { markup in
                while outlines.count < limit, let node = markup.next() {
                    guard case .start(let name, _) = node, name.local.lowercased() == "outline",
                        let outline = Self(markup.attributes())
                    else { continue }
                    outlines.append(outline)
                }
            }
            return outlines
        }
    }

    /// The location of the next part of a feed.
    package enum Next: Equatable, Sendable {
        /// The URL of the next part, which may be relative.
        case address(String)
        /// The URL of the current part with this query parameter, which replaces any parameter with
        /// the same name.
        case parameter(name: String, value: String)
    }

    /// The kind of a document.
    package enum Kind: Equatable, Sendable {
        /// A feed of articles or posts.
        case entries
        /// An HTML page; each image is an item.
        case page
        /// The files of a directory or bucket; each image is an item.
        case listing
    }

    package var title: String?
    /// The URL of the feed's web page.
    package var link: String?
    /// The URL of the feed itself, as specified in an Atom feed.
    package var ownURL: String?
    /// The items in document order.
    package var entries: [Entry] = []
    /// The feeds of an OPML document; such a document has no items.
    package var outlines: [Outline] = []
    /// The next part, or nil for the last part.
    package var next: Next?
    package var kind = Kind.entries
    /// Remarks for the user, for example about omitted content.
    package var remarks: [String] = []
    /// The line number of the first violation of the document's format, or nil if the format is
    /// never violated.
    ///
    /// The document still contains everything that was readable.
    package var firstErrorLine: Int?

    package init() {}
}

/// The reason a document is not a feed; the text follows the name of the feed in the error message.
package struct FeedDocumentFault: Error, Equatable, Sendable {
    /// The reason, without the name of the feed.
    package let text: String
}
