internal import Decoders
internal import ImageLoading

/// The gallery: takes messages, says what to do, and can always be drawn.
///
/// A value without a clock, a file or a thread; the UI thread owns the one instance. Any message is
/// fine at any time.
public struct GalleryState: Sendable {
    /// What the terminal shows; `b` changes the symbols.
    public internal(set) var capabilities: ScreenCapabilities
    /// Whether the person has chosen how images are drawn.
    var hasChosenLook = false
    var theme: Theme
    var settings: GallerySettings
    var screen = ScreenSize(columns: 80, rows: 24)
    /// False until the screen's size is known: nothing is loaded for a guess.
    var knowsScreen = false
    var feed: Result<Feed, FeedError>?
    var layout: GridLayout
    var selection = 0
    var topRow = 0
    var pool: CellPool
    var detail: DetailState?
    var lastDetailSerial = 0
    var overlay: Overlay?
    var showsStatistics = false
    var statistics = LoadingStatistics()
    var notice: Notice?
    var autoScroll: AutoScroll?
    var prefetchPlanner = PrefetchPlanner()
    /// Whether the person has paused loading: no transfer starts.
    var isPaused = false
    var prefetchStatistics = PrefetchStatistics()

    /// Makes the gallery before anything has happened.
    public init(capabilities: ScreenCapabilities, settings: GallerySettings) {
        self.capabilities = capabilities
        self.settings = settings
        theme = Theme(capabilities.colorDepth)
        layout = GridLayout(screen: screen, cellSize: settings.cellSize, itemCount: 0)
        pool = CellPool(capabilities: capabilities)
        if settings.scrollsByItself { autoScroll = AutoScroll(ticksPerRow: settings.ticksPerRow) }
    }

    /// How long a tick lasts.
    public static let tickInterval = Duration.milliseconds(100)

    /// Whether the frame timer is needed; false while nothing moves by itself, so that an idle
    /// gallery wakes nobody.
    public var needsTicks: Bool { scrollsNow || prefetchPlanner.needsTicks }

    private var scrollsNow: Bool {
        autoScroll != nil && overlay == nil && detail == nil && layout.lastTopRow > 0
    }

    /// Takes a message; returns what to do, in this order.
    public mutating func update(_ message: Message) -> [Effect] {
        // What is not visible comes after everything that is.
        handle(message) + followScroll()
    }

    private mutating func handle(_ message: Message) -> [Effect] {
        switch message {
        case .input(.key(let key)): return press(key)
        case .input(.mouse(let mouse)): return point(mouse)
        case .input(.paste(let text)): paste(text)
        case .resize(let size): return resize(size)
        case .capabilities(let capabilities): return take(capabilities)
        case .feed(let feed): return open(feed)
        case .slot(let slot, let event): pool.apply(event, toSlot: slot)
        case .detail(let event): return detail?.apply(event) ?? []
        case .detailRendered(let image, let viewport): detail?.show(image, of: viewport)
        case .statistics(let statistics): take(statistics)
        case .prefetch(let statistics): prefetchStatistics = statistics
        case .tick: return tick()
        case .notice(let text): notice = Notice(text)
        }
        return []
    }

    /// The number of items.
    var itemCount: Int { (try? feed?.get())?.count ?? 0 }

    /// Whether the screen can hold an image at all.
    var fits: Bool {
        screen.columns >= GridLayout.minimumScreen.columns
            && screen.rows >= GridLayout.minimumScreen.rows
    }

    /// The items on the screen; none while it is too small or unknown.
    var visibleItems: Range<Int> {
        knowsScreen && fits ? layout.visibleItems(topRow: topRow) : 0..<0
    }

    /// The size in pixels that thumbnails are loaded at.
    var targetSize: PixelSize { capabilities.imageSize(filling: layout.imageBox) }

    /// The cells an image may fill in the detail view: all but its line and the status bar.
    var detailBox: ScreenSize { ScreenSize(columns: screen.columns, rows: screen.rows - 2) }

    /// Brings scrolling and the pool in line with everything else, after any change.
    mutating func settle() -> [Effect] {
        layout = GridLayout(screen: screen, cellSize: settings.cellSize, itemCount: itemCount)
        selection = max(0, min(selection, itemCount - 1))
        topRow = layout.topRow(topRow, showing: selection)
        return pool.show(visibleItems, of: try? feed?.get(), box: layout.imageBox)
    }

    private mutating func resize(_ size: ScreenSize) -> [Effect] {
        screen = size
        knowsScreen = true
        let effects = settle()
        return effects + resizeDetail()
    }

    private mutating func resizeDetail() -> [Effect] {
        let box = detailBox
        return detail?.resize(to: box, cellPixels: capabilities.cellPixels) ?? []
    }

    /// The terminal has told more of what it can show.
    private mutating func take(_ capabilities: ScreenCapabilities) -> [Effect] {
        var capabilities = capabilities
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
        theme = Theme(capabilities.colorDepth)
        // The image looked at comes first. A box of other pixels changes its viewport, which draws
        // it; otherwise it is drawn here.
        let resized = resizeDetail()
        let drawn = resized.isEmpty ? detail?.draw() ?? [] : resized
        return drawn + settle() + pool.restyle(capabilities)
    }

    private mutating func open(_ feed: Result<Feed, FeedError>) -> [Effect] {
        var effects = pool.unbindAll() + prefetchPlanner.end()
        if detail != nil { effects += closeDetail() }
        self.feed = feed
        selection = 0
        topRow = 0
        return effects + settle()
    }

    private mutating func take(_ statistics: LoadingStatistics) {
        if statistics.unavailableHosts > self.statistics.unavailableHosts {
            notice = Notice("a server keeps failing: it is left alone for a while (r asks it)")
        }
        self.statistics = statistics
    }

    private mutating func tick() -> [Effect] {
        notice = notice?.afterTick
        prefetchPlanner.tick()
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

/// What the person chose on the command line.
public struct GallerySettings: Hashable, Sendable {
    /// The preferred size of the grid's cells.
    public var cellSize: CellSize
    /// Whether the gallery scrolls by itself from the start.
    public var scrollsByItself: Bool
    /// How many ticks each row stays at the top while it does.
    public var ticksPerRow: Int
    /// Whether images that are not on the screen yet are prefetched.
    public var prefetches: Bool

    /// Makes settings; by default the standard cells, no scrolling, 0.8 s a row, prefetching.
    public init(
        cellSize: CellSize = .standard,
        scrollsByItself: Bool = false,
        ticksPerRow: Int = 8,
        prefetches: Bool = true
    ) {
        self.cellSize = cellSize
        self.scrollsByItself = scrollsByItself
        self.ticksPerRow = max(1, ticksPerRow)
        self.prefetches = prefetches
    }
}

/// A message in the status bar that goes away by itself, without a clock: after some keys, or after
/// some ticks where ticks run.
struct Notice: Equatable, Sendable {
    let text: String
    private var keysLeft = 2
    private var ticksLeft = 30

    init(_ text: String) {
        self.text = text
    }

    /// The notice after a key; nil when it has been there long enough.
    var afterKey: Notice? {
        var next = self
        next.keysLeft -= 1
        return next.keysLeft > 0 ? next : nil
    }

    /// The notice after a tick.
    var afterTick: Notice? {
        var next = self
        next.ticksLeft -= 1
        return next.ticksLeft > 0 ? next : nil
    }
}
