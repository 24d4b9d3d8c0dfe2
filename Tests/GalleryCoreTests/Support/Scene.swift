import Decoders
import ImageLoading
import VirtualTerminal

@testable import Feeds
@testable import GalleryCore
@testable import TerminalUI

/// A gallery in which a picture is in every state there is.
enum Scene {
    static let sizes = [(80, 24), (120, 40), (200, 60), (40, 12), (20, 5)]

    static let modes: [(name: String, capabilities: ScreenCapabilities)] = [
        ("24bit", .color),
        ("256", ScreenCapabilities(colorDepth: .palette256, symbols: .halfBlocks)),
        ("16", ScreenCapabilities(colorDepth: .ansi16, symbols: .halfBlocks)),
        ("mono", ScreenCapabilities(colorDepth: .monochrome, symbols: .halfBlocks)),
        ("ascii", .plain),
    ]

    private static func failure(
        _ kind: ImageLoadingError.Class,
        _ reason: ImageLoadingError.Reason
    ) -> LoadEvent {
        .failed(ImageLoadingError(stage: .download, kind: kind, reason: reason))
    }

    /// The load events of the items in order; the first item is selected.
    private static let events: [[LoadEvent]] = [
        [.failed(.notFound)],
        [.queued, .progress(LoadProgress(received: 50_000, expected: 100_000))],
        [.image(.plain(40, 20), .disk)],
        [.image(.plain(20, 40), .memory)],
        [.image(.plain(40, 30), .network, isStale: true)],
        [.preview(.plain(40, 30)), .progress(LoadProgress(received: 3, expected: 8))],
        [.queued],
        [.queued, .progress(LoadProgress(received: 18_000, expected: nil))],
        [.preview(.plain(30, 30)), failure(.transient, .transport(TransferFailure(.timedOut)))],
        [failure(.permanent, .decoding(.unsupportedFormat("SVG")))],
        [.failed(.cancelled)],
        [failure(.transient, .remembered(text: "503 service unavailable", seconds: 4000))],
        [failure(.permanent, .decoding(.unsupportedFormat("HTML page")))],
        [.image(.plain(40, 30, [10, 200, 90, 100]), .network)],
    ]

    private static let names = [
        "harbour-panorama-2019.png", "hillside-sunset.jpg", "gorge-with-waterfall-0231.jpg",
        "spaniel-at-the-window.jpg", "violet-lake-morning.jpg", "boats-at-dusk-IMG_20240817.jpg",
        "dune-grass-0114.jpg", "kite.jpg", "autumn-leaf.jpg", "logo-outline.svg",
        "pier-in-fog.jpg", "beach-foam-from-above.jpg", "山と川の写真 0042.jpg", "icon.png",
    ]

    static func gallery(
        _ columns: Int,
        _ rows: Int,
        _ capabilities: ScreenCapabilities,
        selecting item: Int = 0
    ) -> Gallery {
        var gallery = Gallery(
            count: 0,
            columns: columns,
            rows: rows,
            capabilities: capabilities,
            tileWidth: nil
        )
        let items = (0..<1000).map { number in
            FeedItem(
                url: "http://h/\(number)",
                caption: number < names.count ? names[number] : "picture-\(number).jpg"
            )
        }
        gallery.send(.feed(.success(Feed(items: items, title: "scene"))))
        gallery.press("\(item + 1)g")
        for (number, events) in events.enumerated() {
            for event in events {
                guard let slot = gallery.slot(ofItem: number) else { continue }
                gallery.send(.slot(slot, event))
            }
        }
        var statistics = LoadingStatistics()
        (statistics.liveTransfers, statistics.queuedTransfers) = (2, 10)
        (statistics.memoryCache.entryCount, statistics.memoryCache.byteCount) = (36, 1_200_000)
        (statistics.memoryCache.hits, statistics.memoryCache.misses) = (82, 18)
        (statistics.diskCache.entryCount, statistics.diskCache.byteCount) = (412, 96_000_000)
        (statistics.diskCache.hits, statistics.diskCache.misses) = (67, 33)
        gallery.send(.statistics(.loading(statistics)), .tick, .tick)
        return gallery
    }
}
