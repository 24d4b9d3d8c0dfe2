/// What a person says of a feed that it doesn't say itself.
public struct FeedOptions: Hashable, Sendable {
    /// How the bytes of a feed are text.
    public enum Encoding: String, CaseIterable, Hashable, Sendable {
        /// UTF-8; UTF-16 where a byte order mark says so.
        case automatic = "auto"
        /// ISO 8859-1.
        case latin1
    }

    /// Where the address of a picture is in an object of JSON, as a dotted path; nil to look for it.
    public var urlKey: String?
    /// Where its caption is.
    public var captionKey: String?
    /// Which column of a table has the addresses, by its name or its number from 1 on.
    public var urlColumn: String?
    /// Which column has the captions.
    public var captionColumn: String?
    /// Whether a zero ends each entry, and not the line's end: each is a path or URL as a whole.
    public var endsEntriesWithZero = false
    /// How the bytes are text.
    public var encoding = Encoding.automatic
    /// Whether a folder's pictures are those too whose names begin with a dot, and its folders.
    public var includesHidden = false
    /// Which folders in a folder are read as well; nil for none.
    public var tree: TreeOptions?

    /// Makes options that leave everything to be found.
    public init() {}
}

/// What of a folder's folders is read.
public struct TreeOptions: Hashable, Sendable {
    /// How many levels below the folder; nil for all.
    public var depth: Int?
    /// What is left out.
    public var exclusions: ExclusionRules

    /// Makes options; by default everything is read.
    public init(depth: Int? = nil, exclusions: ExclusionRules = ExclusionRules()) {
        (self.depth, self.exclusions) = (depth, exclusions)
    }
}
