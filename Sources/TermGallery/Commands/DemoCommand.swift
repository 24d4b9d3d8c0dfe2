import ArgumentParser
import DemoServer
import Feeds
import GalleryCore
import Glibc
import ImageLoading
import TerminalUI

/// The `termgallery demo` command, which shows images from the built-in demo server.
struct DemoCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Open the gallery on generated images from a slow built-in server.",
        discussion: """
            Hold j and watch the lanes: a cell that leaves the screen cancels its transfer, \
            and the bytes that were not downloaded are counted. --autoscroll shows this automatically, \
            first with cancellation and then without it. By default nothing is stored on disk, so that every run starts slowly; \
            use --cache-dir to keep the images.
            """
    ).withoutCompletions

    @OptionGroup var demo: DemoArguments
    @OptionGroup(title: "Display") var screen: ScreenArguments
    @OptionGroup(title: "Loading") var loading: LoadingArguments
    @OptionGroup(title: "Gallery") var gallery: GalleryArguments

    func run() throws {
        let session = try gallery.plain ? nil : GallerySession()
        var options = try gallery.makeOptions(transfers: loading.transfers, showsLanes: true)
        options.settings.lanes.byteCounts = demo.byteCounts
        options.settings.tellStory()
        // The server's URL is different in each run.
        options.remembers = false
        options.feedOrigin.refusal = "the demo's feed never changes"
        let server = try demo.start(port: 0)
        defer { server.stop() }
        TemporaryFolder.sweep()
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        var loading = loading
        // Each run uses a different port and therefore different URLs, so later runs can't use the
        // images that this run caches.
        if loading.disk.cacheDir == nil { loading.disk.cacheDir = folder.path }
        // A proxy would resolve "127.0.0.1" to itself.
        loading.proxy = ""
        guard let session else { return try loading.tellPlainly([.remote(server.feedURL)]) }
        let manager = try loading.makeManager(isGallery: true, events: options.recentEvents)
        defer { if loading.disk.cacheDir == folder.path { Self.empty(manager) } }
        try session.run(
            sources: [.remote(server.feedURL)],
            manager: manager,
            screen: screen.overrides,
            options: options
        )
    }

    /// Stops all work of the image manager, and then deletes everything from the disk cache.
    ///
    /// Work that continued could create a file or directory after the deletion.
    private static func empty(_ manager: ImageManager) {
        manager.stop()
        waitFor { _ = await manager.clearDisk() }
    }
}

/// The `termgallery serve` command, which runs only the demo server.
struct ServeCommand: ParsableCommand {
    /// The default port, which `sample-feeds/demo.txt` also uses.
    static let defaultPort = 8799

    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Serve generated images on this machine, with delays and faults for tests.",
        discussion: """
            Listens on 127.0.0.1 until Ctrl-C. /feed.txt is the feed, /pictures/N.jpg an image, \
            /counters.json the request statistics. Query parameters add faults to a single image: \
            latency, bandwidth, status, truncate, reset, stall, redirect and others. The page at / \
            lists them.
            """
    ).withoutCompletions

    @OptionGroup var demo: DemoArguments
    @Option(help: ArgumentHelp("The port to listen on; 0 selects a free one.", valueName: "port"))
    var port = ServeCommand.defaultPort

    func validate() throws {
        guard (0...65535).contains(port) else {
            throw ValidationError("--port takes a number from 0 to 65535.")
        }
    }

    func run() throws {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGINT)
        sigaddset(&signals, SIGTERM)
        // The signals are blocked before the server starts its threads, so the threads inherit the
        // mask and no signal ends the process.
        pthread_sigmask(SIG_BLOCK, &signals, nil)

        let server = try demo.start(port: port)
        printLine("serving \(demo.count) images, feed \(server.feedURL), Ctrl-C ends it")
        fflush(nil)
        var signal: Int32 = 0
        sigwait(&signals, &signal)

        server.stop()
        let counters = server.counters
        printLine("\(counters.requests) requests, \(counters.aborted) abandoned by the client")
    }
}

/// The options of the demo server, shared by `demo` and `serve`.
struct DemoArguments: ParsableArguments {
    @Option(help: ArgumentHelp("The number of images in the feed.", valueName: "count"))
    var count = 1000

    @Option(
        help: ArgumentHelp(
            "The delay before each response, in milliseconds.",
            valueName: "milliseconds"
        )
    )
    var latency = 300

    @Option(
        help: ArgumentHelp(
            "The bandwidth of each connection in bytes per second (suffixes k, M; 0: no limit; "
                + "default: 200k).",
            valueName: "bytes"
        ),
        transform: ByteCountArgument.value
    )
    var bandwidth: Int?

    @Option(help: ArgumentHelp("The percentage of images that fail.", valueName: "percent"))
    var failures = 3

    @Option(help: ArgumentHelp("The seed of the generated images.", valueName: "number"))
    var seed: UInt64 = 1

    func validate() throws {
        guard (1...1_000_000).contains(count) else {
            throw ValidationError("--count takes a number from 1 to 1000000.")
        }
        guard (0...600_000).contains(latency) else {
            throw ValidationError("--latency takes milliseconds from 0 to 600000.")
        }
        guard (0...100).contains(failures) else {
            throw ValidationError("--failures takes a percentage from 0 to 100.")
        }
    }

    func configuration(port: Int) -> DemoConfiguration {
        DemoConfiguration(
            count: count,
            latency: .milliseconds(latency),
            bandwidth: bandwidth == 0 ? nil : bandwidth ?? 200 << 10,
            failureRate: Double(failures) / 100,
            seed: seed,
            port: port
        )
    }

    /// The sizes of the images, known before the server reports them.
    var byteCounts: ItemByteCounts {
        let sizes = DemoImageSizes.sizes(configuration(port: 0))
        return ItemByteCounts(first: sizes.first, mean: sizes.mean)
    }

    /// Starts the server on `port`, or on any free port if `port` is 0.
    func start(port: Int) throws -> DemoServer {
        try StartCheck.run()
        do {
            return try DemoServer.start(configuration(port: port))
        } catch {
            throw ProgramFailure(
                .systemFailure,
                "the demo server \(error)" + (port == 0 ? "" : "; choose another with --port")
            )
        }
    }
}
