import ArgumentParser
import GalleryCore
import Glibc
import ImageLoading

/// `termgallery [FEED…]`: the gallery.
struct GalleryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "gallery",
        abstract: "Open the gallery on feeds (the default).",
        discussion: """
            Without a FEED it opens the demo. Where standard output is no terminal it prints \
            thumbnails instead, as `termgallery print` does. Press ? in the gallery for its keys.
            """
    )

    @OptionGroup var feeds: FeedArguments
    @OptionGroup var screen: ScreenArguments
    @OptionGroup var loading: LoadingArguments
    @OptionGroup var gallery: GalleryArguments

    func run() throws {
        guard !feeds.names.isEmpty else { return try runDemo() }
        guard isatty(STDOUT_FILENO) == 1 else { return try runPrint() }
        guard !feeds.names.contains("-") || isatty(STDIN_FILENO) == 0 else {
            throw ProgramFailure(
                .feedUnreadable,
                "standard input is the keyboard: pipe a feed into it, or name a file"
            )
        }
        let session = try GallerySession()
        try session.run(
            sources: feeds.sources,
            manager: try loading.makeManager(isGallery: true),
            screen: screen.overrides,
            options: gallery.options
        )
    }

    private func runDemo() throws {
        var demo = try DemoCommand.parse([])
        demo.screen = screen
        demo.loading = loading
        demo.gallery = gallery
        try demo.run()
    }

    private func runPrint() throws {
        var print = try PrintCommand.parse(["--"] + feeds.names)  // a name may begin with a dash
        print.screen = screen
        print.loading = loading
        print.thumbnails = gallery.thumbnails
        try print.run()
    }
}
