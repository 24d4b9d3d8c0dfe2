/// Why a feed can't be shown at all; bad lines are failed items instead (`FeedItem.problem`).
public struct FeedError: Error, Hashable, Sendable, CustomStringConvertible {
    /// One line that names the feed, the fault, and what a feed is.
    public let description: String

    /// Says what is wrong with the feed called `name`.
    public init(name: String, fault: String) {
        description = "\(name): \(fault) (\(FeedError.whatAFeedIs))"
    }

    private static let whatAFeedIs =
        "a feed is a text file with one picture URL or path a line, # for comments"
}
