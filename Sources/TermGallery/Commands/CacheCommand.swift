import ArgumentParser
import FoundationEssentials
import GalleryCore
import ImageLoading

/// `termgallery cache …`: the disk cache from the shell.
struct CacheCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cache",
        abstract: "Look at the disk cache, clear it, clean it.",
        subcommands: [StatsCommand.self, ClearCommand.self, CleanCommand.self, PathCommand.self],
        defaultSubcommand: StatsCommand.self
    )
}

/// Which disk cache is meant.
struct CacheLocation: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Where the disk cache lies (default: $XDG_CACHE_HOME/termgallery).",
            valueName: "folder"
        ),
        completion: .directory
    )
    var cacheDir: String?

    @Option(help: ArgumentHelp("Budget of the disk cache (k, M, G).", valueName: "bytes"))
    var diskCache = ByteCountArgument(value: 512 << 20)

    @Flag(help: "Print a JSON object.")
    var json = false

    func validate() throws {
        try CacheFolderArgument.validate(cacheDir)
    }

    var configuration: DiskCacheConfiguration {
        var configuration = DiskCacheConfiguration()
        configuration.byteLimit = diskCache.value
        if let cacheDir { configuration.directory = AbsolutePath.of(cacheDir) }
        return configuration
    }

    func open() -> DiskCache {
        DiskCache(configuration: configuration, clock: .system)
    }
}

/// `termgallery cache stats`.
struct StatsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stats",
        abstract: "Print how much the disk cache holds."
    )

    @OptionGroup var location: CacheLocation

    func run() throws {
        let cache = location.open()
        let statistics = waitFor {
            await cache.waitForScan()
            return cache.statistics
        }
        let report = CacheReport(
            path: location.configuration.directory,
            files: statistics.entryCount,
            bytes: statistics.byteCount,
            limit: location.configuration.byteLimit
        )
        try report.print(asJSON: location.json)
    }
}

/// `termgallery cache clear`.
struct ClearCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clear",
        abstract: "Delete everything the disk cache holds.",
        discussion: """
            Only files that the cache made are deleted. --disk says so explicitly; the memory cache \
            belongs to a running gallery, which clears it with the key c.
            """
    )

    @OptionGroup var location: CacheLocation
    @Flag(help: "Clear the disk cache (the default).") var disk = false
    @Flag(help: ArgumentHelp("Not possible from the shell.", visibility: .hidden))
    var memory = false

    func validate() throws {
        guard !memory else {
            throw ValidationError(
                """
                The memory cache belongs to a running gallery and ends with it; press c there to \
                clear it. This command clears the disk cache.
                """
            )
        }
    }

    func run() throws {
        let cache = location.open()
        try DeletionReport(waitFor { await cache.clear() }).print(asJSON: location.json)
    }
}

/// `termgallery cache clean`.
struct CleanCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clean",
        abstract: "Delete what has expired, then the oldest while over budget."
    )

    @OptionGroup var location: CacheLocation

    func run() throws {
        let cache = location.open()
        try DeletionReport(waitFor { await cache.clean() }).print(asJSON: location.json)
    }
}

/// `termgallery cache path`.
struct PathCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "path",
        abstract: "Print where the disk cache lies."
    )

    @OptionGroup var location: CacheLocation

    func run() {
        print(location.configuration.directory)
    }
}

/// What `cache stats` prints.
struct CacheReport: Encodable {
    let path: String
    let files: Int
    let bytes: Int
    let limit: Int

    func print(asJSON isJSON: Bool) throws {
        guard !isJSON else { return try printJSON(self) }
        let percent = limit > 0 ? bytes * 100 / limit : 0
        Swift.print(
            """
            folder  \(path)
            files   \(files)
            size    \(CountText.bytes(bytes)) of \(CountText.bytes(limit)) (\(percent) %)
            """
        )
    }
}

/// What `cache clear` and `cache clean` print.
struct DeletionReport: Encodable {
    let files: Int
    let bytes: Int

    /// Takes over what the cache says it deleted.
    init(_ deleted: CacheStatistics) {
        files = deleted.entryCount
        bytes = deleted.byteCount
    }

    func print(asJSON isJSON: Bool) throws {
        guard !isJSON else { return try printJSON(self) }
        Swift.print("\(files) files deleted, \(CountText.bytes(bytes)) freed")
    }
}

private func printJSON(_ value: some Encodable) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    print(String(decoding: try encoder.encode(value), as: UTF8.self))
}
