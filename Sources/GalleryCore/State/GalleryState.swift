package import Decoders
internal import Feeds
internal import ImageLoading
package import TerminalUI

/// The state of the gallery, which handles messages and returns effects.
///
/// The state is a value without a clock, files or threads. Its only instance is owned by the UI
/// thread. It can be drawn, and can handle any message, at any time.
package struct GalleryState: Sendable {
    var display: DisplayState
    /// The most recently applied settings.
    var settings: GallerySettings
    /// The key tables, which determine the actions of the keys and the help text.
    var keys: KeyTables
    var feed: Result<Feed, FeedError>?
    var grid: GridState
    var finding = FindingState()
    var pool: CellPool
    /// The open image, or nil while the grid is shown.
    var detail: DetailState?
    /// The largest serial number used so far for an image in the image view.
    var lastDetailSerial = 0
    /// The marks and labels that the user has set.
    var choices = Choices()
    var labeling = LabelingState()
    var reading = ReadingState()
    /// The folders that the user has entered.
    var walk = FolderWalk()
    var loads = LoadControl()
    var slideshow = SlideshowState()
    var animation = AnimationState()
    var prompt = PromptState()
    var panels = PanelsState()
    var trace = TraceState()
    var lanes: LanesState
    var statistics = StatisticsState()
    var notice: Notice?

    /// Creates the state before a feed is opened.
    package init(capabilities: ScreenCapabilities, settings: GallerySettings) {
        self.settings = settings
        lanes = LanesState(settings.lanes)
        keys = KeyTables(settings.keys)
        display = DisplayState(capabilities, settings: settings)
        grid = GridState(on: display, settings: settings)
        pool = CellPool(capabilities: display.capabilities, style: settings.tileStyle)
        choices.take(labels: settings.labeling.given)
    }

    /// The capabilities of the terminal.
    ///
    /// The user can change the symbols with the key `b`.
    package var capabilities: ScreenCapabilities { display.capabilities }

    var theme: Theme { display.theme }

    var screen: ScreenSize { display.size }

    /// The interval between two ticks of the frame timer.
    package static let tickInterval = Duration.milliseconds(100)

    /// Whether the frame timer must run.
    ///
    /// The timer stops when nothing changes, so an idle gallery causes no wake-ups.
    package var needsTicks: Bool {
        scrollsNow || showsSlides || loads.prefetching.needsTicks || notice != nil
            || pool.needsTicks || panels.needsTicks || finding.isArranging || lanes.needsTicks
            || tellsStory
    }

    private var scrollsNow: Bool {
        grid.autoScroll != nil && prompt.overlay == nil && detail == nil
            && grid.layout.lastTopRow > 0
    }

    /// Handles a message, and returns the effects in the order of execution.
    package mutating func update(_ message: Message) -> [Effect] {
        if case .input = message { labeling.endSearch() }
        let (before, topRow) = (selectedItem, grid.topRow)
        var effects = picked(handle(message))
        effects += follow(message, from: before)
        grid.justify(pool.justifyRows(of: grid.layout.columns))
        return followLanes(effects, from: topRow)
    }

    /// Updates the parts of the state that depend on other parts.
    ///
    /// Call this method after each message. `before` is the item that was selected before the
    /// message was handled. Effects for visible items come before effects for other items.
    private mutating func follow(_ message: Message, from before: Int?) -> [Effect] {
        var effects = panels.follow(selectedItem: selectedItem)
        effects += followNewest()
        effects += followSlideshow()
        effects += endAnimation()
        effects += noteReading(after: message, from: before)
        effects += followScroll()
        effects += followPages()
        return effects
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
        case .resume(let item): grid.firstSelection = item
        case .finding(.arranged(let order, let number)): return take(order, number: number)
        case .finding(.found(let answer, let number)): return take(answer, number: number)
        case .slot(let slot, let event):
            panels.note(event, ofItem: pool.item(ofSlot: slot))
            lanes.take(event, ofSlot: slot)
            let expected = loads.expectedChanges.take(event, of: pool.url(ofSlot: slot))
            return pool.apply(event, toSlot: slot) + expected
                + checkLater(event, url: pool.url(ofSlot: slot))
        case .cover(let slot, let event): pool.apply(event, toSlot: slot)
        case .detail(let message): return take(message)
        case .kept(let load, let event): lanes.take(event, ofKept: load)
        case .reload(let item): return pool.reload(item: item)
        case .frame(let pixels, let item): return show(frame: pixels, ofItem: item)
        case .pathCompletions(let paths, let path): prompt.take(completions: paths, ofPath: path)
        case .statistics(let message): take(message)
        case .refreshDue: return refreshVisible()
        case .filesChanged(let urls): return reload(files: Set(urls))
        case .fileCheckDue(let url): return mayBeUnfinished(url) ? [.files(.check(url: url))] : []
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

    /// The size in pixels at which thumbnails are loaded.
    var targetSize: PixelSize { pool.area.targetSize }

    /// Whether thumbnails fit into their tiles (`fit`) or are cropped to fill them (`fill`).
    package var contentMode: ImageContentMode { pool.area.contentMode }

    /// Updates the layout, the selection, the scroll position and the cell pool after a change.
    mutating func settle() -> [Effect] {
        display.reserve(rows: laneRows)
        let rest = panels.takeRoom(from: grid.wholeLayout(on: display))
        grid.settle(in: trace.takeRoom(from: rest))
        return pool.show(visibleItems, of: currentFeed, box: grid.layout.imageBox)
    }

    private mutating func resize(_ size: ScreenSize) -> [Effect] {
        display.resize(to: size)
        if feedCount > 0 { grid.sizeTiles(for: currentFeed) }
        panels.scrollToStart()
        if case .help(let help)? = prompt.overlay { show(help, scroll: help.scroll) }
        return settle() + resizeDetail()
    }

    mutating func resizeDetail() -> [Effect] {
        let box = detailBox
        return detail?.resize(to: box) ?? []
    }

    /// Applies changed settings or capabilities that the terminal has reported.
    mutating func take(_ reported: ScreenCapabilities) -> [Effect] {
        guard display.take(reported, settings: settings) else { return [] }
        // The open image is drawn first. If the cell size has changed, resizing the viewport has
        // already drawn the image; otherwise it is drawn here.
        let resized = resizeDetail()
        let drawn = resized.isEmpty ? detail?.draw() ?? [] : resized
        return drawn + settle() + pool.restyle(capabilities)
    }

    mutating func open(_ feed: Result<Feed, FeedError>) -> [Effect] {
        var effects = pool.unbindAll() + loads.prefetching.end()
        if detail != nil { effects += closeDetail() }
        // Sizes that are known in advance apply only to the first feed.
        if currentFeed != nil { settings.lanes.byteCounts = ItemByteCounts() }
        self.feed = feed
        walk.open(currentFeed?.folder)
        grid.open(wholeOrder)
        grid.sizeTiles(for: currentFeed)
        reading = ReadingState()
        finding = FindingState(after: finding)
        choices.forgetItems()
        selectFirstWithoutLabel()
        let remarks = [currentFeed?.remark, settings.labeling.remark, pickingRemark]
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
        if let shown = notice {
            notice = shown.afterTick(pieceCount: fits ? StatusLine(self).pieceCount : 1)
        }
        loads.prefetching.tick()
        pool.tick()
        notice = finding.tick(feedCount: feedCount) ?? notice
        panels.tick(received: statistics.loading.bytesReceived)
        lanes.tick(isTransferring: statistics.loading.liveTransfers > 0)
        if showsSlides { return tickSlideshow() }
        if tellsStory { return tickStory() }
        return scrollsNow && grid.tickAutoScroll() ? settle() : []
    }

    /// Scrolls by a number of rows, and moves the selection by the same number of rows.
    mutating func scroll(rows: Int) -> [Effect] {
        grid.scroll(rows: rows)
        return settle()
    }
}
