/// Stepping through the pictures with hands off the keyboard, one open picture after the other.
struct Slideshow: Equatable, Sendable {
    let interval: Duration
    /// The item whose time is counted.
    private var item: Int?
    /// Ticks since the picture was there, and for which it was waited.
    private var ticks = 0
    private var waited = 0
    /// The item that is loaded for the next step.
    private var prefetched: Int?

    /// A picture that takes longer is passed over: the show goes on.
    static let longestWait = Duration.seconds(10)
    /// Where none was chosen.
    static let usualInterval = Duration.seconds(5)

    init(interval: Duration) {
        self.interval = interval
    }

    /// Counts a tick; returns whether it is time for the next picture.
    mutating func tick(_ tick: Duration, isPending: Bool) -> Bool {
        if isPending, tick * waited < Self.longestWait {
            waited += 1
            return false
        }
        ticks += 1
        return tick * ticks >= interval
    }

    /// Counts anew for another item.
    mutating func show(_ item: Int) {
        guard item != self.item else { return }
        self.item = item
        (ticks, waited) = (0, 0)
    }

    /// Whether an item is still to be loaded for the next step.
    mutating func takePrefetch(_ item: Int) -> Bool {
        defer { prefetched = item }
        return item != prefetched
    }

    /// The same pictures, which have other numbers now.
    mutating func renumber(_ numbers: FeedRenumbering) {
        item = item.flatMap { numbers[$0] }
        prefetched = prefetched.flatMap { numbers[$0] }
    }

    /// As the status bar has it: "slideshow 5 s".
    var text: String {
        let (seconds, attoseconds) = interval.components
        let tenths = attoseconds / 100_000_000_000_000_000
        return "slideshow \(seconds)\(tenths > 0 ? ".\(tenths)" : "") s"
    }
}

/// The slideshow: in the open picture, from the last picture on to the first again.
extension GalleryState {
    /// Whether time counts: not behind a prompt or a page.
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

    /// Counts a tick; opens the next picture when it is due.
    mutating func tickSlideshow() -> [Effect] {
        guard showsSlides, let detail, var show = slideshow else { return [] }
        let isDue = show.tick(Self.tickInterval, isPending: detail.load.isPending)
        slideshow = show
        guard isDue, itemCount > 1 else { return [] }
        selection = (selection + 1) % itemCount
        return openDetail() + settle()
    }

    /// Starts the show that was asked for, has the next picture loaded, and ends where the person leaves
    /// the open picture; after any message.
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
        // What is looked at comes first.
        let isNew = !detail.load.isPending && next.map { show.takePrefetch($0) } == true
        slideshow = show
        return isNew ? [.prefetchOpen(item: next)] : []
    }
}
