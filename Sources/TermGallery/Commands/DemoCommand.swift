import ArgumentParser
import DemoServer
import GalleryCore
import ImageLoading

/// `termgallery demo`: the gallery on the embedded server.
struct DemoCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Open the gallery on made-up pictures from a slow server inside the program.",
        discussion: """
            Scroll fast and watch the status bar: a cell that leaves the screen while it loads \
            cancels its transfer, and the bytes that never came are counted. --autoscroll shows it \
            without hands. By default nothing is kept on disk, so that every run is slow again; \
            --cache-dir keeps it.
            """
    )

    @OptionGroup var demo: DemoArguments
    @OptionGroup var screen: ScreenArguments
    @OptionGroup var loading: LoadingArguments
    @OptionGroup var gallery: GalleryArguments

    func run() throws {
        let session = try GallerySession()
        let server = try demo.start(port: 0)
        defer { server.stop() }
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        var loading = loading
        // The ports of two runs differ, and so do their URLs: what one kept never helps the next.
        if loading.cacheDir == nil { loading.cacheDir = folder.path }
        // A proxy's "127.0.0.1" is another machine.
        loading.proxy = ""
        try session.run(
            sources: [.remote(server.feedURL)],
            manager: try loading.makeManager(isGallery: true),
            screen: screen.overrides,
            options: gallery.options
        )
    }
}
