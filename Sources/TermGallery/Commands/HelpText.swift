/// The help of a command: the help message from ArgumentParser, with the options grouped by topic.
///
/// `--help` prints the most used options and the command's own options. `--help-all` prints all
/// options. `--help-TOPIC` prints the options of a topic. Examples are at the end.
struct HelpText {
    /// The requested part of the help.
    enum Extent: Equatable {
        case mostUsed
        case all
        case topic(HelpTopic)

        fileprivate init?(flag: String) {
            guard flag.hasPrefix("--help-") else { return nil }
            let name = String(flag.dropFirst("--help-".count))
            if name == "all" {
                self = .all
            } else if let topic = HelpTopic(rawValue: name) {
                self = .topic(topic)
            } else {
                return nil
            }
        }
    }

    /// The maximum number of options to list without grouping them by topic.
    private static let smallCount = 12

    private let message: String
    private let gallery: String
    private let fetch: String

    /// Creates the help text of a command.
    ///
    /// - Parameters:
    ///   - message: The parser's help message for the command.
    ///   - gallery: The parser's help message for the gallery, whose options the program itself
    ///     accepts.
    ///   - fetch: The parser's help message for `fetch`, the only command with options of some
    ///     topics.
    init(_ message: String, gallery: String, fetch: String) {
        self.message = message
        self.gallery = gallery
        self.fetch = fetch
    }

    /// Returns the part of the help that the arguments ask for.
    static func extent(of arguments: [String]) -> Extent {
        arguments.prefix { $0 != "--" }.lazy.compactMap(Extent.init(flag:)).first ?? .mostUsed
    }

    /// Returns the arguments to pass to the parser.
    ///
    /// The parser supports only `--help`, so flags such as `--help-all` are replaced with `--help`.
    static func parsed(_ arguments: [String]) -> [String] {
        guard extent(of: arguments) != .mostUsed else { return arguments }
        let end = arguments.firstIndex(of: "--") ?? arguments.endIndex
        return arguments[..<end].map { Extent(flag: $0) == nil ? $0 : "--help" } + arguments[end...]
    }

    func text(_ extent: Extent) -> String {
        // The output of `--version` and shell completion scripts are also passed as messages.
        guard message.hasPrefix("OVERVIEW:") else { return message }
        let page = HelpPage(message)
        if case .topic(let topic) = extent { return text(of: topic, page) }
        let isProgram = page.command == nil
        let options = isProgram ? pages.flatMap(\.options) : page.options
        let examples = HelpExamples.lines(ofCommand: page.command).map { "EXAMPLES:\n\($0)" }
        guard options.count > Self.smallCount else { return Self.joined([message, examples]) }
        // Without --pick, --json is an option of the command itself.
        let known = HelpTopic.allCases.filter { topic in
            topic != .selection || options.contains { $0.name == "pick" }
        }
        let topics = known.filter { Self.section(of: $0, options) != nil }
        let sections =
            extent == .all
            ? topics.map { Self.section(of: $0, options, namesCommand: isProgram) }
            : [Self.section("MOST USED OPTIONS:", names: HelpTopic.mostUsed, options: options)]
        let own = page.ownSections(without: known.flatMap(\.options))
        let more = extent == .all ? nil : Self.more(topics)
        return Self.joined([page.head] + sections + own + [page.commands, more, examples])
    }

    /// Returns the help for the options of a topic.
    ///
    /// If the command has no options for the topic, the options of the gallery or of `fetch` are
    /// shown.
    private func text(of topic: HelpTopic, _ page: HelpPage) -> String {
        for page in [page] + pages {
            guard let section = Self.section(of: topic, page.options) else { continue }
            return Self.joined([page.usage, section, Self.more(HelpTopic.allCases)])
        }
        return message
    }

    private var pages: [HelpPage] { [HelpPage(gallery), HelpPage(fetch)] }

    private static func more(_ topics: [HelpTopic]) -> String {
        """
        All options: --help-all. Options of a topic: --help-TOPIC. The topics:
          \(topics.map(\.rawValue).joined(separator: ", "))
        """
    }

    private static func section(
        of topic: HelpTopic,
        _ options: [HelpPage.Option],
        namesCommand: Bool = false
    ) -> String? {
        let isOfFetch = namesCommand && topic == .robots
        return section(
            isOfFetch ? "ROBOTS (only fetch):" : topic.title,
            names: topic.options,
            options: options
        )
    }

    private static func section(
        _ title: String,
        names: [String],
        options: [HelpPage.Option]
    ) -> String? {
        let named = names.compactMap { name in options.first { $0.name == name } }
        guard !named.isEmpty else { return nil }
        return ([title] + named.flatMap(\.lines)).joined(separator: "\n")
    }

    /// Joins the parts, separated by blank lines.
    private static func joined(_ parts: [String?]) -> String {
        let trimmed = parts.compactMap { part in
            part.map { $0[...($0.lastIndex { !$0.isNewline } ?? $0.startIndex)] }
        }
        return trimmed.joined(separator: "\n\n")
    }
}
