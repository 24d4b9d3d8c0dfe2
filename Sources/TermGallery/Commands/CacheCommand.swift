import ArgumentParser
import Feeds
import GalleryCore
import Glibc
import ImageLoading
import SystemSupport

/// The `termgallery cache` command, which manages the disk cache from the shell.
struct CacheCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cache",
        abstract: "Show, clear or clean the disk cache.",
        subcommands: [StatsCommand.self, ClearCommand.self, CleanCommand.self, PathCommand.self],
        defaultSubcommand: StatsCommand.self
    )
}

/// The options that select the disk cache and the output format.
struct CacheArguments: ParsableArguments {
    @OptionGroup var disk: DiskCacheArguments
    @OptionGroup var configurationFile: ConfigurationArguments

    @Flag(help: "Print the report as a JSON object.")
    var json = false

    func open() -> DiskCache {
        DiskCache(configuration: disk.configuration, clock: .system)
    }

    /// Opens the cache for reading only, without a size limit.
    ///
    /// The `stats` command must never evict entries, even if the cache exceeds its limit.
    func openToLook() -> DiskCache {
        var configuration = disk.configuration
        configuration.byteLimit = .max
        return DiskCache(configuration: configuration, clock: .system)
    }

    /// Deletes cache entries by calling `delete`, and prints a report.
    ///
    /// Throws an error if a file could not be deleted.
    func report(
        deleting delete:
            @escaping @Sendable (DiskCache, DiskCache.DeletionObserver) async -> CacheStatistics
    ) throws {
        let cache = open()
        let deleted = DeletionProgress.wait { await delete(cache, $0) }
        try requireReadable(cache)
        try DeletionReport(deleted).print(asJSON: json)
        let failures = cache.failures
        guard failures.deleteCount > 0 else { return }
        let files = failures.deleteCount == 1 ? "1 file" : "\(failures.deleteCount) files"
        throw ProgramFailure(
            .someFailed,
            "\(files) could not be deleted: \(failures.lastText ?? "no reason known")"
        )
    }

    /// Throws an error if the cache directory can't be read.
    ///
    /// Without this check, an unreadable cache would be reported as empty.
    func requireReadable(_ cache: DiskCache) throws {
        guard let reason = cache.failures.directoryText else { return }
        let directory = disk.configuration.directory
        throw ProgramFailure(
            .someFailed,
            "the disk cache \(directory) can't be read: \(reason)"
        )
    }
}

/// The `termgallery cache stats` command.
struct StatsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stats",
        abstract: "Print the number of files in the disk cache and their size."
    )

    @OptionGroup var cache: CacheArguments

    func run() throws {
        let configuration = cache.disk.configuration
        let disk = cache.openToLook()
        let statistics = waitFor {
            await disk.waitForScan()
            return disk.statistics
        }
        try cache.requireReadable(disk)
        let report = CacheReport(
            path: FileText.shown(configuration.directory),
            files: statistics.entryCount,
            bytes: statistics.byteCount,
            limit: configuration.byteLimit
        )
        try report.print(asJSON: cache.json)
    }
}

/// The `termgallery cache clear` command.
struct ClearCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clear",
        abstract: "Delete everything in the disk cache.",
        discussion: """
            Only files that the cache created are deleted. The memory cache belongs to a running \
            gallery; its key c clears it.
            """
    )

    @OptionGroup var cache: CacheArguments
    @Flag(help: "Clear the disk cache (the default).") var disk = false

    func run() throws {
        try cache.report { await $0.clear(onPart: $1) }
    }
}

/// The `termgallery cache clean` command.
struct CleanCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clean",
        abstract:
            "Delete expired files and, if the cache exceeds its limit, the least recently used "
            + "ones down to half of it."
    )

    @OptionGroup var cache: CacheArguments

    func run() throws {
        try cache.report { await $0.clean(onPart: $1) }
    }
}

/// The `termgallery cache path` command.
struct PathCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "path",
        abstract: "Print the path of the disk cache."
    )

    @OptionGroup var cache: CacheArguments

    func run() {
        // The output is for programs, so the path is written byte for byte.
        let path = FileText.bytes(of: cache.disk.configuration.directory)
        _ = OutputBytes.write(path + [UInt8(ascii: "\n")], to: STDOUT_FILENO)
    }
}

/// The report printed by `cache stats`.
struct CacheReport: Encodable {
    let path: String
    let files: Int
    let bytes: Int
    let limit: Int

    func print(asJSON isJSON: Bool) throws {
        guard !isJSON else { return try printJSON(self) }
        let percent = limit > 0 ? bytes * 100 / limit : 0
        printLine(
            """
            folder  \(path)
            files   \(files)
            size    \(CountText.bytes(bytes)) of \(CountText.bytes(limit)) (\(percent) %)
            """
        )
    }
}

/// The report printed by `cache clear` and `cache clean`.
struct DeletionReport: Encodable {
    let files: Int
    let bytes: Int

    /// Creates a report about the entries that the cache has deleted.
    init(_ deleted: CacheStatistics) {
        files = deleted.entryCount
        bytes = deleted.byteCount
    }

    func print(asJSON isJSON: Bool) throws {
        guard !isJSON else { return try printJSON(self) }
        printLine("\(files) files deleted, \(CountText.bytes(bytes)) freed")
    }
}
