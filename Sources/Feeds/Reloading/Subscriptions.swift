import Glibc
import ImageLoading
import SystemSupport

/// A feed in the user's list of subscriptions.
package struct Subscription: Hashable, Sendable {
    /// The http(s) URL or the path, as written in the file.
    package var address: String
    /// The user's title, or nil to use the URL.
    package var title: String?
    package var tags: [String] = []

    package init(address: String, title: String? = nil, tags: [String] = []) {
        self.address = address
        self.title = title
        self.tags = tags
    }

    /// Returns the source of the feed; paths are relative to the directory of the list, and `~/` is
    /// the home directory.
    package func source(in folder: String) -> FeedSource {
        let source = FeedSource(argument: address)
        guard case .path(let path) = source else { return source }
        if path.hasPrefix("~/"), let home = getenv("HOME") {
            return .path(FileText.text(cString: home) + path.dropFirst())
        }
        return path.hasPrefix("/") ? source : .path(UserFolders.join(folder, path))
    }

    /// The name shown on the screen; a URL is shown without its password and query.
    package var name: String { title ?? FeedSource(argument: address).name }
}

/// The subscribed feeds from `$XDG_CONFIG_HOME/termgallery/feeds`.
///
/// Each line contains a URL and optionally a title. As in newsboat's file, a line may contain tags
/// instead of a title. A quoted tag that begins with `~` is the title. Empty lines and lines that
/// begin with `#` are skipped.
package struct Subscriptions: Equatable, Sendable {
    /// The maximum number of feeds; a longer list is a mistake.
    package static let mostFeeds = 500
    package static let mostBytes = 1 << 20

    package private(set) var all: [Subscription] = []
    /// The line number of each feed in the file, starting at 0.
    private var places: [Int] = []
    /// The number of omitted lines.
    ///
    /// A line is omitted if it uses another newsboat feature (a command, filter or query) or
    /// exceeds the maximum number of feeds.
    package private(set) var leftOutCount = 0

    package init(_ text: String) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        for (number, line) in lines.enumerated() {
            let words = Self.words(line)
            guard let address = words.first, !address.text.hasPrefix("#") else { continue }
            guard Self.isFeed(address.text), all.count < Self.mostFeeds else {
                leftOutCount += 1
                continue
            }
            all.append(Self.subscription(address.text, words.dropFirst()))
            places.append(number)
        }
    }

    private static func isFeed(_ address: String) -> Bool {
        !["query:", "exec:", "filter:"].contains(where: address.hasPrefix) && address != "-"
    }

    private static func subscription(
        _ address: String,
        _ rest: ArraySlice<Word>
    ) -> Subscription {
        var subscription = Subscription(address: address)
        guard rest.contains(where: \.isQuoted) else {
            let title = rest.map(\.text).joined(separator: " ")
            subscription.title = title.isEmpty ? nil : title
            return subscription
        }
        for word in rest {
            if word.text.hasPrefix("~"), word.text.count > 1 {
                subscription.title = String(word.text.dropFirst())
            } else if !word.text.isEmpty, word.text != "!" {
                subscription.tags.append(word.text)
            }
        }
        return subscription
    }

    private struct Word {
        var text: String
        let isQuoted: Bool
    }

    /// Splits a line at white space, except inside quotation marks.
    private static func words(_ line: Substring) -> [Word] {
        var words: [Word] = []
        var rest = line
        while true {
            rest = rest.drop { $0.isWhitespace }
            guard let first = rest.first else { return words }
            if first == "\"" {
                let inside = rest.dropFirst().prefix { $0 != "\"" }
                words.append(Word(text: String(inside), isQuoted: true))
                rest = rest.dropFirst(inside.count + 2)
            } else {
                let word = rest.prefix { !$0.isWhitespace }
                words.append(Word(text: String(word), isQuoted: false))
                rest = rest.dropFirst(word.count)
            }
        }
    }

    // MARK: Changing

    /// Returns the line that adds a feed to the file.
    package static func line(_ subscription: Subscription) -> String {
        let hasBlank = subscription.address.contains(where: \.isWhitespace)
        let address = hasBlank ? "\"\(subscription.address)\"" : subscription.address
        return address + (subscription.title.map { " \($0)" } ?? "") + "\n"
    }

    /// Returns the indices of the feeds with this URL or title.
    ///
    /// If no feed matches, returns the index of the feed with this number, starting at 1.
    package func places(of name: String) -> [Int] {
        let named = all.indices.filter { all[$0].address == name || all[$0].title == name }
        if !named.isEmpty { return named }
        return Int(name).flatMap { all.indices.contains($0 - 1) ? [$0 - 1] : nil } ?? []
    }

    /// Returns the text of a file without the lines of the feeds at the indices `places`.
    package func text(_ text: String, without places: [Int]) -> String {
        let removed = Set(places.map { self.places[$0] })
        return text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
            .filter { !removed.contains($0.offset) }.map(\.element).joined(separator: "\n")
    }
}
