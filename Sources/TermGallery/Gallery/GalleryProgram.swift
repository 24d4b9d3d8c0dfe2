import Decoders
import Feeds
import GalleryCore
import Glibc
import ImageLoading
import TerminalUI

/// The running gallery, which handles events and draws the screen.
///
/// It passes events to `GalleryState` and performs the effects that the state requests. The gallery
/// occupies the main thread until the user quits.
final class GalleryProgram {
    private let terminal: any Terminal
    private let manager: ImageManager
    private let mailbox: Mailbox<GalleryMail>
    private let loop: EventLoop<GalleryMail>
    private(set) var state: GalleryState
    /// The reason why the gallery is exiting, or nil while it is running.
    var ending: Ending?
    let loads: GalleryLoads
    let feeds: FeedWork
    private let external: ExternalWork
    private let sweeper: CacheSweeper
    private let tileWidthFile: TileWidthFile
    private let labelFile: LabelFile?
    private let printsRecords: Bool
    private let recentEvents: RecentEvents
    private var statisticsWatch = StatisticsWatch()
    private var screenWatch = ScreenWatch(start: .now)
    let configurationWatch: ConfigurationWatch?

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
        loads = GalleryLoads(manager: manager, mailbox: mailbox, options: options)
        feeds = FeedWork(manager: manager, mailbox: mailbox, options: options)
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
        recentEvents = options.recentEvents
        state = GalleryState(capabilities: terminal.capabilities, settings: options.settings)
        loads.listener = { [weak self] in self?.take($1, of: $0) }
        loads.covers.listener = { [weak self] in self?.send(.cover($0, $1)) }
    }

    /// Runs until the user quits or a signal ends the gallery.
    ///
    /// The caller must restore the terminal afterward.
    func run() -> Ending {
        send(.resize(terminal.size))
        draw()
        loop.run(handle: handle, draw: draw)
        loads.end()
        external.end()
        feeds.end(state.currentFeed, at: state.selectedItem)
        return ending ?? .quit
    }

    // MARK: Events

    private func handle(_ event: Event<GalleryMail>) -> LoopDecision {
        switch event {
        case .input(let input):
            screenWatch.noteInput(at: .now)
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
        show(feeds.takeReload(for: state))
        return ending == nil ? .proceed : .leave
    }

    private func receive(_ mail: GalleryMail) {
        switch mail {
        case .delivery(let delivery): loads.accept(delivery)
        case .progressWaits(let id): loads.acceptProgress(ofBinding: id)
        case .cover(let delivery): loads.covers.accept(delivery)
        case .feed(let result): open(result)
        case .feedChanged(let feed, let items, let number): change(to: feed, items, number)
        case .pageRead(let page, let result): append(result, after: page)
        case .opened(let feed, let origin, let number): openAnother(feed, from: origin, number)
        case .reloaded(let reload, let number): take(reload, number: number)
        case .unread(let items, let ranges, let number):
            if feeds.isCurrent(feedNumber: number) { send(.unread(items, of: ranges)) }
        case .message(let message):
            if case .kept(let load, .finished) = message { loads.endKept(load) }
            send(message)
        case .detailRendered(let image, let viewport): send(.detail(.rendered(image, viewport)))
        case .frameReady(let item):
            if let frame = loads.takeFrame() { send(.frame(frame, item: item)) }
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

    /// Converts an event from a load to a message and sends it to the state.
    private func take(_ event: LoadEvent, of bindingID: Int) {
        guard bindingID != CellBindings.fullSizeID else { return send(.detail(.fullSize(event))) }
        send(bindingID == CellBindings.detailID ? .detail(.load(event)) : .slot(bindingID, event))
        guard bindingID == CellBindings.detailID, case .finished(.success(let response)) = event
        else { return }
        // The thumbnail in the file may show a different image.
        let item = loads.takeUntrueThumbnail(in: state, against: response.image.pixels)
        if let item { send(.reload(item: item)) }
    }

    // MARK: Effects

    func send(_ message: Message) {
        let effects = state.update(message)
        // The effects are performed in a batch, so the cell requested last, which is the top cell,
        // is loaded first.
        manager.batch {
            for effect in effects { perform(effect) }
        }
        loads.play(state)
    }

    private func perform(_ effect: Effect) {
        switch effect {
        case .bind(let slot, let item, let size, let retrying, let refreshing):
            loads.bind(
                slot: slot,
                to: item,
                of: state,
                size: size,
                retrying: retrying,
                refreshing: refreshing
            )
        case .unbind(let slot): loads.unbind(slot: slot)
        case .prefetch(let effect): loads.perform(effect, for: state)
        case .detail(let effect): loads.perform(effect, for: state)
        case .loading(let effect): loads.perform(effect)
        case .finding(let effect): feeds.perform(effect)
        case .feed(let effect):
            let refusal = feeds.perform(effect, on: state.currentFeed)
            if let refusal { send(.notice(refusal)) }
        case .completePath(let path): feeds.complete(path)
        case .files(let effect): loads.files.perform(effect)
        case .cache(let effect): sweeper.perform(effect)
        case .expectChange(let url, let time):
            let clock = LoadingClock.system
            clock.notify(at: clock.uptime() + time) { [mailbox] in
                mailbox.post(.message(.changeExpected(url: url)))
            }
        case .rememberTileWidth(let width): tileWidthFile.write(width)
        case .keepLabel(let decision):
            let problem = labelFile?.keep(decision, mailbox: mailbox)
            if let problem { send(.labelNotKept(decision, problem)) }
        case .readInformation(let item):
            external.readInformation(of: picture(item), item: item)
        case .external(let request):
            say(external.perform(request, of: state.currentFeed, picture: picture))
        case .redraw: terminal.invalidate()
        case .suspend: terminal.suspend()
        case .quit: ending = .quit
        case .finish(let items):
            let records = printsRecords ? items.compactMap(state.record) : nil
            ending = .picked(records ?? items.compactMap(state.pickedURL))
        }
    }

    // MARK: Drawing
    private func draw() {
        let statistics = manager.statistics
        send(.statistics(.loading(statistics)))
        send(.statistics(loads.prefetchStatistics))
        send(.statistics(.screen(screenWatch.statistics)))
        statisticsWatch.takeDiskProblem(of: statistics).map { send(.notice($0, .warning)) }
        if state.wantedEventCount > 0 {
            let (events, start) = recentEvents.latest(state.wantedEventCount)
            send(.trace(events, since: start))
        }
        terminal.paint(state.frame())
        screenWatch.noteFrame(
            at: .now,
            showsImages: state.showsImages,
            cursor: state.cursorImage,
            pictures: terminal.pictures
        )
        let isTerminalReady = !terminal.backlog.contains(.pictures)
        loads.loadFullSize(for: state, isTerminalReady: isTerminalReady)
        // An idle gallery needs no ticks and causes no wake-ups.
        let needsTicks =
            !statisticsWatch.areAtRest(statistics) || state.needsTicks
            || !terminal.backlog.isDisjoint(with: [.pictures, .rest])
        loop.tickInterval = needsTicks ? GalleryState.tickInterval : nil
    }
}
