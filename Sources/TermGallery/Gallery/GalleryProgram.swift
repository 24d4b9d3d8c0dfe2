import Decoders
import Feeds
import GalleryCore
import Glibc
import ImageLoading
import TerminalUI

/// The running gallery: it passes events to `GalleryState`, performs the effects that the state
/// requests, and draws the screen.
///
/// It occupies the main thread until the user quits.
final class GalleryProgram {
    private let terminal: any Terminal
    private let manager: ImageManager
    private let mailbox: Mailbox<GalleryMail>
    private let progress: ProgressCoalescer
    private let detailRenderer: DetailRenderer
    private let prefetcher: GalleryPrefetcher
    private let nextPicture: NextPicturePrefetcher
    private let player: AnimationPlayer
    let finder: FeedFinder
    let reloader: FeedReloader
    let reading: ReadingKeeper
    /// The number of times that a feed was shown or its items were renumbered.
    var feedNumber = 0
    private let loop: EventLoop<GalleryMail>
    private let tileWidthFile: TileWidthFile
    private let labelFile: LabelFile?
    private let printsRecords: Bool
    private let external: ExternalWork
    private let sweeper: CacheSweeper
    var placeFile: FeedPlaceFile
    private let recentEvents: RecentEvents
    private(set) var state: GalleryState
    var feed: Feed?
    /// The reason why the gallery ends, or nil while it is running.
    var ending: Ending?
    private var statisticsWatch = StatisticsWatch()
    private let start = ContinuousClock.now
    /// The time of the oldest input whose effect is not visible on the screen yet.
    private var inputTime: ContinuousClock.Instant?
    private var screenStatistics = ScreenStatistics()
    /// The number with which the current feed was opened; changes of other feeds are ignored.
    var openedNumber = 0
    /// The item whose image is loaded at full size as soon as nothing is more urgent.
    private var itemForFullSize: Int?
    let isExact: Bool
    let configurationWatch: ConfigurationWatch?
    /// The items whose file contains a thumbnail of a different image.
    var itemsWithUntrueThumbnails: Set<Int> = []
    private lazy var bindings = CellBindings(
        manager: manager,
        deliver: { [progress] in progress.send($0) },
        listener: { [weak self] in self?.take($1, of: $0) }
    )

    init(
        terminal: any Terminal,
        signals: SignalInbox,
        manager: ImageManager,
        mailbox: Mailbox<GalleryMail>,
        options: GalleryOptions,
        configurationWatch: ConfigurationWatch? = nil
    ) throws(TerminalError) {
        self.configurationWatch = configurationWatch
        self.terminal = terminal
        self.manager = manager
        self.mailbox = mailbox
        progress = ProgressCoalescer(mailbox: mailbox)
        detailRenderer = DetailRenderer(mailbox: mailbox)
        let isAllowed = PrefetchPermission.watching(manager, mailbox: mailbox)
        prefetcher = GalleryPrefetcher(
            manager: manager,
            mode: options.prefetch,
            mailbox: mailbox,
            isAllowed: isAllowed
        )
        nextPicture = NextPicturePrefetcher(manager: manager, isAllowed: isAllowed)
        player = AnimationPlayer(manager: manager, mailbox: mailbox)
        finder = FeedFinder(manager: manager, mailbox: mailbox)
        reading = ReadingKeeper(options.readingFolder, mailbox: mailbox)
        reloader = FeedReloader(options.feedOrigin, mailbox: mailbox)
        loop = try EventLoop(terminal: terminal, signals: signals, mailbox: mailbox)
        tileWidthFile = options.tileWidthFile
        labelFile = options.labelFile
        printsRecords = options.printsRecords
        sweeper = CacheSweeper(manager: manager, mailbox: mailbox)
        external = ExternalWork(
            manager: manager,
            mailbox: mailbox,
            signals: signals,
            terminal: terminal
        )
        placeFile = options.placeFile
        recentEvents = options.recentEvents
        isExact = options.isExact
        state = GalleryState(capabilities: terminal.capabilities, settings: options.settings)
    }

