import GalleryCore
import Glibc
import ImageLoading

/// One pass over lists of any length; lives on the main thread.
///
/// Entries come from `FetchInput`. What is open, from when an entry is taken until its report is written,
/// is bounded in number and bytes, and no more is read meanwhile.
struct FetchRun: Sendable {
    let input: FetchInput
    let manager: ImageManager
    /// Loads under way at most: a few for each transfer, so that disk and decoder are busy too.
    let window: Int
    let options: LoadingOptions
    /// Ends the run early: what has come of the images under way is kept, as when a connection is
    /// lost.
    private let interruption: Interruption
    let news: BlockingQueue<FetchNews>
    var output: FetchOutput
    /// Whether reports come in the order of the list.
    var isOrdered = false
    /// What is skipped.
    var done = DoneEntries()
    /// When sites may be asked.
    var visits = HostVisits<Visit>()
    /// Visits that may be made, for which there was no room yet.
    var ready: ArraySlice<Visit> = []
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
    private var newsComeFast = false
    var backlog: ArraySlice<ListEntry> = []
    /// Batches that came and are not used up.
    var batches: [ArraySlice<ListEntry>] = []
    var running = 0
    var waiting = 0
    var nextNumber = 0
    /// Entries so far, those that are skipped included.
    var place = 0
    private var held = HeldReports()
    var open = OpenEntries()
    private var order = EndOrder<(FetchReport, ListEntry)>()
    var known = KnownOutcomes<FetchReport>()

    /// Entries whose report is not written, at most.
    static let mostOpen = 10_000
    /// Bytes of their lines and records.
    static let mostOpenBytes = 16 << 20
    private static let gatheringMicroseconds: UInt32 = 500
    private static let widthToGather = 32

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

    /// A load of a picture that is to be made.
    struct Visit: Sendable {
        let entry: ListEntry
        let number: Int
        /// That of its sample.
        let key: String
    }

    /// Returns whether every image was loaded; ends early if nobody reads the reports.
    mutating func loadEverything() -> Bool {
        interruption.answer { [manager, news] in
            manager.stop()
            news.put(.interrupted)
        }
        guard input.start(onPart: { [news] in news.put(.input($0)) }) else {
            fault = FeedError("cannot start a thread to read the list")
            return false
        }
        while mayContinue {
            startWhatFits()
            output.flush()
            let waits = running > 0 || visits.waitingCount > 0 || !ready.isEmpty
            guard waits || !isRead else { break }
            for item in nextNews() { take(item) }
        }
        input.close()
        if !mayContinue { stop() }
        endShards()
        // A full disk is noticed when the last files are written.
        waitFor { [manager] in await manager.flush() }
        manager.endHelpers()
        let isWhole = interruption.signal == nil && fault == nil && shardFailure == nil
        output.end(manager.statistics, isWhole: isWhole)
        return output.failed == 0 && output.result.isOpen && fault == nil && shardFailure == nil
    }

    /// Waits for news.
    ///
    /// Where they come faster than they are waited for, each would wake this thread, which takes as long as
    /// what it then does. So they are let gather for a moment; the window is wide enough for that.
    private mutating func nextNews() -> [FetchNews] {
        if newsComeFast, window >= Self.widthToGather { usleep(Self.gatheringMicroseconds) }
        let begin = ContinuousClock.now
        let items = news.takeAll(until: visits.nextDue)
        newsComeFast = begin.duration(to: .now) < .microseconds(Int(Self.gatheringMicroseconds))
        return items
    }

    /// Whether there is somebody to load for.
    var mayContinue: Bool {
        output.result.isOpen && interruption.signal == nil && shardFailure == nil
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
        case .robots(let site, let answer):
            follow(visits.take(answer, of: site, at: .now))
        case .notice(let notice): if interruption.signal == nil { output.tell(notice) }
        case .interrupted: break
        }
    }

    // MARK: Ending

    mutating func end(
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

    mutating func finish(_ number: Int, _ report: FetchReport) {
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
        let isWanted = shards?.holdsReports == true || interruption.signal == nil
        let isKept = isWanted && output.result.isOpen && shardFailure == nil
        if isKept { commitShard() } else { shards?.abort() }
    }
}
