internal import Feeds

/// A slide show of open images.
struct Slideshow: Equatable, Sendable {
    let interval: Duration
    /// The item for which the timer is running.
    private var item: Int?
    /// The number of ticks since the image was loaded, and the number of ticks spent waiting for
    /// the image.
    private var ticks = 0
    private var waited = 0
    /// The item that was prefetched for the next step.
    private var prefetched: Int?

    /// The maximum time to wait for an image to load before its timer starts anyway.
    static let longestWait = Duration.seconds(10)
    /// The default time for which each image is shown.
    static let usualInterval = Duration.seconds(5)

    init(interval: Duration) {
        self.interval = interval
    }

    /// Handles a tick, and returns whether the next image is due.
    mutating func tick(_ tick: Duration, isPending: Bool) -> Bool {
        if isPending, tick * waited < Self.longestWait {
            waited += 1
            return false
        }
        ticks += 1
        return tick * ticks >= interval
    }

    /// Restarts the timer for another item.
    mutating func show(_ item: Int) {
        guard item != self.item else { return }
        self.item = item
        (ticks, waited) = (0, 0)
    }

    /// Returns whether an item must still be prefetched for the next step.
    mutating func takePrefetch(_ item: Int) -> Bool {
        defer { prefetched = item }
        return item != prefetched
    }

    /// Applies new item numbers.
    mutating func renumber(_ numbers: FeedRenumbering) {
        item = item.flatMap { numbers[$0] }
        prefetched = prefetched.flatMap { numbers[$0] }
    }

    /// The text for the status bar, such as "slideshow 5 s".
    var text: String {
        let (seconds, attoseconds) = interval.components
        let tenths = attoseconds / 100_000_000_000_000_000
        return "slideshow \(seconds)\(tenths > 0 ? ".\(tenths)" : "") s"
    }
}

/// The slide show in the image view, which continues with the first image after the last.
extension GalleryState {
    /// Whether the slide show timer runs; a prompt or a page stops it.
    var showsSlides: Bool {
        slideshow != nil && detail != nil && overlay == nil && !isStatisticsPage
            && !isInformationPage
    }

    mutating func toggleSlideshow() {
        if slideshow == nil {
            slideshow = Slideshow(interval: settings.slideshow ?? Slideshow.usualInterval)
            notice = Notice("slideshow; press a to stop")
        } else {
            slideshow = nil
            notice = Notice("slideshow off; press a to resume")
        }
    }

    /// Handles a tick, and opens the next image when it is due.
    mutating func tickSlideshow() -> [Effect] {
        guard showsSlides, let detail, var show = slideshow else { return [] }
        let isDue = show.tick(Self.tickInterval, isPending: detail.load.isPending)
        slideshow = show
        guard isDue, itemCount > 1 else { return [] }
        selection = (selection + 1) % itemCount
        return openDetail() + settle()
    }

    /// Starts the slide show requested in the settings, prefetches the next image, and ends the
    /// show when the user closes the image view.
    mutating func followSlideshow() -> [Effect] {
        if settings.slideshow != nil, !hasStartedSlideshow, knowsScreen, itemCount > 0 {
            hasStartedSlideshow = true
            toggleSlideshow()
            return openDetail()
        }
        guard var show = slideshow else { return [] }
        guard let detail else {
            slideshow = nil
            return [.prefetchOpen(item: nil)]
        }
        show.show(detail.item)
        let next = itemCount > 1 ? order[(selection + 1) % itemCount] : nil
        // The next image is prefetched only after the open image has loaded.
        let isNew = !detail.load.isPending && next.map { show.takePrefetch($0) } == true
        slideshow = show
        return isNew ? [.prefetchOpen(item: next)] : []
    }
}
