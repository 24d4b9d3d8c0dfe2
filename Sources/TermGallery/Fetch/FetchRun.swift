import Feeds
import GalleryCore
import Glibc
import ImageLoading

/// Runs `fetch` on lists of any length, on the main thread.
///
/// `FetchInput` supplies the entries. An entry is open until its report is written. The number and
/// total size of open entries are limited, and reading pauses at the limit.
struct FetchRun: Sendable {
    let input: FetchInput
    let manager: ImageManager
    /// The maximum number of running loads.
    ///
    /// Having several loads per transfer also keeps the disk and the decoder busy.
    let window: Int
    let options: LoadingOptions
    /// The interruption that ends the run early.
    ///
    /// Partially received bodies are kept, as they are after a lost connection.
    private let interruption: Interruption
    let news: BlockingQueue<FetchNews>
    var output: FetchOutput
    /// Whether reports are written in the order of the list.
    var isOrdered = false
    /// The hosts whose certificates are not checked.
    var insecureHosts: Set<String> = []
    /// The entries that an earlier run has finished, which this run skips.
    var done = DoneEntries()
    /// The schedule that determines when each site may be contacted.
    var politeness = HostPoliteness<Visit>()
    /// Loads whose sites may be contacted but that exceed the limit on running loads.
    var ready: ArraySlice<Visit> = []
    /// The part of each image that is decoded to validate the image.
    var check = PictureCheck.thumbnail
    /// The object that makes samples from the images, or nil if `shards` is nil.
    ///
    /// `shards` writes the samples to tar files.
    var samples: SampleMaker?
    var shards: ShardWriter?
    /// The error that stopped the list from being read, or nil if there was none.
    private(set) var fault: FeedError?
    /// The error that prevented a sample from being written, or nil if there was none.
    private(set) var shardFailure: ShardFailure?

    private var isRead = false
    private var newsComeFast = false
    var backlog: ArraySlice<ListEntry> = []
    /// The batches of received entries whose loads have not been started yet.
    var batches: [ArraySlice<ListEntry>] = []
    var running = 0
    var waiting = 0
    var nextNumber = 0
    /// The number of entries read from the list, including skipped entries.
    var place = 0
    private var held = HeldReports()
    var open = OpenEntries()
    private var order = EndOrder<(FetchReport, ListEntry)>()
    var known = KnownOutcomes<FetchReport>()

    /// The maximum number of open entries.
    static let mostOpen = 10_000
    /// The maximum total size of the lines and records of open entries, in bytes.
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

    /// A planned load of an image from a site.
    struct Visit: Sendable {
        let entry: ListEntry
        let number: Int
        /// The key of the sample to make from the image.
        let key: String
    }

    /// Loads all images, and returns whether all of them were loaded.
    ///
    /// The method ends early if the output is closed.
    mutating func loadEverything() -> Bool {
        interruption.answer { [manager, news] in
            manager.stop()
            news.put(.interrupted)
        }
        guard input.start(onPart: { [news] in news.put(.input($0)) }) else {
            fault = FeedError(
                "cannot start a thread to read the list; raise the limit on processes (ulimit -u)"
            )
            return false
        }
        while mayContinue {
            startWhatFits()
            output.flush()
            let waits = running > 0 || politeness.waitingCount > 0 || !ready.isEmpty
            guard waits || !isRead else { break }
            for item in nextNews() { take(item) }
        }
        input.close()
        if !mayContinue { stop() }
        endShards()
        // A full disk may not be detected until the last files are written.
        waitFor { [manager] in await manager.flush() }
        manager.endHelpers()
        let isWhole = interruption.signal == nil && fault == nil && shardFailure == nil
        output.end(manager.statistics, isWhole: isWhole)
        return output.failed == 0 && output.result.isOpen && fault == nil && shardFailure == nil
    }

    /// Waits for events and returns them.
    ///
    /// Waking this thread takes as long as handling an event. If events arrive in quick succession
    /// and enough loads may run at the same time, the thread therefore sleeps briefly to let
    /// several events accumulate.
    private mutating func nextNews() -> [FetchNews] {
        if newsComeFast, window >= Self.widthToGather { usleep(Self.gatheringMicroseconds) }
        let begin = ContinuousClock.now
        let items = news.takeAll(until: politeness.nextDue)
        newsComeFast = begin.duration(to: .now) < .microseconds(Int(Self.gatheringMicroseconds))
        return items
    }

    /// Whether the run may continue: the output is open, and no signal or write error has occurred.
    var mayContinue: Bool {
        output.result.isOpen && interruption.signal == nil && shardFailure == nil
    }

    /// Stops all loads, including loads that start while the others are being cancelled.
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
            if mayContinue { end(number, picture: picture, duration: duration) }
        case .waits(let isWaiting): waiting += isWaiting ? 1 : -1
        case .robots(let site, let answer):
            follow(politeness.take(answer, of: site, at: .now))
        case .notice(let notice): if interruption.signal == nil { output.tell(notice) }
        case .interrupted: break
        }
    }

    // MARK: Ending

    mutating func end(
        _ number: Int,
        picture: FetchedPicture,
        duration: Duration
    ) {
        guard let entry = open.entry(number) else { return }
        var report = FetchReport(
            url: entry.item.url,
            result: picture.result,
            duration: duration,
            at: time(nil)
        )
        report.mark(insecureHosts)
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

    /// Writes a sample, and returns false if it could not be written.
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

    /// Completes or discards the open tar file.
    ///
    /// If a run is interrupted, numbered tar files keep the results obtained before the
    /// interruption. A single tar file is written completely or not at all.
    private mutating func endShards() {
        let isWanted = shards?.holdsReports == true || interruption.signal == nil
        let isKept = isWanted && output.result.isOpen && shardFailure == nil
        if isKept { commitShard() } else { shards?.abort() }
    }
}
