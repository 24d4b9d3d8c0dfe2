/// The reason a feed cannot be shown.
///
/// An invalid line is not an error; it becomes an item with a `problem`.
public struct FeedError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A one-line message with the name of the feed and the problem.
    ///
    /// If the content is not a feed, the message also describes valid feeds.
    public let description: String
    /// The URL of the feed that a page without images refers to.
    ///
    /// Nil for other errors and for pages that do not refer to a feed.
    package var feedURL: String?
    /// Whether the feed is an archive that changed on its server while its directory was being
    /// read.
    package var isOfChangedArchive = false
    /// The next pages, if the error is about a page without images.
    package var nextPages: [FeedPage] = []

    /// Creates an error for the feed named `name`.
    package init(name: String, fault: String) {
        description = "\(name): \(fault)"
    }

    /// Creates an error for content that is not a feed.
    init(name: String, notAFeed fault: String) {
        description = "\(name): \(fault) (\(FeedError.whatAFeedIs))"
    }

    /// Creates an error with a complete description.
    package init(_ description: String) {
        self.description = description
    }

    private static let whatAFeedIs =
        "a feed is a text file with one image URL or path per line, a table, or a JSON list"
}
