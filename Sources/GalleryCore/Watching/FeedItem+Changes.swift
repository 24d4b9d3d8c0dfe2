/// Files that change while they are shown.
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
}
