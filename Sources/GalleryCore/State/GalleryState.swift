internal import BitCollections
internal import Decoders
internal import ImageLoading

/// The gallery: takes messages, says what to do, and can always be drawn.
///
/// A value without a clock, a file or a thread; the UI thread owns the one instance. Any message is
/// fine at any time.
public struct GalleryState: Sendable {
    /// What the terminal shows; `b` changes the symbols.
    public internal(set) var capabilities: ScreenCapabilities {
        didSet { theme = Theme(capabilities) }
    }
    /// Whether the person has chosen how images are drawn.
    var hasChosenLook = false
    var theme: Theme
    var settings: GallerySettings
    /// The width of tiles that the settings came with.
    var givenTileWidth: Int?
    /// What keys do, and what the help says of them.
    var keys: KeyTables
    var screen = ScreenSize(columns: 80, rows: 24)
    /// False until the screen's size is known: nothing is loaded for a guess.
    var knowsScreen = false
    var feed: Result<Feed, FeedError>?
    var layout: GridLayout
    /// Where the panel beside the grid begins; nil while there is none.
    var panelColumn: Int?
    /// Whether the trace is shown, its newest events, and the time of the first of all.
    var showsTrace = false
    var trace: [TraceEvent] = []
    var traceStart = Duration.zero
    /// The first row of the trace; nil while there is none below the grid.
    var traceRow: Int?
    /// The number of pictures that the tiles were sized for, which a list that changes keeps.
    var sizedFor = Int.max
    /// What is shown of the feed.
    var order = ItemOrder(feedCount: 0)
    /// The position that is selected.
    var selection = 0
    var finding = FindingState()
    var topRow = 0
    /// Where the next feed opens.
    var firstItem = 0
    var pool: CellPool
    var detail: DetailState?
    /// Where the mouse holds the image that is looked at.
    var heldAt: ScreenPlace?
    var lastDetailSerial = 0
    var overlay: Overlay?
    var promptHistory = PromptHistory()
    /// What is known of the selected picture, while it is shown.
    var informationPanel: InformationPanel?
    /// The scroll position of the statistics; nil while they are hidden.
    var statisticsPosition: PanelPosition?
    var statistics = LoadingStatistics()
    /// What came over the network while the statistics were shown.
    var networkHistory: NetworkHistory?
    var notice: Notice?
    var autoScroll: AutoScroll?
    var slideshow: Slideshow?
    var hasStartedSlideshow = false
    /// Whether animated pictures play.
    var playsAnimations = true
    /// The item of which a frame is shown.
    var playingItem: Int?
    var expectedChanges = ExpectedChanges()
    var prefetchPlanner = PrefetchPlanner()
    /// Whether the person has paused loading: no transfer starts.
    var isPaused = false
    var prefetchStatistics = PrefetchStatistics()
    /// The page of the feed that was asked for last.
    var requestedPage: FeedPage?
    /// Marks and labels.
    var choices = Choices()
    /// Whether digits are labels.
    var isLabelling = false
    /// The number of items, all with a label, behind which the first one without is looked for; nil
    /// once it is found or the person has done something.
    var labelledCount: Int?
    var screenStatistics = ScreenStatistics()
    /// The items that nobody has looked at, of those that are news: of feeds whose reading is kept, and
    /// of what came since another was read first.
    var unread = BitSet()
    /// Those that were read all at once; taken back by the same key.
    var readAtOnce = BitSet()
    /// What could not be read again the last time.
    var reloadFaults: [String] = []

    /// Makes the gallery before anything has happened.
    public init(capabilities: ScreenCapabilities, settings: GallerySettings) {
        let capabilities = settings.dressed(capabilities)
        self.capabilities = capabilities
        self.settings = settings
        givenTileWidth = settings.tileWidth
        keys = KeyTables(settings.keys)
        theme = Theme(capabilities)
        choices.take(labels: settings.labelling.given)
        layout = GridLayout(
            screen: screen,
            cellPixels: capabilities.cellPixels,
            itemCount: 0,
            sizedFor: .max
        )
        pool = CellPool(capabilities: capabilities)
        if settings.scrollsByItself { autoScroll = AutoScroll(ticksPerRow: settings.ticksPerRow) }
    }

