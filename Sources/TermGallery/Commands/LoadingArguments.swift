import ArgumentParser
import Decoders
import Feeds
import ImageLoading
import Logging

/// The image loading options, shared by every command that loads images.
struct LoadingArguments: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The number of simultaneous transfers, 1 to 64.",
            valueName: "count"
        )
    )
    var transfers = 6

    @Option(
        help: ArgumentHelp(
            "The URL of an HTTP or SOCKS proxy; '' uses none (default: $http_proxy, "
                + "$https_proxy or "
                + "$all_proxy; $no_proxy applies).",
            valueName: "url"
        )
    )
    var proxy: String?

    @Flag(inversion: .prefixedNo, help: "Send no requests; show only what is in the caches.")
    var offline = false

    @Option(
        help: ArgumentHelp(
            "Give up if the server sends nothing for this many seconds.",
            valueName: "seconds"
        )
    )
    var timeout = 15

    @Option(
        help: ArgumentHelp(
            "Keep retrying an unreachable server for this many seconds, in fetch and for images on "
                + "the screen; 0 fails immediately.",
            valueName: "seconds"
        )
    )
    var patience = 300

    @Option(
        help: ArgumentHelp(
            "The largest file to download (suffixes k, M, G; default: 64M).",
            valueName: "bytes"
        ),
        transform: ByteCountArgument.value
    )
    var maxBytes: Int?

    @Option(
        help: ArgumentHelp(
            "The largest image to decode, in megapixels; by default, up to 512 MiB of memory.",
            valueName: "megapixels"
        )
    )
    var maxPixels: Int?

    @Option(
        oneOf: DecoderIsolation.self,
        help: ArgumentHelp(
            "Decode in separate, sandboxed processes: auto (if the system supports it), always or "
                + "never.",
            valueName: "when"
        )
    )
    var isolate = DecoderIsolation.auto.rawValue

    @Option(
        help: ArgumentHelp(
            "The largest size of the memory cache (default: a tenth of RAM, at most 256M).",
            valueName: "bytes"
        ),
        transform: ByteCountArgument.value
    )
    var memoryCache: Int?

    @OptionGroup(title: "Disk cache") var disk: DiskCacheArguments
    @OptionGroup(title: "Configuration") var configurationFile: ConfigurationArguments

    @Flag(help: ArgumentHelp("Do not use a disk cache."))
    var noDiskCache = false

    @Flag(
        inversion: .prefixedNo,
        help: ArgumentHelp(
            "Also store thumbnails of local images for desktop programs. Their thumbnails "
                + "are always "
                + "used."
        )
    )
    var desktopThumbnails = false

    @Option(
        help: ArgumentHelp(
            "Append log messages to a file.",
            valueName: "file"
        ),
        completion: .file()
    )
    var log: String?

    @Option(
        help: ArgumentHelp(
            "Write every loading event to a file, one JSON object per line.",
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
        guard (1...10_000).contains(maxPixels ?? 1) else {
            throw ValidationError("--max-pixels takes a number of megapixels from 1 to 10000.")
        }
        if let proxy, !ProxyArgument.isUsable(proxy) {
            throw ValidationError("--proxy takes \(ProxyArgument.example).")
        }
    }
}

extension LoadingArguments {
    /// Creates an image manager with these options.
    func makeManager(
        isGallery: Bool = false,
        events: RecentEvents? = nil,
        courtesy: Courtesy = Courtesy(),
        insecureHosts: Set<String> = [],
        onNotice: (@Sendable (TransferNotice) -> Void)? = nil
    ) throws -> ImageManager {
        try StartCheck.run()
        var configuration = configuration(isGallery: isGallery)
        if let directory = configuration.disk?.directory,
            let fault = configuration.disk?.complaint()
        {
            printError("termgallery: the disk cache \(directory) is disabled: \(fault)")
            configuration.disk = nil
        }
        configuration.hooks.onNotice = onNotice
        configuration.insecureHosts = insecureHosts
        courtesy.userAgent.map { configuration.transport.userAgent = $0 }
        configuration.downloader.maximumTransfersPerHost = courtesy.transfersPerHost
        configuration.hooks.headers = HostFields.hook(ProgramConfiguration.current.values.hosts)
        fit(&configuration, to: .raised())
        if let log {
            let handler = try FileLogHandler(path: log)
            ExitHandlers.add { handler.complaint.map { printError("\($0)") } }
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

    /// Returns the configuration for the options and the type of command.
    ///
    /// In a gallery, the images that became visible last are loaded first, and key presses have a
    /// higher priority than decoding. Other commands only wait for their images, so decoding has
    /// normal priority.
    func configuration(isGallery: Bool) -> ImageManagerConfiguration {
        var configuration = ImageManagerConfiguration()
        configuration.downloader.order = isGallery ? .lastInFirstOut : .firstInFirstOut
        if !isGallery { configuration.decodeThreadNiceness = 0 }
        configuration.downloader.maximumConcurrentTransfers = transfers
        if let maxBytes { configuration.downloader.maximumByteCount = maxBytes }
        configuration.downloader.patience = .seconds(patience)
        configuration.transport.userAgent = "TermGallery/\(TermGalleryCommand.version)"
        configuration.transport.proxy = proxy
        configuration.isOffline = offline
        configuration.sources = ArchiveSources.all()
        configuration.transport.idleTimeout = .seconds(timeout)
        configuration.transport.connectTimeout = min(
            configuration.transport.connectTimeout,
            .seconds(timeout)
        )
        configuration.isolation = DecoderIsolation(rawValue: isolate) ?? .auto
        if let maxPixels { configuration.limits.maximumPixelCount = maxPixels * 1_000_000 }
        if let memoryCache { configuration.memoryByteLimit = memoryCache }
        configuration.disk = noDiskCache ? nil : disk.configuration
        configuration.desktopThumbnails = desktopThumbnails ? .readAndWrite : .read
        return configuration
    }
}

extension LoadingArguments {
    /// Reduces the number of simultaneous transfers if the limit on open files requires it.
    ///
    /// Any reduction is reported to the user.
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
            """
            termgallery: \(count) of \(transfers) transfers at once: \
            the limit of open files is \(limit.count) (ulimit -n)
            """
        )
    }
}