    /// Runs until the user quits or a signal ends the gallery.
    ///
    /// The caller must restore the terminal afterwards.
    func run() -> Ending {
        send(.resize(terminal.size))
        draw()
        loop.run(handle: handle, draw: draw)
        prefetcher.cancelAll()
        nextPicture.load(nil)
        player.follow(nil) { _ in nil }
        manager.cancelAll()
        external.end()
        placeFile.keep(item: state.selectedItem, of: feed)
        reading.end()
        return ending ?? .quit
    }

    // MARK: Events

    private func handle(_ event: Event<GalleryMail>) -> LoopDecision {
        switch event {
        case .input(let input):
            inputTime = inputTime ?? .now
            lookAtConfiguration()
            send(.input(input))
        case .resize(let size): send(.resize(size))
        case .detectionChanged: send(.capabilities(terminal.capabilities))
        case .mail(let mail): receive(mail)
        case .tick: send(.tick)
        case .signal(.suspend): terminal.suspend()
        case .signal(.resumed): terminal.resume()
        case .signal(let signal): ending = .signal(signal.deadlySignal ?? SIGTERM)
        case .inputClosed: ending = .signal(SIGHUP)
        }
        show(reloader.takeWaiting(state))
        return ending == nil ? .proceed : .leave
    }

    private func receive(_ mail: GalleryMail) {
        switch mail {
        case .delivery(let delivery): bindings.accept(delivery)
        case .progressWaits(let id): progress.take(bindingID: id).map(bindings.accept)
        case .feed(let result): open(result)
        case .feedChanged(let feed, let items, let number): change(to: feed, items, number)
        case .pageRead(let page, let result): append(result, after: page)
        case .opened(let feed, let origin, let number): openAnother(feed, from: origin, number)
        case .reloaded(let reload, let number): take(reload, number: number)
        case .unread(let items, let ranges, let number):
            if number == feedNumber { send(.unread(items, of: ranges)) }
        case .message(let message): send(message)
        case .detailRendered(let image, let viewport): send(.detailRendered(image, viewport))
        case .frameReady(let item): player.takeFrame().map { send(.frame($0, item: item)) }
        case .statisticsChanged, .pictureReady: break  // the following draw shows them
        case .notice(let text, let kind): send(.notice(text, kind))
        case .trash(let report): take(report)
        case .information(let found, let item): send(.information(found, item: item))
        case .filesReady(let files, let use):
            let (remark, signal) = external.use(files, use)
            say(remark)
            if let signal { ending = .signal(signal) }
        }
    }

    /// Converts an event of a binding's load to a message, and sends it.
    private func take(_ event: LoadEvent, of bindingID: Int) {
        guard bindingID != CellBindings.fullSizeID else { return send(.detailFullSize(event)) }
        send(bindingID == CellBindings.detailID ? .detail(event) : .slot(bindingID, event))
        guard bindingID == CellBindings.detailID, case .finished(.success(let response)) = event
        else { return }
        checkThumbnail(against: response.image.pixels)
    }

    /// Reloads the cell of the opened image if its thumbnail shows a different image.
    private func checkThumbnail(against pixels: PixelBuffer) {
        guard let (item, thumbnail) = state.thumbnailOfDetail,
            !ThumbnailCheck.isTrue(thumbnail, of: pixels)
        else { return }
        itemsWithUntrueThumbnails.insert(item)
        send(.reload(item: item))
    }

    // MARK: Effects

    func send(_ message: Message) {
        let effects = state.update(message)
        // The effects are performed in one batch, because the cell that is requested last, which is
        // the top cell, must be loaded first.
        manager.batch {
            for effect in effects { perform(effect) }
        }
        player.follow(state.animationTarget) {
            request(for: $0, retrying: false, refreshing: false)
        }
    }