    /// How long a tick lasts.
    public static let tickInterval = Duration.milliseconds(100)

    /// Whether the frame timer is needed; false while nothing moves by itself, so that an idle
    /// gallery wakes nobody.
    public var needsTicks: Bool {
        scrollsNow || showsSlides || prefetchPlanner.needsTicks || notice != nil || pool.needsTicks
            || networkHistory?.needsTicks == true || finding.waitingTicks != nil
    }

    private var scrollsNow: Bool {
        autoScroll != nil && overlay == nil && detail == nil && layout.lastTopRow > 0
    }

    /// Takes a message; returns what to do, in this order.
    public mutating func update(_ message: Message) -> [Effect] {
        if case .input = message { labelledCount = nil }
        let before = selectedItem
        // What is not visible comes after everything that is.
        return picked(handle(message)) + followInformation() + followNewest() + followSlideshow()
            + endAnimation() + noteReading(after: message, from: before) + followScroll()
            + followPages()
    }

    private mutating func handle(_ message: Message) -> [Effect] {
        switch message {
        case .input(.key(let key)): return press(key)
        case .input(.mouse(let mouse)): return point(mouse)
        case .input(.paste(let text)): return paste(text)
        case .resize(let size): return resize(size)
        case .capabilities(let capabilities): return take(capabilities)
        case .settings(let settings): return take(settings)
        case .feed(let feed): return open(feed)
        case .feedChanged(let feed, let items): return change(to: feed, items)
        case .reloaded(let reload): return take(reload)
        case .unread(let items, let ranges): takeUnread(items, of: ranges)
        case .resume(let item): firstItem = item
        case .arranged(let order, let number): return take(order, number: number)
        case .found(let answer, let number): return take(answer, number: number)
        case .slot(let slot, let event):
            noteForInformation(event, ofItem: pool.item(ofSlot: slot))
            let expected = expectedChanges.take(event, of: pool.url(ofSlot: slot))
            return pool.apply(event, toSlot: slot) + expected
        case .detail(let event):
            noteForInformation(event, ofItem: detail?.item)
            let expected = expectedChanges.take(event, of: detail?.feedItem.url)
            return (detail?.apply(event) ?? []) + expected
        case .detailFullSize(let event): return detail?.applyFullSize(event) ?? []
        case .reload(let item): return pool.reload(item: item)
        case .frame(let pixels, let item): return show(frame: pixels, ofItem: item)
        case .detailRendered(let image, let viewport): showInDetail(image, viewport)
        case .pathCompletions(let paths, let path): take(completions: paths, ofPath: path)
        case .statistics(let statistics): take(statistics)
        case .screenStatistics(let statistics): screenStatistics = statistics
        case .prefetch(let statistics): prefetchStatistics = statistics
        case .refreshDue: return refreshVisible()
        case .changeExpected(let url): return askAgain(url)
        case .trace(let events, let start): (trace, traceStart) = (events, start)
        case .tick: return tick()
        case .notice(let text, let kind): notice = Notice(text, kind)
        case .information(let found, let item): take(found, ofItem: item)
        case .trashed(let items): tookToTrash(items)
        case .labelNotKept(let decision, let reason): takeBack(decision, because: reason)
        }
        return []
    }

    /// Whether there is an image on the screen.
    public var showsImages: Bool { pool.shownCount > 0 }

    /// The size in pixels that thumbnails are loaded at.
    var targetSize: PixelSize { capabilities.imageSize(filling: layout.imageBox) }

    /// Brings scrolling and the pool in line with everything else, after any change.
    mutating func settle() -> [Effect] {
        let grid = grid(tileWidth: settings.tileWidth)
        // Without room for a panel it is a page, and the grid waits behind it.
        let hasPanel = statisticsPosition != nil || informationPanel != nil
        let rest = hasPanel ? grid.leaving(PanelArea.leastWidth) : nil
        panelColumn = rest?.panelColumn
        layout = makeRoomForTrace(in: rest ?? grid)
        selection = max(0, min(selection, itemCount - 1))
        topRow = layout.topRow(topRow, showing: selection)
        return pool.show(visibleItems, of: try? feed?.get(), box: layout.imageBox)
    }

