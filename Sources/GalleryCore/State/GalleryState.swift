internal import Decoders
internal import Feeds
internal import ImageLoading
package import TerminalUI

/// The state of the gallery: it handles messages, returns effects, and can be drawn at any time.
///
/// The state is a value without a clock, files or threads. The UI thread owns its only instance.
/// Every message is valid at any time.
package struct GalleryState: Sendable {
    /// The capabilities of the terminal; the key `b` changes the symbols.
    package internal(set) var capabilities: ScreenCapabilities {
        didSet { theme = Theme(capabilities) }
    }
    /// Whether the user has chosen a display mode.
    var hasChosenLook = false
    var theme: Theme
    var settings: GallerySettings
    /// The tile width in the settings that were last applied, in columns.
    var givenTileWidth: Int?
    /// The keys and their help.
    var keys: KeyTables
    var screen = ScreenSize(columns: 80, rows: 24)
    /// Whether the size of the screen is known; until then, nothing is loaded.
    var knowsScreen = false
    var feed: Result<Feed, FeedError>?
    var layout: GridLayout
    var panels = PanelsState()
    var trace = TraceState()
    /// The number of images that determines the tile size; it stays the same when the list changes.
    var sizedFor = Int.max
    /// The visible items of the feed, and their order.
    var order = ItemOrder(feedCount: 0)
    /// The selected position.
    var selection = 0
    var finding = FindingState()
    var topRow = 0
    /// The position that is selected when the next feed opens.
    var firstItem = 0
    var pool: CellPool
    var detail: DetailState?
    /// The last mouse position of a drag in the open image.
    var heldAt: ScreenPlace?
    var lastDetailSerial = 0
    var prompt = PromptState()
    var statistics = StatisticsState()
    var notice: Notice?
    var autoScroll: AutoScroll?
    var slideshow = SlideshowState()
    var animation = AnimationState()
    var expectedChanges = ExpectedChanges()
    var prefetchPlanner = PrefetchPlanner()
    /// Whether the user has paused loading; no new transfer starts while loading is paused.
    var isPaused = false
    /// Marks and labels.
    var choices = Choices()
    var labeling = LabelingState()
    var reading = ReadingState()

    /// Creates the initial state.
    package init(capabilities: ScreenCapabilities, settings: GallerySettings) {
        let capabilities = settings.dressed(capabilities)
        self.capabilities = capabilities
        self.settings = settings
        givenTileWidth = settings.tileWidth
        keys = KeyTables(settings.keys)
        theme = Theme(capabilities)
        choices.take(labels: settings.labeling.given)
        layout = GridLayout(
            screen: screen,
            cellPixels: capabilities.cellPixels,
            itemCount: 0,
            sizedFor: .max
        )
        pool = CellPool(capabilities: capabilities)
        if settings.scrollsByItself { autoScroll = AutoScroll(ticksPerRow: settings.ticksPerRow) }
    }

    /// The duration of a tick.
    package static let tickInterval = Duration.milliseconds(100)

    /// Whether the frame timer must run.
    ///
    /// The value is false while nothing changes, so an idle gallery causes no wakeups.
    package var needsTicks: Bool {
        scrollsNow || showsSlides || prefetchPlanner.needsTicks || notice != nil || pool.needsTicks
            || panels.needsTicks || finding.waitingTicks != nil
    }

    private var scrollsNow: Bool {
        autoScroll != nil && prompt.overlay == nil && detail == nil && layout.lastTopRow > 0
    }

    /// Handles a message, and returns the effects in order of execution.
    package mutating func update(_ message: Message) -> [Effect] {
        if case .input = message { labeling.endSearch() }
        let before = selectedItem
        // Effects for invisible items come after those for visible items.
        return picked(handle(message)) + panels.follow(selectedItem: selectedItem) + followNewest()
            + followSlideshow()
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
        case .unread(let items, let ranges):
            reading.take(unread: items, of: ranges, feedCount: feedCount)
        case .resume(let item): firstItem = item
        case .arranged(let order, let number): return take(order, number: number)
        case .found(let answer, let number): return take(answer, number: number)
        case .slot(let slot, let event):
            panels.note(event, ofItem: pool.item(ofSlot: slot))
            let expected = expectedChanges.take(event, of: pool.url(ofSlot: slot))
            return pool.apply(event, toSlot: slot) + expected
        case .detail(let event):
            panels.note(event, ofItem: detail?.item)
            let expected = expectedChanges.take(event, of: detail?.feedItem.url)
            return (detail?.apply(event) ?? []) + expected
        case .detailFullSize(let event): return detail?.applyFullSize(event) ?? []
        case .reload(let item): return pool.reload(item: item)
        case .frame(let pixels, let item): return show(frame: pixels, ofItem: item)
        case .detailRendered(let image, let viewport): showInDetail(image, viewport)
        case .pathCompletions(let paths, let path): prompt.take(completions: paths, ofPath: path)
        case .statistics(let message): take(message)
        case .refreshDue: return refreshVisible()
        case .changeExpected(let url): return askAgain(url)
        case .trace(let events, let start): trace.take(events, since: start)
        case .tick: return tick()
        case .notice(let text, let kind): notice = Notice(text, kind)
        case .information(let found, let item): panels.take(found, ofItem: item)
        case .trashed(let items): tookToTrash(items)
        case .labelNotKept(let decision, let reason): takeBack(decision, because: reason)
        }
        return []
    }

    /// Whether an image is visible.
    package var showsImages: Bool { pool.shownCount > 0 }

    /// The size of thumbnails in pixels.
    var targetSize: PixelSize { capabilities.imageSize(filling: layout.imageBox) }

    /// Updates the layout, the selection, the scroll position and the cell pool after any change.
    mutating func settle() -> [Effect] {
        let rest = panels.takeRoom(from: grid(tileWidth: settings.tileWidth))
        layout = trace.takeRoom(from: rest)
        selection = max(0, min(selection, itemCount - 1))
        topRow = layout.topRow(topRow, showing: selection)
        return pool.show(visibleItems, of: try? feed?.get(), box: layout.imageBox)
    }

    /// Returns the grid for the whole screen.
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
        panels.scrollToStart()
        return settle() + resizeDetail()
    }

    mutating func resizeDetail() -> [Effect] {
        let box = detailBox
        return detail?.resize(to: box) ?? []
    }

    /// Applies new capabilities that the terminal has reported.
    mutating func take(_ capabilities: ScreenCapabilities) -> [Effect] {
        var capabilities = settings.dressed(capabilities)
        // The display mode that the user has chosen remains while it is available.
        if hasChosenLook, capabilities.offeredSymbols.contains(self.capabilities.symbols) {
            let graphics = self.capabilities.graphics
            capabilities.symbols = self.capabilities.symbols
            if graphics.map(capabilities.offeredGraphics.contains) ?? true {
                capabilities.graphics = graphics
            }
        }
        guard capabilities != self.capabilities else { return [] }
        self.capabilities = capabilities
        // The open image is drawn first. If the cell size has changed, resizing the viewport also
        // draws the image; otherwise it is drawn here.
        let resized = resizeDetail()
        let drawn = resized.isEmpty ? detail?.draw() ?? [] : resized
        return drawn + settle() + pool.restyle(capabilities)
    }

    /// The number of images that determines the tile size: the length of the list, or `Int.max` if
    /// the list is empty, may still grow, or is not available.
    private var lengthForTiles: Int {
        (try? feed?.get()).map { $0.isOpen || $0.count == 0 ? .max : $0.count } ?? .max
    }

    mutating func open(_ feed: Result<Feed, FeedError>) -> [Effect] {
        var effects = pool.unbindAll() + prefetchPlanner.end()
        if detail != nil { effects += closeDetail() }
        self.feed = feed
        order = wholeOrder
        reading = ReadingState()
        finding = FindingState(after: finding)
        sizedFor = lengthForTiles
        choices.forgetItems()
        (selection, firstItem) = (firstItem, 0)
        selectFirstWithoutLabel()
        topRow = 0
        let remarks = [(try? feed.get())?.remark, settings.labeling.remark, pickingRemark]
            .compactMap(\.self)
        if !remarks.isEmpty { notice = Notice(remarks.joined(separator: "; ")) }
        return effects + settle()
    }

    private mutating func take(_ message: StatisticsMessage) {
        guard statistics.update(message) else { return }
        notice = Notice(
            "a server keeps failing; requests to it are paused" + keys.hint(.retry, "retries"),
            .warning
        )
    }

    private mutating func tick() -> [Effect] {
        notice = notice?.afterTick
        prefetchPlanner.tick()
        pool.tick()
        tickFinding()
        panels.tick(received: statistics.loading.bytesReceived)
        if showsSlides { return tickSlideshow() }
        guard scrollsNow, var scrolling = autoScroll else { return [] }
        let next = scrolling.tick(topRow: topRow, lastTopRow: layout.lastTopRow)
        autoScroll = scrolling
        return next == topRow ? [] : scroll(rows: next - topRow)
    }

    /// Scrolls by a number of rows, and moves the selection by the same number of rows.
    mutating func scroll(rows: Int) -> [Effect] {
        let target = max(0, min(layout.lastTopRow, topRow + rows))
        selection += (target - topRow) * layout.columns
        topRow = target
        return settle()
    }
}
