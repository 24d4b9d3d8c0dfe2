import ArgumentParser
import FoundationEssentials
import GalleryCore
import ImageLoading

/// `termgallery feeds …`: the feeds that the person has written down.
struct FeedsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "feeds",
        abstract: "List the known feeds, add one, remove one.",
        discussion: """
            They stand in $XDG_CONFIG_HOME/termgallery/feeds, a line for each: the address, then \
            perhaps a title. The file of newsboat can be copied there. `termgallery --all` opens them \
            as one gallery.
            """,
        subcommands: [ListFeedsCommand.self, AddFeedCommand.self, RemoveFeedCommand.self],
        defaultSubcommand: ListFeedsCommand.self
    )
}

/// `termgallery feeds list`.
struct ListFeedsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the known feeds: how much of each is new, and when it was read last."
    )

    @Flag(help: "Print a JSON array.")
    var json = false

    func run() throws {
        let file = SubscriptionFile()
        let subscriptions = Subscriptions(try file.text())
        let folder = file.path.map { AbsolutePath.directory(of: $0) } ?? ""
        let reports = subscriptions.all.enumerated().map { place, subscription in
            FeedReport(place + 1, subscription, in: folder, .ofUser)
        }
        guard !json else { return try printJSON(reports) }
        if subscriptions.leftOutCount > 0 {
            let count = subscriptions.leftOutCount
            printError("termgallery: left out \(count) lines that name no feed")
        }
        guard !reports.isEmpty else {
            return print("no feeds yet; termgallery feeds add ADDRESS adds one")
        }
        FeedReport.lines(reports).forEach { print($0) }
    }
}

/// `termgallery feeds add`.
struct AddFeedCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Add a feed to the known ones."
    )

    @Argument(help: ArgumentHelp("Its http(s) address, or its path.", valueName: "feed"))
    var feed: String
    @Argument(help: ArgumentHelp("What it is to be called.", valueName: "title"))
    var title: [String] = []

    func run() throws {
        var address = feed
        if case .path = FeedSource(argument: feed) { address = AbsolutePath.of(feed) }
        let title = title.joined(separator: " ")
        let isWritable = !(address + title).contains { "\n\r\"".contains($0) }
        guard !feed.isEmpty, feed != "-", isWritable else {
            throw ProgramFailure(.usage, "this can't be a known feed")
        }
        let file = SubscriptionFile()
        let known = Subscriptions(try file.text())
        guard known.places(of: address).isEmpty else {
            return print("it is known already")
        }
        let added = Subscription(address: address, title: title.isEmpty ? nil : title)
        try file.append(Subscriptions.line(added))
        print("added \(EscapedText.of(FileText.shown(added.name)))")
    }
}

/// `termgallery feeds remove`.
struct RemoveFeedCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Remove a feed from the known ones."
    )

    @Argument(
        help: ArgumentHelp("Its address, its title, or its number in the list.", valueName: "feed")
    )
    var feed: String

    func run() throws {
        let file = SubscriptionFile()
        let text = try file.text()
        let known = Subscriptions(text)
        let places = known.places(of: feed)
        guard let first = places.first else {
            let name = FileText.shown(FeedSource(argument: feed).name)
            throw ProgramFailure(.someFailed, "no known feed is called \(name)")
        }
        try file.replace(with: known.text(text, without: places))
        print("removed \(EscapedText.of(FileText.shown(known.all[first].name)))")
    }
}

/// What is known of a feed, for people and for programs.
struct FeedReport: Encodable, Equatable {
    let number: Int
    let title: String?
    /// Without a login or a query, which may be secrets.
    let address: String
    let tags: [String]
    var items: Int?
    var new: Int?
    /// When its reading was kept last, as ISO 8601 has it.
    var read: String?

    init(
        _ number: Int,
        _ subscription: Subscription,
        in folder: String,
        _ readings: ReadingFolder
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

    /// A table: number, what is new, when it was read, title and address.
    static func lines(_ reports: [FeedReport]) -> [String] {
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
            return EscapedText.of(FileText.shown(parts.joined(separator: "  ")))
        }
    }
}
