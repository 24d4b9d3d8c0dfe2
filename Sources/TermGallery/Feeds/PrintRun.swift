import GalleryCore
import Glibc
import ImageLoading

/// One pass over a feed that prints rows of thumbnails in order, each as soon as it is complete.
struct PrintRun {
    private let feed: Feed
    private let manager: ImageManager
    private let window: Int
    private let sheet: ContactSheet
    private var pictures: PictureLines?
    /// Read once: an item of a feed of lines is made of its line each time.
    private var items: [Int: FeedItem] = [:]
    private var ended: [Int: Result<ImageResponse, ImageLoadingError>] = [:]
    private var nextToPrint = 0
    private var failed = 0
    /// Whether the thumbnails that cameras made are left aside.
    var isExact = false
    private static let exact: LoadingOptions = [.stopWhenSufficient, .keptThumbnails]
    /// Where the rows go.
    var output = ResultOutput()

    /// At most `window` loads are under way, and as many wait for their turn to be printed.
    init(
        feed: Feed,
        manager: ImageManager,
        window: Int,
        sheet: ContactSheet,
        pictures: PictureLines? = nil
    ) {
        self.pictures = pictures
        self.feed = feed
        self.manager = manager
        self.window = window
        self.sheet = sheet
    }

    /// Returns whether every image was printed; ends early if nobody reads them.
    mutating func printEverything() -> Bool {
        let loads = LoadWindow(manager: manager)
        for index in 0..<feed.count where output.isOpen {
            // Bounded by what is not printed yet, not by what runs: one slow image must not let
            // a whole feed pile up behind it.
            while index - nextToPrint >= window + sheet.columns, let end = loads.next() {
                take(end)
            }
            start(index, in: loads)
        }
        while output.isOpen, let end = loads.next() { take(end) }
        return failed == 0 && output.isOpen
    }

    private mutating func start(_ index: Int, in loads: LoadWindow) {
        let item = feed[index]
        items[index] = item
        guard item.problem == nil else {
            ended[index] = .failure(.cancelled)  // the item's own problem is what is printed
            failed += 1
            // At once: a feed of bad lines alone has no load whose end would print them.
            printRows()
            return
        }
        let version = item.version(for: sheet.targetSize)
        let request = ImageRequest(
            url: version?.url ?? item.url,
            alternatives: version == nil ? [] : [item.url],
            targetSize: sheet.targetSize,
            options: isExact ? Self.exact : [Self.exact, .acceptThumbnail],
            origin: feed.origin(at: index)
        )
        loads.start(request, index: index)
    }

    private mutating func take(_ end: LoadWindow.Ended) {
        ended[end.index] = end.result
        if case .failure = end.result { failed += 1 }
        printRows()
    }

    private mutating func printRows() {
        while output.isOpen, nextToPrint < feed.count {
            let row = nextToPrint..<min(nextToPrint + sheet.columns, feed.count)
            guard row.allSatisfy({ ended[$0] != nil }) else { return }
            let entries = row.compactMap { index in
                ended.removeValue(forKey: index).map {
                    ContactSheet.Entry(
                        item: items.removeValue(forKey: index) ?? feed[index],
                        outcome: $0
                    )
                }
            }
            let frame = sheet.row(entries)
            let bytes = pictures?.bytes(of: frame) ?? FrameLines.bytes(of: frame)
            output.write(bytes)
            nextToPrint = row.upperBound
        }
    }
}
