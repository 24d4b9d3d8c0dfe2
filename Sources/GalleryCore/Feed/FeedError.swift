/// Why a feed can't be shown at all; bad lines are failed items instead (`FeedItem.problem`).
public struct FeedError: Error, Hashable, Sendable, CustomStringConvertible {
    /// One line that names the feed, the fault, and what a feed is.
    public let description: String
    /// The address of a feed, of a page that shows no pictures itself but names one.
    public internal(set) var feedURL: String?
    /// Where a feed goes on of which this page holds nothing.
    var nextPages: [FeedPage] = []

    /// Says what is wrong with the feed called `name`.
    public init(name: String, fault: String) {
        description = "\(name): \(fault) (\(FeedError.whatAFeedIs))"
    }

    /// Says in whole words what is wrong.
    public init(_ description: String) {
        self.description = description
    }

    private static let whatAFeedIs =
        "a feed is a text file with one image URL or path per line, a table, or a JSON list"
}
