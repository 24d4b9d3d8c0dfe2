import Decoders
import Feeds
import GalleryCore
import Glibc
import ImageLoading
import TerminalUI

/// Prints the thumbnails of a feed in order, for the `print` command.
///
/// Each row is printed as soon as it is complete.
struct PrintRun {
    private let feed: Feed
    private let manager: ImageManager
    private let window: Int
    private let sheet: ContactSheet
    private var pictures: PictureLines?
    /// The items that are loading, or are loaded but not printed yet.
    ///
    /// They are stored because a text feed parses an item's line on each access.
    private var items: [Int: FeedItem] = [:]
    private var ended: [Int: Result<ImageResponse, ImageLoadingError>] = [:]
    private var nextToPrint = 0
    private var failed = 0
    /// Whether to ignore the thumbnails that cameras embed in image files.
    var isExact = false
    var output = ResultOutput()

    /// Creates a run that prints the images of `feed`.
    ///
    /// At most `window` images, plus one row of images, can be loading or waiting to be printed.
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

    /// Prints all images, and returns whether all of them were loaded.
    ///
    /// The method ends early if the output is closed.
    mutating func printEverything() -> Bool {
        let loads = LoadWindow(manager: manager)
        for index in 0..<feed.count where output.isOpen {
            // The limit includes all images that are not printed yet, not only running loads.
            // Otherwise, a whole feed could pile up behind one slow image.
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
            ended[index] = .failure(.cancelled)  // the row shows the item's own problem
            failed += 1
            // Rows must also be printed here because a feed that contains only invalid lines starts
            // no loads, and rows are otherwise printed only when a load ends.
            printRows()
            return
        }
        let request = ImageRequest(
            thumbnailOf: item,
            size: sheet.targetSize,
            origin: feed.origin(at: index),
            isExact: isExact
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

extension ImageRequest {
    /// Creates a request for an item's thumbnail, or for a smaller version of its image.
    ///
    /// If `isExact` is true, the thumbnail that a camera embedded in the file is ignored.
    init(thumbnailOf item: FeedItem, size: PixelSize, origin: RequestOrigin, isExact: Bool = false)
    {
        let exact: LoadingOptions = [.stopWhenSufficient, .keptThumbnails]
        let request = item.request(
            targetSize: size,
            options: isExact ? exact : [exact, .acceptThumbnail],
            origin: origin
        )
        self = item.version(for: size).map(request.replaced) ?? request
    }
}
