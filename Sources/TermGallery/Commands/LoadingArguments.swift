import ArgumentParser
import Decoders
import ImageLoading
import Logging

/// The options that shape the engine; shared by every command that loads images.
struct LoadingArguments: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Transfers at once (1 to 64).",
            valueName: "count"
        )
    )
    var transfers = 6

    @Option(
        help: ArgumentHelp(
            "The proxy to ask, http or socks5 ('' for none; default: $http_proxy, $https_proxy, "
                + "$all_proxy; $no_proxy holds).",
            valueName: "url"
        )
    )
    var proxy: String?

    @Flag(inversion: .prefixedNo, help: "Ask no server: show what the caches have.")
    var offline = false

    @Option(
        help: ArgumentHelp(
            "Give up on a server after so long without a byte.",
            valueName: "seconds"
        )
    )
    var timeout = 15

    @Option(
        help: ArgumentHelp(
            "How long fetch, and a picture on the screen, wait for a server that is away, without a "
                + "byte of it; 0 fails at once.",
            valueName: "seconds"
        )
    )
    var patience = 300

    @Option(help: ArgumentHelp("The largest body accepted (k, M, G).", valueName: "bytes"))
    var maxBytes = ByteCountArgument(value: 64 << 20)

    @Option(
        help: ArgumentHelp("The largest picture decoded, in megapixels.", valueName: "megapixels")
    )
    var maxPixels = 100

    @Option(
        help: ArgumentHelp(
            "Decode in processes that can do nothing else: auto (where that is possible), always "
                + "or never.",
            valueName: "when"
        )
    )
    var isolate = DecoderIsolation.auto

    @Option(
        help: ArgumentHelp(
            "Budget of the memory cache (default: a tenth of RAM, at most 256M).",
            valueName: "bytes"
        )
    )
    var memoryCache: ByteCountArgument?

    @OptionGroup var disk: DiskCacheArguments
    @OptionGroup var configurationFile: ConfigurationArguments

    @Flag(help: "Keep nothing on disk.")
    var noDiskCache = false

    @Flag(
        inversion: .prefixedNo,
        help: ArgumentHelp(
            "Make thumbnails of local pictures for the programs of the desktop, too; theirs are "
                + "shown in any case."
        )
    )
    var desktopThumbnails = false

    @Option(
        help: ArgumentHelp("Append messages to a file.", valueName: "file"),
        completion: .file()
    )
    var log: String?

    @Option(
        help: ArgumentHelp(
            "Write every loading event to a file, as JSON lines.",
            valueName: "file"
        ),
        completion: .file()
    )
    var trace: String?

    func validate() throws {
        guard (1...64).contains(transfers) else {
            throw ValidationError("--transfers takes a number from 1 to 64.")
        }
        guard (1...3600).contains(timeout) else {
            throw ValidationError("--timeout takes a number of seconds from 1 to 3600.")
        }
        guard (0...86_400).contains(patience) else {
            throw ValidationError("--patience takes a number of seconds from 0 to 86400.")
        }
        guard (1...10_000).contains(maxPixels) else {
            throw ValidationError("--max-pixels takes a number of megapixels from 1 to 10000.")
        }
        if let proxy, !ProxyArgument.isUsable(proxy) {
            throw ValidationError("--proxy takes \(ProxyArgument.example).")
        }
    }
}

extension LoadingArguments {
    /// The engine that these options describe.
    func makeManager(
        isGallery: Bool = false,
        events: RecentEvents? = nil,
        courtesy: Courtesy = Courtesy(),
        onNotice: (@Sendable (TransferNotice) -> Void)? = nil
    ) throws -> ImageManager {
        try StartCheck.run()
        var configuration = configuration(isGallery: isGallery)
        if let directory = configuration.disk?.directory,
            let fault = configuration.disk?.complaint()
        {
            printError("termgallery: the disk cache \(directory) is not used: \(fault)")
            configuration.disk = nil
        }
        configuration.hooks.onNotice = onNotice
        courtesy.userAgent.map { configuration.transport.userAgent = $0 }
        configuration.downloader.maximumTransfersPerHost = courtesy.transfersPerHost
        configuration.hooks.headers = HostFields.hook(ProgramConfiguration.current.values.hosts)
        fit(&configuration, to: .raised())
        if let log {
            let handler = try FileLogHandler(path: log)
            ExitHandlers.add { handler.complaint.map(printError) }
            configuration.logger = Logger(label: "termgallery") { _ in handler }
        }
        let written = try trace.map(TraceOutput.open)
        if written != nil || events != nil {
            configuration.trace = { event in
                written?(event)
                events?.record(event)
            }
        }
        let manager = ImageManager(configuration: configuration)
        manager.watchMemory(through: PressureStallSource(), after: .milliseconds(500))
        return manager
    }

    /// What the options say, and what follows from their use: a gallery wants what came into view
    /// last first, and its keys answered before that; elsewhere nothing waits but the images.
    func configuration(isGallery: Bool) -> ImageManagerConfiguration {
        var configuration = ImageManagerConfiguration()
        configuration.downloader.order = isGallery ? .lastInFirstOut : .firstInFirstOut
        if !isGallery { configuration.decodeThreadNiceness = 0 }
        configuration.downloader.maximumConcurrentTransfers = transfers
        configuration.downloader.maximumByteCount = maxBytes.value
        configuration.downloader.patience = .seconds(patience)
        configuration.transport.userAgent = "TermGallery/\(TermGalleryCommand.version)"
        configuration.transport.proxy = proxy
        configuration.isOffline = offline
        configuration.transport.idleTimeout = .seconds(timeout)
        configuration.transport.connectTimeout = min(
            configuration.transport.connectTimeout,
            .seconds(timeout)
        )
        configuration.isolation = isolate
        configuration.limits = DecodingLimits(maximumPixelCount: maxPixels * 1_000_000)
        if let memoryCache { configuration.memoryByteLimit = memoryCache.value }
        configuration.disk = noDiskCache ? nil : disk.configuration
        configuration.desktopThumbnails = desktopThumbnails ? .readAndWrite : .read
        return configuration
    }
}

extension LoadingArguments {
    /// Has no more transfers at once than there may be open files, and says so.
    private func fit(
        _ configuration: inout ImageManagerConfiguration,
        to limit: DescriptorLimit
    ) {
        let count = limit.transferCount(wanted: transfers)
        configuration.downloader.maximumConcurrentTransfers = count
        configuration.transport.maximumIdleConnections = min(
            configuration.transport.maximumIdleConnections,
            limit.idleConnectionCount
        )
        guard count < transfers else { return }
        printError(
            "termgallery: \(count) of \(transfers) transfers at once: "
                + "the limit of open files is \(limit.count) (ulimit -n)"
        )
    }
}
