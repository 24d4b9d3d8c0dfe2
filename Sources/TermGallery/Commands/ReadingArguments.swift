import ArgumentParser
import Feeds
import GalleryCore

/// The feed reading options, such as the key of the image URLs and the encoding, shared by all
/// commands that read feeds.
struct ReadingArguments: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The key of the image URLs in a JSON feed, as a dotted path such as media.0.url "
                + "(default: detected and reported).",
            valueName: "path"
        )
    )
    var urlKey: String?

    @Option(
        help: ArgumentHelp(
            "The key of the captions in a JSON feed, as a dotted path.",
            valueName: "path"
        )
    )
    var captionKey: String?

    @Option(
        help: ArgumentHelp(
            "The column of the image URLs in a table, by name or by number from 1 (default: "
                + "detected and reported).",
            valueName: "column"
        )
    )
    var urlColumn: String?

    @Option(
        help: ArgumentHelp(
            "The column of the captions in a table, by name or by number from 1.",
            valueName: "column"
        )
    )
    var captionColumn: String?

    @Option(
        oneOf: FeedOptions.Encoding.self,
        help: ArgumentHelp(
            "The encoding of feeds and of names in zip archives: auto (UTF-8, or UTF-16 with a "
                + "byte order mark), latin1, cp932, gbk, big5, euc-jp, euc-kr, windows-1251 or "
                + "cp866.",
            valueName: "name"
        )
    )
    var encoding = FeedOptions.Encoding.automatic.rawValue

    @Flag(
        name: [.customShort("0"), .customLong("null")],
        help: ArgumentHelp(
            "Read paths that end with NUL bytes, as find -print0 writes them."
        )
    )
    var null = false

    @Flag(
        name: [.customShort("r"), .long],
        help: "Read subfolders, too. A folder that is reached by several links is read once."
    )
    var recursive = false

    @Flag(
        help: ArgumentHelp("Show hidden images, whose names begin with a dot.")
    )
    var hidden = false

    @Option(
        help: ArgumentHelp(
            "With -r: the number of folder levels to read.",
            valueName: "levels"
        )
    )
    var depth: Int?

    @Option(
        help: ArgumentHelp(
            "With -r: leave out files and folders that match a .gitignore pattern (repeatable).",
            valueName: "pattern"
        )
    )
    var exclude: [String] = []

    func validate() throws {
        guard recursive || (depth == nil && exclude.isEmpty) else {
            let name = depth == nil ? "--exclude" : "--depth"
            throw ValidationError("\(name) requires -r.")
        }
        guard depth.map({ $0 >= 0 }) ?? true else {
            throw ValidationError("--depth takes a number of 0 or more.")
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
        options.encoding = FeedOptions.Encoding(rawValue: encoding) ?? .automatic
        options.endsEntriesWithZero = null
        options.includesHidden = hidden
        if recursive {
            options.tree = TreeOptions(depth: depth, exclusions: ExclusionRules(exclude))
        }
        return options
    }
}
