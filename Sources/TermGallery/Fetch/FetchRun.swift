import Decoders
import GalleryCore
import ImageLoading

/// What the thread of a fetch is woken for.
enum FetchNews: Sendable {
    case input(FetchInput.Part)
    case ended(Int, Result<ImageResponse, ImageLoadingError>, Duration)
    /// A load waits for its host, and makes room for others meanwhile; or it does no longer.
    case waits(Bool)
    case notice(TransferNotice)
    /// A signal came.
    case interrupted
}

/// One pass over lists of any length; lives on the main thread.
///
/// Entries come from `FetchInput`. What is open, from when an entry is taken until its report is written,
/// is bounded in number and bytes, and no more is read meanwhile.
struct FetchRun: Sendable {
    private let input: FetchInput
    private let manager: ImageManager
    /// Loads under way at most: a few for each transfer, so that disk and decoder are busy too.
    private let window: Int
    private let options: LoadingOptions
    /// Ends the run early: what has come of the images under way is kept, as when a connection is
    /// lost.
    private let interruption: Interruption
    private let news: BlockingQueue<FetchNews>
    var output: FetchOutput
    /// Whether reports come in the order of the list.
    var isOrdered = false
    /// What is skipped.
    var done = DoneEntries()
    /// Why not everything could be read.
    private(set) var fault: FeedError?

    private var isRead = false
    private var backlog: ArraySlice<ListEntry> = []
    /// Batches that came and are not used up.
    private var batches: [ArraySlice<ListEntry>] = []
    private var running = 0
    private var waiting = 0
    private var nextNumber = 0
    private var open = OpenEntries()
    private var order = EndOrder<(FetchReport, ListEntry)>()
    private var known = KnownOutcomes<FetchReport>()

    /// Entries whose report is not written, at most.
    static let mostOpen = 10_000
    /// Bytes of their lines and records.
    private static let mostOpenBytes = 16 << 20
    /// Loads that may wait for their hosts at a time, beside the window.
    private static let waitingLimit = 1_000
    /// Small, because only the header and the soundness of the image are wanted.
    private static let targetSize = PixelSize(width: 40, height: 40)

    init(
        input: FetchInput,
        manager: ImageManager,
        window: Int,
        options: LoadingOptions,
        output: FetchOutput,
        interruption: Interruption = Interruption(),
        news: BlockingQueue<FetchNews> = BlockingQueue()
    ) {
        (self.input, self.manager, self.window, self.options) = (input, manager, window, options)
        (self.output, self.interruption, self.news) = (output, interruption, news)
    }

    /// Returns whether every image was loaded; ends early if nobody reads the reports.
    mutating func loadEverything() -> Bool {
        interruption.answer { [manager, news] in
            manager.stop()
            news.put(.interrupted)
        }
        guard input.start(onPart: { [news] in news.put(.input($0)) }) else {
            fault = FeedError("no thread to read the list")
            return false
        }
        while mayContinue {
            startWhatFits()
            output.flush()
            guard running > 0 || !isRead else { break }
            for item in news.takeAll() { take(item) }
        }
        input.close()
        if !mayContinue { stop() }
        // A full disk is noticed when the last files are written.
        waitFor { [manager] in await manager.flush() }
        let isWhole = interruption.signal == nil && fault == nil
        output.end(manager.statistics, isWhole: isWhole)
        return output.failed == 0 && output.isRead && fault == nil
    }

    /// Whether there is somebody to load for.
    private var mayContinue: Bool { output.isRead && interruption.signal == nil }

    /// Also what was begun while the others were cancelled.
    private mutating func stop() {
        manager.stop()
        while running > 0 {
            for case .ended in news.takeAll() { running -= 1 }
        }
    }

    private mutating func take(_ item: FetchNews) {
        switch item {
        case .input(.entries(let entries)): batches.append(entries[...])
        case .input(.total(let count)): output.begin(total: count)
        case .input(.remark(let text)): output.tell(remark: text)
        case .input(.ended(let fault)): (isRead, self.fault) = (true, fault)
        case .ended(let number, let result, let duration):
            running -= 1
            if interruption.signal == nil { end(number, result, duration) }
        case .waits(let isWaiting): waiting += isWaiting ? 1 : -1
        case .notice(let notice): if interruption.signal == nil { output.tell(notice) }
        case .interrupted: break
        }
    }

    // MARK: Starting

    private mutating func startWhatFits() {
        while !isFull, mayContinue, let entry = nextEntry() { start(entry) }
    }

    /// A host that is away must not keep the pictures of others from being loaded.
    private var isFull: Bool {
        running - min(waiting, Self.waitingLimit) >= window
            || open.count >= Self.mostOpen || open.byteCount >= Self.mostOpenBytes
    }

    private mutating func nextEntry() -> ListEntry? {
        if backlog.isEmpty {
            guard !batches.isEmpty else { return nil }
            backlog = batches.removeFirst()
            input.wantMore()
        }
        return backlog.popFirst()
    }

    private mutating func start(_ entry: ListEntry) {
        guard !done.take(entry.item.url.withoutLogin) else { return output.skip() }
        let number = nextNumber
        nextNumber += 1
        open.add(entry, number)
        if let problem = entry.item.problem {
            return finish(number, FetchReport(unusable: entry.item, problem))
        }
        let fingerprint = Fingerprint.of(entry)
        if let report = known.outcome(of: fingerprint) {
            finish(number, report.again)
        } else if open.join(number, fingerprint) {
            load(entry, number)
        }
    }

    private mutating func load(_ entry: ListEntry, _ number: Int) {
        let request = ImageRequest(
            url: entry.item.url,
            targetSize: Self.targetSize,
            options: options,
            origin: entry.origin
        )
        running += 1
        let news = news
        let begin = ContinuousClock.now
        let isWaiting = Protected(false)
        manager.load(request) { event in
            let waits = if case .waiting = event { true } else { false }
            let hasChanged = isWaiting.withLock { isWaiting in
                defer { isWaiting = waits }
                return isWaiting != waits
            }
            if hasChanged { news.put(.waits(waits)) }
            guard case .finished(let result) = event else { return }
            news.put(.ended(number, result, begin.duration(to: .now)))
        }
    }

    // MARK: Ending

    private mutating func end(
        _ number: Int,
        _ result: Result<ImageResponse, ImageLoadingError>,
        _ duration: Duration
    ) {
        guard let entry = open.entry(number) else { return }
        let report = FetchReport(url: entry.item.url, result: result, duration: duration)
        let fingerprint = Fingerprint.of(entry)
        known.note(report, of: fingerprint)
        for (index, number) in open.leave(fingerprint).enumerated() {
            finish(number, index == 0 ? report : report.again)
        }
    }

    private mutating func finish(_ number: Int, _ report: FetchReport) {
        guard let entry = open.end(number) else { return }
        let due = isOrdered ? order.end(number, (report, entry)) : [(report, entry)]
        for (report, entry) in due {
            output.report(report, with: entry.fields)
            open.release(entry)
        }
    }
}
