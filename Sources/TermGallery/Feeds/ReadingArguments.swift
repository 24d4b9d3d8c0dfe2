public import ArgumentParser
public import GalleryCore

/// How feeds are to be read, where they don't say it themselves; shared by all commands that read them.
struct ReadingArguments: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Where JSON has the pictures' addresses: a dotted path such as media.0.url (default: "
                + "looked for, and said).",
            valueName: "path"
        )
    )
    var urlKey: String?

    @Option(help: ArgumentHelp("Where JSON has their captions.", valueName: "path"))
    var captionKey: String?

    @Option(
        help: ArgumentHelp(
            "Which column of a table has the pictures' addresses, by name or number from 1 on "
                + "(default: looked for, and said).",
            valueName: "column"
        )
    )
    var urlColumn: String?

    @Option(help: ArgumentHelp("Which column has their captions.", valueName: "column"))
    var captionColumn: String?

    @Option(
        help: ArgumentHelp(
            "How feeds are text: auto (UTF-8, or UTF-16 with a byte order mark) or latin1.",
            valueName: "name"
        )
    )
    var encoding = FeedOptions.Encoding.automatic

    @Flag(
        name: [.customShort("0"), .customLong("null")],
        help: "A zero ends each entry of a feed, as find -print0 writes them: each is a whole path."
    )
    var null = false

    @Flag(
        name: [.customShort("r"), .long],
        help: "Read the folders in a folder too; links are read once."
    )
    var recursive = false

    @Flag(help: "Of a folder, show hidden pictures too, whose names begin with a dot.")
    var hidden = false

    @Option(help: ArgumentHelp("With -r: how many levels of folders.", valueName: "levels"))
    var depth: Int?

    @Option(
        help: ArgumentHelp(
            "With -r: leave files and folders out, by a pattern as in .gitignore (may be repeated).",
            valueName: "pattern"
        )
    )
    var exclude: [String] = []

    func validate() throws {
        guard recursive || (depth == nil && exclude.isEmpty) else {
            let name = depth == nil ? "--exclude" : "--depth"
            throw ValidationError("\(name) says how folders in a folder are read: add -r.")
        }
        guard depth.map({ $0 >= 0 }) ?? true else {
            throw ValidationError("--depth takes a number from 0 on.")
        }
        let paths = [
            "--url-key": urlKey, "--caption-key": captionKey, "--url-column": urlColumn,
            "--caption-column": captionColumn,
        ]
        if let name = paths.filter({ $0.value?.isEmpty == true }).keys.min() {
            throw ValidationError("\(name) takes a name.")
        }
    }

    var options: FeedOptions {
        var options = FeedOptions()
        (options.urlKey, options.captionKey) = (urlKey, captionKey)
        (options.urlColumn, options.captionColumn) = (urlColumn, captionColumn)
        options.encoding = encoding
        options.endsEntriesWithZero = null
        options.includesHidden = hidden
        if recursive {
            options.tree = TreeOptions(depth: depth, exclusions: ExclusionRules(exclude))
        }
        return options
    }
}

extension FeedOptions.Encoding: ExpressibleByArgument {}
