import ArgumentParser
import Feeds
import GalleryCore
import Glibc
import ImageLoading

/// The `termgallery [FEED…]` command, which opens the gallery.
struct GalleryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "gallery",
        abstract: "Open the gallery (the default command).",
        discussion: """
            Without a FEED, the current folder is opened. If standard output is not a terminal, \
            thumbnails are printed, as by `termgallery print`. Press ? in the gallery for its keys.
            """
    ).withoutCompletions

    @OptionGroup var feeds: FeedArguments
    @OptionGroup(title: "Feeds") var watching: WatchArguments
    @OptionGroup(title: "Display") var screen: ScreenArguments
    @OptionGroup(title: "Loading") var loading: LoadingArguments
    @OptionGroup(title: "Gallery") var gallery: GalleryArguments

    @Flag(help: "Open a single image alone, without the other images in its folder.")
    var alone = false

    func run() throws {
        try FeedNameCheck.check(feeds.names)
        if let folders = try watching.options(for: feeds) { return try run(folders) }
        try requireNamedPipe()
        guard !gallery.plain else {
            return try loading.tellPlainly(feeds.sources, options: feeds.reading.options)
        }
        guard isatty(STDOUT_FILENO) == 1 || gallery.selection.prints else { return try runPrint() }
        guard !feeds.names.contains("-") || isatty(STDIN_FILENO) == 0 else {
            throw ProgramFailure(
                .feedUnreadable,
                "standard input is the keyboard; pipe a feed into it, or name a file"
            )
        }
        let session = try GallerySession()
        var options = try gallery.makeOptions(transfers: loading.transfers)
        options.feed = feeds.reading.options
        options.opensFolder = !alone
        try session.run(
            sources: feeds.sources,
            manager: try loading.makeManager(isGallery: true, events: options.recentEvents),
            screen: screen.overrides,
            options: options
        )
    }

    private func run(_ folders: WatchOptions) throws {
        guard isatty(STDOUT_FILENO) == 1 || gallery.selection.prints else {
            throw ProgramFailure(.usage, "--watch needs a terminal")
        }
        let session = try GallerySession()
        let options = try gallery.makeOptions(transfers: loading.transfers)
        try session.run(
            watching: folders,
            manager: try loading.makeManager(isGallery: true, events: options.recentEvents),
            screen: screen.overrides,
            options: options
        )
    }

    /// Throws an error if standard input is a pipe but no feed is named.
    ///
    /// A user who pipes a feed into the program expects to see that feed rather than the current
    /// directory. However, programs often inherit unrelated pipes, so a pipe is read only if the
    /// user requests it with `-`.
    private func requireNamedPipe() throws {
        var status = stat()
        guard feeds.names.isEmpty, !feeds.all, fstat(STDIN_FILENO, &status) == 0,
            status.st_mode & S_IFMT == S_IFIFO
        else { return }
        throw ProgramFailure(
            .usage,
            "standard input is a pipe; to browse its feed, use: termgallery -"
        )
    }

    private func runPrint() throws {
        var print = try PrintCommand.parse(["."])
        print.feeds = feeds
        print.screen = screen
        print.loading = loading
        print.exact = gallery.exact
        try print.printFeeds()
    }
}
