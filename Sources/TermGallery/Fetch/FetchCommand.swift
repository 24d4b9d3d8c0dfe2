import ArgumentParser
import Decoders
import Feeds
import GalleryCore
import Glibc
import ImageLoading

/// The `termgallery fetch` command, which loads the images of a list into the disk cache.
///
/// It reports the result for every entry of the list.
struct FetchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fetch",
        abstract: "Load every image of a feed into the disk cache.",
        discussion: """
            Starts with the first line of the list and uses the same memory for lists of any length. \
            A pipe is read only as fast as its images are loaded. On a terminal, a progress bar is shown.

            With --jsonl, one JSON object per entry is printed when the entry finishes: url, status \
            (ok, failed), source (memory, disk, network), http, bytes, format, width, height, ms, \
            stale (true if the server did not answer and an older copy was used), complete (false if \
            the file is damaged or truncated, or if only a thumbnail can be decoded; reason describes \
            how), insecure (true for the hosts of --insecure-host), repeated (true if the URL occurred \
            before; it is loaded once). A failure has error with stage, class, retryable, message and \
            time. Other fields of a JSON or table entry follow.

            If a server is unreachable, overloaded or requests a pause, fetch waits up to --patience \
            seconds and reports that on standard error. The exit status is 1 if an image failed.
            """
    ).withoutCompletions

    @OptionGroup var feeds: FeedArguments
    @OptionGroup(title: "Loading") var loading: LoadingArguments
    @OptionGroup(title: "Thumbnails") var thumbnails: ThumbnailOutputArguments
    @OptionGroup(title: "Courtesy") var courtesy: CourtesyArguments
    @Flag(help: "Print one JSON object per entry.") var jsonl = false
    @Flag(
        help: """
            Print the objects in list order. At most \(CountText.grouped(FetchRun.mostOpen)) finished entries wait \
            for an earlier one; then reading pauses.
            """
    )
    var ordered = false
    @Option(
        help: ArgumentHelp(
            "Skip the entries that a previous run's --jsonl output lists as loaded or permanently "
                + "failed. The file need not exist.",
            valueName: "file"
        ),
        completion: .file()
    )
    var resume: String?
    @Option(
        oneOf: PictureCheck.self,
        help: ArgumentHelp(
            "How much of each image to decode: head (the header only), thumbnail (finds "
                + "most damage) "
                + "or full.",
            valueName: "extent"
        )
    )
    var check = PictureCheck.thumbnail.rawValue
    @Flag(help: "Revalidate cached images with their servers.") var refresh = false
    @Option(
        help: ArgumentHelp(
            "Do not check the certificate of this host; may be repeated. Its results have "
                + "\"insecure\": true, and it receives no cookies and no header fields of the "
                + "configuration.",
            valueName: "host"
        ),
        transform: InsecureHost.value
    )
    var insecureHost: [String] = []
    @Flag(help: "Count damaged and truncated images as failed.") var strict =
        false

    func validate() throws {
        guard resume == nil || !thumbnails.isOneFile else {
            throw ValidationError(
                "A single tar cannot be resumed; use --thumbnails FOLDER with --resume."
            )
        }
    }

    func run() throws {
        try feeds.requireOne()
        let interruption = Interruption()
        try InterruptGuard.start(interruption)
        let shards = try openShards()
        let done = try resume.map { try DoneFile.read($0, lastShard: shards?.lastShard) }
        let news = BlockingQueue<FetchNews>()
        var loading = loading
        // A small memory cache is sufficient because repeated URLs are recognized and no image is
        // requested twice.
        if loading.memoryCache == nil { loading.memoryCache = 1 << 20 }
        let courtesy = courtesy.courtesy(patience: loading.patience)
        let insecureHosts = Set(insecureHost)
        let manager = try loading.makeManager(
            courtesy: courtesy,
            insecureHosts: insecureHosts,
            onNotice: { news.put(.notice($0)) }
        )
        var run = try FetchRun(
            input: FetchInput(
                feeds.sources,
                reader: FeedReader(manager: manager, options: feeds.reading.options)
            ),
            manager: manager,
            window: loading.transfers * 4,
            options: options,
            output: FetchOutput(isJSONL: jsonl),
            interruption: interruption,
            news: news
        )
        run.isOrdered = ordered
        run.insecureHosts = insecureHosts
        run.check = PictureCheck(rawValue: check) ?? .thumbnail
        (run.samples, run.shards) = (thumbnails.maker, shards)
        run.politeness = HostPoliteness(courtesy.policy)
        if let done {
            run.done = done.entries
            if done.isCut, done.isStandardOutput { run.output.endLine() }
            for report in done.untold { run.output.tell(untold: report.line) }
        }
        let allWell = run.loadEverything()
        if let signal = interruption.signal { throw SignalEnding(signal: signal) }
        if let fault = run.fault { throw ProgramFailure(.feedUnreadable, fault.description) }
        if let failure = run.shardFailure {
            throw ProgramFailure(.systemFailure, failure.description)
        }
        try run.output.result.check()
        guard allWell else { throw ProgramFailure(.someFailed) }
    }

    private func openShards() throws -> ShardWriter? {
        do throws(ShardFailure) {
            return try thumbnails.shards(isResumed: resume != nil)
        } catch {
            throw ProgramFailure(.systemFailure, error.description)
        }
    }

    private var options: LoadingOptions {
        var options: LoadingOptions = []
        if refresh { options.insert(.refreshCached) }
        if loading.patience > 0 { options.insert(.waitForHost) }
        if strict { options.insert(.refuseDamaged) }
        return options
    }
}
