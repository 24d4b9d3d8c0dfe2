internal import Feeds

/// The running slideshow, and whether a slideshow requested in the settings has started.
struct SlideshowState: Equatable, Sendable {
    /// The running slideshow, or nil if no slideshow is running.
    private(set) var show: Slideshow?
    /// Whether the slideshow requested in the settings has been started.
    private var hasStarted = false

    /// Starts or stops the slideshow.
    ///
    /// If `interval` is nil, the default interval is used.
    mutating func toggle(interval: Duration?) -> Notice {
        guard show == nil else {
            show = nil
            return Notice("slideshow off; press a to resume")
        }
        show = Slideshow(interval: interval ?? Slideshow.usualInterval)
        return Notice("slideshow; press a to stop")
    }

    /// Returns true the first time the slideshow requested in the settings can start.
    mutating func takeStart(isRequested: Bool, canShow: Bool) -> Bool {
        guard isRequested, canShow, !hasStarted else { return false }
        hasStarted = true
        return true
    }

    /// Handles a tick, and returns whether the next image is due.
    mutating func tick(_ tick: Duration, isPending: Bool) -> Bool {
        show?.tick(tick, isPending: isPending) ?? false
    }

    /// Returns the effect that prefetches the next image after the open image has loaded.
    ///
    /// If the user has closed the image view, the slideshow ends. `next` is nil if there is no
    /// other image.
    mutating func follow(openItem: Int?, isPending: Bool, next: Int?) -> [Effect] {
        guard show != nil else { return [] }
        guard let openItem else {
            show = nil
            return [.prefetch(.open(item: nil))]
        }
        show?.show(openItem)
        guard !isPending, let next, show?.takePrefetch(next) == true else { return [] }
        return [.prefetch(.open(item: next))]
    }

    /// Replaces the item numbers after the feed is reloaded.
    mutating func renumber(_ numbers: FeedRenumbering) { show?.renumber(numbers) }
}

struct Slideshow: Equatable, Sendable {
    let interval: Duration
    /// The item for which the timer is running.
    private var item: Int?
    /// The number of ticks since the image was loaded (`ticks`) and while it was loading
    /// (`waited`).
    private var ticks = 0
    private var waited = 0
    /// The item that was prefetched for the next step.
    private var prefetched: Int?

    /// The maximum time to wait for an image to load.
    ///
    /// After that, the image's timer starts anyway.
    static let longestWait = Duration.seconds(10)
    /// The default time for showing each image.
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
    ///
    /// The call marks the item as prefetched.
    mutating func takePrefetch(_ item: Int) -> Bool {
        defer { prefetched = item }
        return item != prefetched
    }

    /// Replaces the item numbers after the feed is reloaded.
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
