import GalleryCore
import Glibc
import ImageLoading

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
    /// How much of each picture is looked at.
    var check = PictureCheck.thumbnail
    /// Makes samples of pictures, and the tars that they go into; both or none.
    var samples: SampleMaker?
    var shards: ShardWriter?
    /// Why not everything could be read.
    private(set) var fault: FeedError?
    /// Why samples could not be written.
    private(set) var shardFailure: ShardFailure?

    private var isRead = false
    private var backlog: ArraySlice<ListEntry> = []
    /// Batches that came and are not used up.
    private var batches: [ArraySlice<ListEntry>] = []
    private var running = 0
    private var waiting = 0
    private var nextNumber = 0
    /// Entries so far, those that are skipped included.
    private var place = 0
    private var held = HeldReports()
    private var open = OpenEntries()
    private var order = EndOrder<(FetchReport, ListEntry)>()
    private var known = KnownOutcomes<FetchReport>()

    /// Entries whose report is not written, at most.
    static let mostOpen = 10_000
    /// Bytes of their lines and records.
    private static let mostOpenBytes = 16 << 20
    /// Loads that may wait for their hosts at a time, beside the window.
    private static let waitingLimit = 1_000
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
        endShards()
        // A full disk is noticed when the last files are written.
        waitFor { [manager] in await manager.flush() }
        let isWhole = interruption.signal == nil && fault == nil && shardFailure == nil
        output.end(manager.statistics, isWhole: isWhole)
        return output.failed == 0 && output.isRead && fault == nil && shardFailure == nil
    }

    /// Whether there is somebody to load for.
    private var mayContinue: Bool {
        output.isRead && interruption.signal == nil && shardFailure == nil
    }

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
        case .ended(let number, let picture, let duration):
            running -= 1
            if mayContinue { end(number, picture, duration) }
        case .waits(let isWaiting): waiting += isWaiting ? 1 : -1
        case .notice(let notice): if interruption.signal == nil { output.tell(notice) }
        case .interrupted: break
        }
    }

    // MARK: Starting

    private mutating func startWhatFits() {
        while !isFull, mayContinue, let entry = nextEntry() {
            start(entry)
            if nextNumber.isMultiple(of: 64), manager.pendingWriteCount > Self.mostPendingWrites {
                // A disk that is slower than the network: bodies must not pile up in memory.
                waitFor { [manager] in await manager.flush() }
            }
        }
    }

    private static let mostPendingWrites = 256

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
        let key = SampleMaker.key(ofEntry: place)
        place += 1
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
            load(entry, number, key)
        }
    }

    private func request(for entry: ListEntry) -> ImageRequest {
        ImageRequest(
            url: entry.item.url,
            targetSize: samples?.targetSize ?? check.targetSize,
            options: samples == nil ? options : options.union(.includeBody),
            origin: entry.origin
        )
    }

    private mutating func load(_ entry: ListEntry, _ number: Int, _ key: String) {
        running += 1
        let news = news
        let begin = ContinuousClock.now
        let isWaiting = Protected(false)
        let samples = samples
        let onEvent: @Sendable (LoadEvent) -> Void = { event in
            let waits = if case .waiting = event { true } else { false }
            let hasChanged = isWaiting.withLock { isWaiting in
                defer { isWaiting = waits }
                return isWaiting != waits
            }
            if hasChanged { news.put(.waits(waits)) }
            guard case .finished(let result) = event else { return }
            let end = begin.duration(to: .now)
            guard let samples, case .success(let response) = result else {
                return news.put(.ended(number, FetchedPicture(result: result), end))
            }
            samples.make(of: response, for: entry, key: key) { made in
                news.put(.ended(number, FetchedPicture(response, made), end))
            }
        }
        let request = request(for: entry)
        if check == .head, samples == nil {
            _ = manager.check(request, onEvent: onEvent)
        } else {
            manager.load(request, onEvent: onEvent)
        }
    }

    // MARK: Ending

    private mutating func end(
        _ number: Int,
        _ picture: FetchedPicture,
        _ duration: Duration
    ) {
        guard let entry = open.entry(number) else { return }
        var report = FetchReport(
            url: entry.item.url,
            result: picture.result,
            duration: duration,
            at: time(nil)
        )
        if let sample = picture.sample, !write(sample, &report) { return }
        let fingerprint = Fingerprint.of(entry)
        known.note(report, of: fingerprint)
        for (index, number) in open.leave(fingerprint).enumerated() {
            finish(number, index == 0 ? report : report.again)
        }
        if shards?.isFull == true { commitShard() }
    }

    private mutating func finish(_ number: Int, _ report: FetchReport) {
        guard let entry = open.end(number) else { return }
        let due = isOrdered ? order.end(number, (report, entry)) : [(report, entry)]
        for (report, entry) in due {
            tell(report, entry)
            open.release(entry)
        }
    }

    private mutating func tell(_ report: FetchReport, _ entry: ListEntry) {
        let line = HeldReports.Line(report: report, fields: entry.fields)
        let holds = shards?.holdsReports == true && (report.shard != nil || isOrdered)
        guard holds, !held.mayTell(line, keepsOrder: isOrdered) else {
            return output.report(report, with: entry.fields)
        }
        if held.isFull { commitShard() }
    }

    // MARK: Shards

    /// False if there is no room for it.
    private mutating func write(_ sample: Sample, _ report: inout FetchReport) -> Bool {
        do throws(ShardFailure) {
            report.shard = try shards?.add(sample)
            report.key = sample.key
            return true
        } catch {
            shardFailure = error
            return false
        }
    }

    private mutating func commitShard() {
        do throws(ShardFailure) {
            try shards?.commit()
            for line in held.release() { output.report(line.report, with: line.fields) }
        } catch {
            shardFailure = error
        }
    }

    /// A run that is interrupted keeps what it has in numbered tars; one tar is whole or not there.
    private mutating func endShards() {
        let isKept = shards?.holdsReports == true || interruption.signal == nil
        if isKept, output.isRead, shardFailure == nil { commitShard() } else { shards?.abort() }
    }
}