    /// The grid on the whole screen.
    func grid(tileWidth: Int?) -> GridLayout {
        GridLayout(
            screen: screen,
            cellPixels: capabilities.cellPixels,
            itemCount: itemCount,
            sizedFor: sizedFor,
            tileWidth: tileWidth
        )
    }

    private mutating func resize(_ size: ScreenSize) -> [Effect] {
        screen = size
        knowsScreen = true
        if feedCount > 0 { sizedFor = lengthForTiles }
        if statisticsPosition != nil { statisticsPosition = PanelPosition() }
        informationPanel?.position = PanelPosition()
        return settle() + resizeDetail()
    }

    mutating func resizeDetail() -> [Effect] {
        let box = detailBox
        return detail?.resize(to: box) ?? []
    }

    /// The terminal has told more of what it can show.
    mutating func take(_ capabilities: ScreenCapabilities) -> [Effect] {
        var capabilities = settings.dressed(capabilities)
        // What the person has chosen stays, as long as there is a choice.
        if hasChosenLook, capabilities.offeredSymbols.contains(self.capabilities.symbols) {
            let graphics = self.capabilities.graphics
            capabilities.symbols = self.capabilities.symbols
            if graphics.map(capabilities.offeredGraphics.contains) ?? true {
                capabilities.graphics = graphics
            }
        }
        guard capabilities != self.capabilities else { return [] }
        self.capabilities = capabilities
        // The image looked at comes first. A box of other pixels changes its viewport, which draws
        // it; otherwise it is drawn here.
        let resized = resizeDetail()
        let drawn = resized.isEmpty ? detail?.draw() ?? [] : resized
        return drawn + settle() + pool.restyle(capabilities)
    }

    /// An empty list and one that may grow count as long.
    private var lengthForTiles: Int {
        (try? feed?.get()).map { $0.isOpen || $0.count == 0 ? .max : $0.count } ?? .max
    }

    mutating func open(_ feed: Result<Feed, FeedError>) -> [Effect] {
        var effects = pool.unbindAll() + prefetchPlanner.end()
        if detail != nil { effects += closeDetail() }
        self.feed = feed
        order = wholeOrder
        requestedPage = nil
        finding = FindingState(after: finding)
        sizedFor = lengthForTiles
        choices.forgetItems()
        (unread, readAtOnce, reloadFaults) = (BitSet(), BitSet(), [])
        (selection, firstItem) = (firstItem, 0)
        selectFirstWithoutLabel()
        topRow = 0
        let remarks = [(try? feed.get())?.remark, settings.labelling.remark, pickingRemark]
            .compactMap(\.self)
        if !remarks.isEmpty { notice = Notice(remarks.joined(separator: "; ")) }
        return effects + settle()
    }

    private mutating func take(_ statistics: LoadingStatistics) {
        if statistics.unavailableHosts > self.statistics.unavailableHosts {
            notice = Notice(
                "a server keeps failing; requests to it are paused"
                    + keys.hint(.retry, "asks it"),
                .warning
            )
        }
        self.statistics = statistics
    }

    private mutating func tick() -> [Effect] {
        notice = notice?.afterTick
        prefetchPlanner.tick()
        pool.tick()
        tickFinding()
        networkHistory?.tick(received: statistics.bytesReceived)
        if showsSlides { return tickSlideshow() }
        guard scrollsNow, var scrolling = autoScroll else { return [] }
        let next = scrolling.tick(topRow: topRow, lastTopRow: layout.lastTopRow)
        autoScroll = scrolling
        return next == topRow ? [] : scroll(rows: next - topRow)
    }

    /// Moves the screen and the selection with it.
    mutating func scroll(rows: Int) -> [Effect] {
        let target = max(0, min(layout.lastTopRow, topRow + rows))
        selection += (target - topRow) * layout.columns
        topRow = target
        return settle()
    }
}
