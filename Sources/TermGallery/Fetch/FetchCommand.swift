import ArgumentParser
import Decoders
import GalleryCore
import Glibc
import ImageLoading

/// `termgallery fetch`: fills the cache, and says what became of every entry of a list.
struct FetchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fetch",
        abstract: "Load every picture of a feed into the disk cache.",
        discussion: """
            Begins with the first line and needs the same memory for any number of them; on a pipe it \
            reads no further than it loads. Shows a progress bar on a terminal. With --jsonl it prints \
            an object for each entry as it finishes: url, status (ok, failed), source (memory, disk, \
            network), http, bytes, format, width, height, ms, stale (true if its server did not answer, \
            and an older copy stands in), complete (false if the file is damaged or ends too early, and \
            reason says how), repeated (true if the address stood there before: it is loaded once); for \
            a failure error with stage, class, retryable, message and time; then the other fields of an entry \
            of JSON or of a table. Exits with 1 if some pictures failed. A server that is away, too busy \
            or asks for a pause is waited for, as --patience says; standard error tells of it.

              cat list.jsonl | termgallery fetch --jsonl --url-key image --resume done.jsonl - >>done.jsonl
            """
    )

    @OptionGroup var feeds: FeedArguments
    @OptionGroup var loading: LoadingArguments
    @OptionGroup var thumbnails: ThumbnailOutputArguments
    @OptionGroup var courtesy: CourtesyArguments
    @Flag(help: "Print a JSON object an entry.") var jsonl = false
    @Flag(
        help: """
            Print them in the order of the list; what is done keeps \(CountText.grouped(FetchRun.mostOpen)) lines \
            at most for those before it, then reading waits.
            """
    )
    var ordered = false
    @Option(
        help: ArgumentHelp(
            "Skip what an earlier run's --jsonl says is done: loaded, or failed for good (class "
                + "permanent). A file that is not there yet says nothing.",
            valueName: "file"
        ),
        completion: .file()
    )
    var resume: String?
    @Option(
        help: ArgumentHelp(
            "How much of a picture is decoded: head (what its header says), thumbnail (damage shows in "
                + "most), or full.",
            valueName: "extent"
        )
    )
    var check = PictureCheck.thumbnail
    @Flag(help: "Ask the server again even for what is cached.") var refresh = false
    @Flag(help: "Count a picture whose file is damaged or ends too early as failed.") var strict =
        false

    func validate() throws {
        try feeds.requireOne()
        guard resume == nil || !thumbnails.isOneFile else {
            throw ValidationError(
                "One tar is whole or not there; --resume takes --thumbnails FOLDER, which has many."
            )
        }
    }

    func run() throws {
        let interruption = Interruption()
        try InterruptGuard.start(interruption)
        let shards = try openShards()
        let done = try resume.map { try DoneFile.read($0, lastShard: shards?.lastShard) }
        let news = BlockingQueue<FetchNews>()
        var loading = loading
        // Nobody asks for an image twice: an address that comes again is known.
        if loading.memoryCache == nil { loading.memoryCache = ByteCountArgument(value: 1 << 20) }
        let courtesy = courtesy.courtesy(patience: loading.patience)
        let manager = try loading.makeManager(
            courtesy: courtesy,
            onNotice: { news.put(.notice($0)) }
        )
        var run = FetchRun(
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
        (run.isOrdered, run.check) = (ordered, check)
        (run.samples, run.shards) = (thumbnails.maker, shards)
        run.visits = HostVisits(courtesy.visits)
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

extension PictureCheck: ExpressibleByArgument {}
