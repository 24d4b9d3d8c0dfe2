import ArgumentParser
import Decoders
import GalleryCore
import Glibc
import ImageLoading

/// `termgallery fetch`: fills the cache, and says what became of every URL.
struct FetchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fetch",
        abstract: "Load every picture of a feed into the disk cache.",
        discussion: """
            Shows a progress bar on a terminal. With --jsonl it prints an object for each distinct \
            URL as it finishes: url, status (ok, failed), source (memory, disk, network), http, \
            bytes, format, width, height, ms, stale (true if its server did not answer, and an \
            older copy stands in), complete (false if the file is damaged or ends too early, and \
            reason says how); for a failure error with stage, class, retryable and message. \
            Exits with 1 if some pictures failed. A server that is away, too busy or asks for a \
            pause is waited for, as --patience says; standard error tells of it.
            """
    )

    @OptionGroup var feeds: FeedArguments
    @OptionGroup var loading: LoadingArguments
    @Flag(help: "Print a JSON object a URL.") var jsonl = false
    @Flag(help: "Ask the server again even for what is cached.") var refresh = false
    @Flag(help: "Count a picture whose file is damaged or ends too early as failed.") var strict =
        false

    func validate() throws {
        try feeds.requireOne()
    }

    func run() throws {
        let interruption = Interruption()
        try InterruptGuard.start(interruption)
        let news = BlockingQueue<LoadWindow.News>()
        let manager = try loading.makeManager(onNotice: { news.put(.notice($0)) })
        let feed = try feeds.read(with: manager)
        var run = FetchRun(
            feed: feed,
            manager: manager,
            window: loading.transfers * 4,
            options: options,
            output: FetchOutput(isJSONL: jsonl),
            interruption: interruption,
            news: news
        )
        let allWell = run.loadEverything()
        if let signal = interruption.signal { throw SignalEnding(signal: signal) }
        guard allWell else { throw ProgramFailure(.someFailed) }
    }

    private var options: LoadingOptions {
        var options: LoadingOptions = []
        if refresh { options.insert(.refreshCached) }
        if loading.patience > 0 { options.insert(.waitForHost) }
        if strict { options.insert(.refuseDamaged) }
        return options
    }
}

/// One pass over a feed; lives on the main thread.
struct FetchRun {
    let feed: Feed
    let manager: ImageManager
    /// Loads under way at most: a few for each transfer, so that disk and decoder are busy too.
    let window: Int
    let options: LoadingOptions
    var output: FetchOutput
    /// Ends the run early: what has come of the images under way is kept, as when a connection is
    /// lost.
    var interruption = Interruption()
    var news = BlockingQueue<LoadWindow.News>()

    /// Loads that may wait for their hosts at a time, beside the window.
    private static let waitingLimit = 1_000

    /// Small, because only the header and the soundness of the image are wanted.
    private static let targetSize = PixelSize(width: 40, height: 40)

    /// Returns whether every image was loaded; ends early if nobody reads the reports.
    mutating func loadEverything() -> Bool {
        let loads = LoadWindow(manager: manager, news: news)
        var seen: Set<String> = []
        interruption.answer { [manager] in manager.stop() }
        output.begin(total: feed.count)
        for index in 0..<feed.count where goesOn {
            let item = feed[index]
            guard seen.insert(item.url).inserted else {
                output.skipRepeated()
                continue
            }
            if let problem = item.problem {
                output.report(unusable(item, problem))
                continue
            }
            while isFull(loads), let news = loads.nextNews() { take(news) }
            loads.start(request(for: item, at: index), index: index)
        }
        while goesOn, let news = loads.nextNews() { take(news) }
        if interruption.signal != nil {
            // Also what was begun while the others were cancelled.
            manager.stop()
            while loads.next() != nil {}
        }
        // A full disk is noticed when the last files are written.
        waitFor { [manager] in await manager.flush() }
        output.end(manager.statistics, isWhole: interruption.signal == nil)
        return output.failed == 0 && output.isRead
    }

    /// Whether there is somebody to load for.
    private var goesOn: Bool { output.isRead && interruption.signal == nil }

    /// A host that is away must not keep the pictures of others from being loaded.
    private func isFull(_ loads: LoadWindow) -> Bool {
        loads.running - min(loads.waiting, Self.waitingLimit) >= window
    }

    private mutating func take(_ news: LoadWindow.News) {
        guard interruption.signal == nil else { return }
        switch news {
        case .ended(let ended):
            let url = feed[ended.index].url
            output.report(FetchReport(url: url, result: ended.result, duration: ended.duration))
        case .notice(let notice): output.tell(notice)
        case .waits: break
        }
    }

    private func request(for item: FeedItem, at index: Int) -> ImageRequest {
        ImageRequest(
            url: item.url,
            targetSize: Self.targetSize,
            options: options,
            origin: feed.origin(at: index)
        )
    }

    private func unusable(_ item: FeedItem, _ problem: String) -> FetchReport {
        let error =
            item.forbiddenScheme.map {
                ImageLoadingError(stage: .request, kind: .policy, reason: .forbiddenScheme($0))
            }
            ?? ImageLoadingError(stage: .request, kind: .permanent, reason: .invalidURL(problem))
        return FetchReport(url: item.url, result: .failure(error), duration: .zero)
    }
}
