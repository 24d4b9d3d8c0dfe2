import ArgumentParser
import Feeds
import FoundationEssentials
import GalleryCore
import ImageLoading
import SystemSupport

/// The `termgallery feeds` command, which manages the user's list of feeds.
struct FeedsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "feeds",
        abstract: "List, add and remove known feeds.",
        discussion: """
            Known feeds are stored in $XDG_CONFIG_HOME/termgallery/feeds, one per line: the URL or \
            path, optionally followed by a title. A newsboat URL file can be copied there. \
            `termgallery --all` opens all of them as one gallery.
            """,
        subcommands: [ListFeedsCommand.self, AddFeedCommand.self, RemoveFeedCommand.self],
        defaultSubcommand: ListFeedsCommand.self
    )
}

/// The `termgallery feeds list` command.
struct ListFeedsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract:
            "List the known feeds, with the number of new items and the time of the last update."
    )

    @Flag(help: "Print the list as a JSON array.")
    var json = false

    func run() throws {
        let file = SubscriptionFile()
        let subscriptions = Subscriptions(try file.text())
        let folder = file.path.map { AbsolutePath.directory(of: $0) } ?? ""
        let reports = subscriptions.all.enumerated().map { place, subscription in
            FeedReport(place + 1, subscription, in: folder, readings: .ofUser)
        }
        guard !json else { return try printJSON(reports) }
        if subscriptions.leftOutCount > 0 {
            let count = subscriptions.leftOutCount
            printError("termgallery: left out \(count) lines that are not feeds")
        }
        guard !reports.isEmpty else {
            return printLine("no feeds yet; add one with termgallery feeds add URL")
        }
        FeedReport.lines(reports).forEach(printLine)
    }
}

/// The `termgallery feeds add` command.
struct AddFeedCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Add a feed to the known feeds."
    )

    @Argument(help: ArgumentHelp("The http(s) URL or the path of the feed.", valueName: "feed"))
    var feed: String
    @Argument(help: ArgumentHelp("The title to list the feed under.", valueName: "title"))
    var title: [String] = []

    func run() throws {
        var address = feed
        if case .path = FeedSource(argument: feed) { address = AbsolutePath.of(feed) }
        let title = title.joined(separator: " ")
        let isWritable = !(address + title).contains { "\n\r\"".contains($0) }
        guard !feed.isEmpty, feed != "-", isWritable else {
            throw ProgramFailure(
                .usage,
                "a known feed is a URL or a path, without line breaks and quotation marks"
            )
        }
        let file = SubscriptionFile()
        let known = Subscriptions(try file.text())
        guard known.places(of: address).isEmpty else {
            return printLine("it is already a known feed")
        }
        let added = Subscription(address: address, title: title.isEmpty ? nil : title)
        try file.append(Subscriptions.line(added))
        printLine("added \(added.name)")
    }
}

/// The `termgallery feeds remove` command.
struct RemoveFeedCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Remove a feed from the known feeds."
    )

    @Argument(
        help: ArgumentHelp("The URL, the title, or the number in the list.", valueName: "feed")
    )
    var feed: String

    func run() throws {
        let file = SubscriptionFile()
        let text = try file.text()
        let known = Subscriptions(text)
        let places = known.places(of: feed)
        guard let first = places.first else {
            let name = FileText.shown(FeedSource(argument: feed).name)
            throw ProgramFailure(
                .someFailed,
                "no known feed has the name \(name); termgallery feeds lists them"
            )
        }
        try file.replace(with: known.text(text, without: places))
        printLine("removed \(known.all[first].name)")
    }
}

/// The information about a feed that `feeds list` prints, as text or JSON.
struct FeedReport: Encodable, Equatable {
    let number: Int
    let title: String?
    /// The URL without user name, password and query, which may contain secrets.
    let address: String
    let tags: [String]
    var items: Int?
    var new: Int?
    /// The time at which the list of seen items was last saved, in ISO 8601 format.
    var read: String?

    init(
        _ number: Int,
        _ subscription: Subscription,
        in folder: String,
        readings: ReadingFolder
    ) {
        self.number = number
        title = subscription.title
        address = URLParts.redacted(subscription.address)
        tags = subscription.tags
        let name = FeedPlaces.name(of: [subscription.source(in: folder)])
        guard let record = name.map(readings.read), let date = record.date else { return }
        (items, new) = (record.itemCount, record.unreadCount)
        read = Date(timeIntervalSince1970: Double(date)).formatted(.iso8601)
    }

    /// Returns one line per feed.
    ///
    /// A line contains the number of the feed, the number of new items, the time of the last
    /// update, the title and the URL.
    static func lines(_ reports: [FeedReport]) -> [TerminalText] {
        let news = reports.map { report -> String in
            guard let new = report.new, let items = report.items else { return "never read" }
            return "\(new) new of \(items)"
        }
        let numberWidth = String(reports.count).count
        let newsWidth = news.map(\.count).max() ?? 0
        return zip(reports, news).map { report, news in
            let number = String(report.number)
            let date = report.read.map { String($0.prefix(16)).replacing("T", with: " ") }
            let parts = [
                String(repeating: " ", count: numberWidth - number.count) + number,
                news + String(repeating: " ", count: newsWidth - news.count),
                date ?? String(repeating: " ", count: 16),
                [report.title, report.address].compactMap(\.self).joined(separator: "  "),
            ]
            return TerminalText(parts.joined(separator: "  "))
        }
    }
}
