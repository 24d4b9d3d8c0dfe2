/// A text field of a feed or an item, such as the title.
package enum SyndicationField {
    case identity, title, link, author, date, changed, content, summary, itemImage
    case mediaTitle, mediaDescription, mediaCredit

    /// Creates the field that receives the text of an element outside entries, or returns nil if
    /// the text is discarded.
    package init?(_ name: MarkupReader.Name, inFeed parent: MarkupReader.Name?) {
        // The image of a channel has its own title and link.
        guard let parent, parent.isOwn, ["channel", "feed"].contains(parent.local), name.isOwn
        else { return nil }
        switch name.local {
        case "title": self = .title
        case "link": self = .link
        default: return nil
        }
    }

    /// Creates the field that receives the text of an element in an entry, or returns nil if the
    /// text is discarded.
    package init?(_ name: MarkupReader.Name, inEntry parent: MarkupReader.Name?) {
        switch (name.prefix, name.local) {
        case ("media", "title"): self = .mediaTitle
        case ("media", "description"): self = .mediaDescription
        case ("media", "credit"): self = .mediaCredit
        case ("content", "encoded"), ("atom", "content"), ("", "content"): self = .content
        case ("", "description"), ("", "summary"), ("atom", "summary"): self = .summary
        case ("dc", "creator"), ("itunes", "author"): self = .author
        case ("dc", "date"), ("dc", "issued"): self = .date
        case ("", "pubDate"), ("atom", "published"), ("", "published"): self = .date
        case ("atom", "issued"): self = .date
        case ("atom", "updated"), ("", "updated"), ("atom", "modified"), ("dc", "modified"):
            self = .changed
        case ("atom", "created"), ("dc", "created"): self = .changed
        default:
            guard name.isOwn, let parent, parent.isOwn else { return nil }
            self.init(own: name.local, in: parent.local)
        }
    }

    private init?(own name: String, in parent: String) {
        switch (parent, name) {
        case ("item", "guid"), ("entry", "id"): self = .identity
        case ("item", "title"), ("entry", "title"): self = .title
        case ("item", "link"), ("entry", "link"): self = .link
        // The author is a string with a name and an email address (RSS), or an element with a name
        // (Atom).
        case ("item", "author"), ("author", "name"): self = .author
        case ("image", "url"), ("item", "image"), ("item", "thumbnail"), ("entry", "thumbnail"):
            self = .itemImage
        default: return nil
        }
    }
}

extension MarkupReader.Name {
    /// Whether the element belongs to the feed format itself.
    ///
    /// Elements without a namespace also count, because not every feed declares its format's
    /// namespace.
    package var isOwn: Bool { prefix.isEmpty || prefix == "atom" || prefix == "rdf" }
}