    private func perform(_ effect: Effect) {
        switch effect {
        case .bind(let slot, let item, let size, let retrying, let refreshing):
            guard var request = thumbnail(of: item, retrying: retrying, refreshing: refreshing)
            else { return }
            request.targetSize = size
            bindings.bind(slot: slot, to: request)
        case .unbind(let slot): bindings.unbind(slot)
        case .prefetch(let request): prefetch(request)
        case .prefetchOpen(let item):
            let size = state.detailTargetSize
            nextPicture.load(
                item.flatMap { request(for: $0, retrying: false, refreshing: false, size: size) }
            )
        case .pausePrefetch: prefetcher.pause()
        case .resumePrefetch: prefetcher.resume()
        case .openDetail(let item, let refreshing):
            let size = state.detailTargetSize
            itemForFullSize = nil
            request(for: item, retrying: true, refreshing: refreshing, size: size).map(
                bindings.bindDetail
            )
        case .loadFullSize(let item): itemForFullSize = item
        case .closeDetail:
            itemForFullSize = nil
            bindings.unbindDetail()
        case .renderDetail(let pixels, let viewport):
            detailRenderer.render(pixels, viewport: viewport, capabilities: state.capabilities)
        case .arrange, .find, .openFeed, .completePath, .readPage: finder.perform(effect)
        case .reloadFeed(let isQuiet): reloadFeed(isQuiet: isQuiet)
        case .keepReading(let read, let unread): reading.note(read: read, unread: unread)
        case .expectChange(let url, let time):
            let clock = LoadingClock.system
            clock.notify(at: clock.uptime() + time) { [mailbox] in
                mailbox.post(.message(.changeExpected(url: url)))
            }
        case .clearMemoryCache: sweeper.clearMemory()
        case .clearDiskCache: sweeper.clearDisk()
        case .cleanDiskCache: sweeper.cleanDisk()
        case .cancelAll:
            prefetcher.cancelAll()
            manager.cancelAll()
        case .pauseLoading: manager.isSuspended = true
        case .resumeLoading: manager.isSuspended = false
        case .rememberTileWidth(let width): tileWidthFile.write(width)
        case .keepLabel(let decision):
            let problem = labelFile?.keep(decision, mailbox: mailbox)
            if let problem { send(.labelNotKept(decision, problem)) }
        case .readInformation(let item):
            external.readInformation(of: picture(item), item: item)
        case .outside(let request): say(external.perform(request, of: feed, picture: picture))
        case .redraw: terminal.invalidate()
        case .suspend: terminal.suspend()
        case .quit: ending = .quit
        case .finish(let items):
            let records = printsRecords ? items.compactMap(state.record) : nil
            ending = .picked(records ?? items.compactMap(state.pickedURL))
        }
    }

    private func prefetch(_ items: PrefetchRequest?) {
        prefetcher.load(items) { item in
            // An item that can't be loaded reports its problem in its cell when it becomes visible.
            feed?[item].problem == nil
                ? thumbnail(of: item, retrying: false, refreshing: false) : nil
        }
    }

    // MARK: Drawing
    private func draw() {
        let statistics = manager.statistics
        send(.statistics(statistics))
        send(.prefetch(prefetcher.statistics))
        send(.screenStatistics(screenStatistics))
        statisticsWatch.takeDiskProblem(of: statistics).map { send(.notice($0, .warning)) }
        if state.wantedEventCount > 0 {
            let (events, start) = recentEvents.latest(state.wantedEventCount)
            send(.trace(events, since: start))
        }
        terminal.paint(state.frame())
        noteSpeed()
        loadFullSize()
        // An idle gallery needs no ticks and causes no wake-ups.
        let needsTicks =
            !statisticsWatch.areAtRest(statistics) || state.needsTicks
            || !terminal.backlog.isDisjoint(with: [.pictures, .rest])
        loop.tickInterval = needsTicks ? GalleryState.tickInterval : nil
    }

    /// Loads all pixels of the opened image, after the terminal has received the pixels that fit
    /// the screen.
    ///
    /// The pixels for the screen are needed first, and both loads compete for the processor.
    private func loadFullSize() {
        guard let item = itemForFullSize, !state.isDrawingDetail,
            !terminal.backlog.contains(.pictures)
        else { return }
        itemForFullSize = nil
        request(for: item, retrying: true, refreshing: false).map(bindings.bindFullSize)
    }

    private func noteSpeed() {
        if let time = inputTime { screenStatistics.keyTimes.record(.now - time) }
        inputTime = nil
        if screenStatistics.firstPicture == nil, state.showsImages {
            screenStatistics.firstPicture = .now - start
        }
        screenStatistics.pictures = terminal.pictures
    }
}
