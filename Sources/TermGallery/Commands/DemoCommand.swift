import ArgumentParser
import DemoServer
import GalleryCore
import Glibc
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
        let session = try gallery.plain ? nil : GallerySession()
        var options = try gallery.makeOptions()
        // Its address is another one each time.
        options.remembers = false
        options.feedOrigin.refusal = "the demo's feed never changes"
        let server = try demo.start(port: 0)
        defer { server.stop() }
        TemporaryFolder.sweep()
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        var loading = loading
        // The ports of two runs differ, and so do their URLs: what one kept never helps the next.
        if loading.disk.cacheDir == nil { loading.disk.cacheDir = folder.path }
        // A proxy's "127.0.0.1" is another machine.
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

    /// Nothing of what is under way makes a file any more, or the folder anew.
    private static func empty(_ manager: ImageManager) {
        manager.stop()
        waitFor { _ = await manager.clearDisk() }
    }
}

/// `termgallery serve`: the demo server alone.
struct ServeCommand: ParsableCommand {
    /// Where `sample-feeds/demo.txt` expects it.
    static let defaultPort = 8799

    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Serve made-up pictures on this machine, slowly or badly as you ask.",
        discussion: """
            Listens on 127.0.0.1 only, until Ctrl-C. /feed.txt is the feed, /pictures/N.jpg a \
            picture, /counters.json what was asked of it. Query parameters make one picture \
            misbehave: latency, bandwidth, status, truncate, reset, stall, redirect and others; the \
            page at / lists them.
            """
    )

    @OptionGroup var demo: DemoArguments
    @Option(help: ArgumentHelp("Port to listen on (0: any).", valueName: "port"))
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
        // Before the server's threads exist, so that they inherit the mask and none of them dies.
        pthread_sigmask(SIG_BLOCK, &signals, nil)

        let server = try demo.start(port: port)
        print("serving \(demo.count) pictures, feed \(server.feedURL), Ctrl-C ends it")
        fflush(nil)
        var signal: Int32 = 0
        sigwait(&signals, &signal)

        server.stop()
        let counters = server.counters
        print("\(counters.requests) requests, \(counters.aborted) abandoned by the client")
    }
}

/// How the demo server behaves; shared by `demo` and `serve`.
struct DemoArguments: ParsableArguments {
    @Option(help: ArgumentHelp("Pictures in its feed.", valueName: "count"))
    var count = 1000

    @Option(help: ArgumentHelp("Wait so long before each answer.", valueName: "milliseconds"))
    var latency = 300

    @Option(
        help: ArgumentHelp(
            "Bytes a second on each connection (k, M; 0: no limit).",
            valueName: "bytes"
        )
    )
    var bandwidth = ByteCountArgument(value: 200 << 10)

    @Option(help: ArgumentHelp("Percent of the pictures that go wrong.", valueName: "percent"))
    var failures = 3

    @Option(help: ArgumentHelp("Another seed makes other pictures.", valueName: "number"))
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
            bandwidth: bandwidth.value > 0 ? bandwidth.value : nil,
            failureRate: Double(failures) / 100,
            seed: seed,
            port: port
        )
    }

    /// Starts the server on `port`, 0 for any.
    func start(port: Int) throws -> DemoServer {
        try StartCheck.run()
        do {
            return try DemoServer.start(configuration(port: port))
        } catch {
            throw ProgramFailure(
                .systemFailure,
                "the demo server can't listen on 127.0.0.1:\(port): \(error)"
            )
        }
    }
}
