/// The user's options for interpreting a feed.
package struct FeedOptions: Hashable, Sendable {
    package enum Encoding: String, CaseIterable, Hashable, Sendable {
        /// UTF-8; UTF-16 if there is a byte order mark.
        case automatic = "auto"
        /// ISO 8859-1.
        case latin1
        case cp932
        case gbk
        case big5
        case eucJP = "euc-jp"
        case eucKR = "euc-kr"
        case windows1251 = "windows-1251"
        case cp866

        /// The character set, or nil if it is detected.
        var charset: Charset? { self == .automatic ? nil : Charset(label: rawValue) }
    }

    /// The dotted path of the image URL in a JSON object, or nil to detect it.
    package var urlKey: String?
    /// The dotted path of the caption in a JSON object, or nil to detect it.
    package var captionKey: String?
    /// The name or number (starting at 1) of the table column that contains the URLs.
    package var urlColumn: String?
    /// The name or number (starting at 1) of the table column that contains the captions.
    package var captionColumn: String?
    /// Whether entries end with a NUL byte instead of a line break; each entry is one path or URL.
    package var endsEntriesWithZero = false
    /// The encoding of feeds, and of names in zip archives that are not in UTF-8.
    package var encoding = Encoding.automatic
    /// Whether hidden files and folders, whose names start with a dot, are included.
    package var includesHidden = false
    /// Whether the subfolders of a folder are listed before its images, so the user can enter them.
    package var listsFolders = false
    /// The options for nested folders, or nil if nested folders are not read.
    package var tree: TreeOptions?

    package init() {}
}

/// The options that select nested folders.
package struct TreeOptions: Hashable, Sendable {
    /// The maximum depth below the folder, or nil for no limit.
    package var depth: Int?
    package var exclusions: ExclusionRules

    /// Creates options, by default for all nested folders.
    package init(depth: Int? = nil, exclusions: ExclusionRules = ExclusionRules()) {
        (self.depth, self.exclusions) = (depth, exclusions)
    }
}
