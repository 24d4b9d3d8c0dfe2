/// Options of the user for the interpretation of a feed.
public struct FeedOptions: Hashable, Sendable {
    /// The encoding of a feed.
    public enum Encoding: String, CaseIterable, Hashable, Sendable {
        /// UTF-8; UTF-16 if there is a byte order mark.
        case automatic = "auto"
        /// ISO 8859-1.
        case latin1
    }

    /// The dotted path of the image URL in a JSON object; nil to detect it.
    public var urlKey: String?
    /// The dotted path of the caption.
    public var captionKey: String?
    /// The table column with the URLs, by its name or its number from 1 on.
    public var urlColumn: String?
    /// The column with the captions.
    public var captionColumn: String?
    /// Whether entries end with a zero byte instead of a line break; each entry is one path or URL.
    public var endsEntriesWithZero = false
    /// The encoding of the text.
    public var encoding = Encoding.automatic
    /// Whether a folder includes hidden files and folders, whose names start with a dot.
    public var includesHidden = false
    /// Which nested folders are read; nil for none.
    public var tree: TreeOptions?

    /// Creates the default options.
    public init() {}
}

/// The selection of nested folders.
public struct TreeOptions: Hashable, Sendable {
    /// The maximum depth below the folder; nil for no limit.
    public var depth: Int?
    /// The excluded files and folders.
    public var exclusions: ExclusionRules

    /// Creates options, by default for all nested folders.
    public init(depth: Int? = nil, exclusions: ExclusionRules = ExclusionRules()) {
        (self.depth, self.exclusions) = (depth, exclusions)
    }
}
