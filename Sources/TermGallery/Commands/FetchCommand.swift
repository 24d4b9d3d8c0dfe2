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
            bytes, format, width, height, ms; for a failure error with stage, class, retryable and \
            message. Exits with 1 if some pictures failed.
            """
    )

    @OptionGroup var feeds: FeedArguments
    @OptionGroup var loading: LoadingArguments
    @Flag(help: "Print a JSON object a URL.") var jsonl = false
    @Flag(help: "Ask the server again even for what is cached.") var refresh = false

    func validate() throws {
        try feeds.requireOne()
    }

    func run() throws {
        let interruption = Interruption()
        try InterruptGuard.start(interruption)
        let manager = try loading.makeManager()
        let feed = try feeds.read(with: manager)
        var run = FetchRun(
            feed: feed,
            manager: manager,
            window: loading.transfers * 4,
            options: refresh ? [.refreshCached] : [],
            output: FetchOutput(isJSONL: jsonl),
            interruption: interruption
        )
        let allWell = run.loadEverything()
        if let signal = interruption.signal { throw SignalEnding(signal: signal) }
        guard allWell else { throw ProgramFailure(.someFailed) }
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

    /// Small, because only the header and the soundness of the image are wanted.
    private static let targetSize = PixelSize(width: 40, height: 40)

    /// Returns whether every image was loaded; ends early if nobody reads the reports.
    mutating func loadEverything() -> Bool {
        let loads = LoadWindow(manager: manager)
        var seen: Set<String> = []
        interruption.answer { [manager] in manager.cancelAll() }
        output.begin(total: feed.count)
        for index in 0..<feed.count where goesOn {
            let item = feed[index]
            guard seen.insert(item.url).inserted else {
                output.skipRepeated()
                continue
            }
            if let problem = item.problem {
                output.report(unusable(item.url, problem))
                continue
            }
            while loads.running >= window, let ended = loads.next() { take(ended) }
            loads.start(request(for: item, at: index), index: index)
        }
        while goesOn, let ended = loads.next() { take(ended) }
        if interruption.signal != nil {
            // Also what was begun while the others were cancelled.
            manager.cancelAll()
            while loads.next() != nil {}
        }
        // A full disk is noticed when the last files are written.
        waitFor { [manager] in await manager.flush() }
        output.end(manager.statistics, isWhole: interruption.signal == nil)
        return output.failed == 0 && output.isRead
    }

    /// Whether there is somebody to load for.
    private var goesOn: Bool { output.isRead && interruption.signal == nil }

    private mutating func take(_ ended: LoadWindow.Ended) {
        guard interruption.signal == nil else { return }
        let url = feed[ended.index].url
        output.report(FetchReport(url: url, result: ended.result, duration: ended.duration))
    }

    private func request(for item: FeedItem, at index: Int) -> ImageRequest {
        ImageRequest(
            url: item.url,
            targetSize: Self.targetSize,
            options: options,
            origin: feed.origin(at: index)
        )
    }

    private func unusable(_ url: String, _ problem: String) -> FetchReport {
        let error = ImageLoadingError(
            stage: .request,
            kind: .permanent,
            reason: .invalidURL(problem)
        )
        return FetchReport(url: url, result: .failure(error), duration: .zero)
    }
}
