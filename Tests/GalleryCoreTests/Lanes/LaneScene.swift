import ImageLoading
import VirtualTerminal

@testable import Feeds
@testable import GalleryCore
@testable import TerminalUI

/// Galleries with lanes.
enum LaneScene {
    /// A gallery with lanes, all of whose visible cells are waiting for a transfer.
    static func gallery(
        _ columns: Int,
        _ rows: Int,
        _ capabilities: ScreenCapabilities = .color,
        captions: [String] = [],
        change: (inout LaneSettings) -> Void = { _ in }
    ) -> Gallery {
        var settings = GallerySettings()
        settings.lanes.areShown = true
        change(&settings.lanes)
        var state = GalleryState(capabilities: capabilities, settings: settings)
        _ = state.update(.resize(ScreenSize(columns: columns, rows: rows)))
        let items = (0..<100).map { number in
            FeedItem(
                url: "http://h/\(number).jpg",
                caption: number < captions.count ? captions[number] : "Picture \(number)"
            )
        }
        _ = state.update(.feed(.success(Feed(items: items, title: "lanes"))))
        var gallery = Gallery(count: 0)
        gallery.state = state
        for item in state.visibleItems {
            gallery.send(.slot(gallery.slot(ofItem: item) ?? 0, .queued))
        }
        return gallery
    }

    private static let captions = [
        "Island 1", "Plasma 2", "Night lights 4", "山と川の写真 0042.jpg", "Landscape\u{1B}[2J 3",
    ]

    /// A gallery in which lanes run, wait and break after a step of scrolling.
    static func busy(_ columns: Int, _ rows: Int, _ capabilities: ScreenCapabilities) -> Gallery {
        var gallery = gallery(columns, rows, capabilities, captions: captions) { settings in
            settings.byteCounts = ItemByteCounts(mean: 143_000)
        }
        var events = [
            LoadProgress(received: 90_000, expected: 120_000),
            LoadProgress(received: 0, expected: nil),
            LoadProgress(received: 18_000, expected: nil),
            LoadProgress(received: 2_000_000, expected: 2_300_000),
        ][...]
        for item in gallery.state.visibleItems.reversed() {
            guard let slot = gallery.slot(ofItem: item), let progress = events.popFirst() else {
                continue
            }
            gallery.send(.slot(slot, .progress(progress)))
        }
        gallery.press(.pageDown, .up)
        let seen = gallery.state.visibleItems.suffix(2)
        for item in seen {
            let slot = gallery.slot(ofItem: item) ?? 0
            gallery.send(.slot(slot, .queued))
            let progress = LoadProgress(received: 30_000, expected: 90_000)
            if item == seen.last { gallery.send(.slot(slot, .progress(progress))) }
        }
        var all = LoadingStatistics()
        (all.bytesSaved, all.bytesReceived, all.liveTransfers) = (11_000_000, 1_700_000, 3)
        gallery.send(.statistics(.loading(all)), .tick, .tick)
        return gallery
    }
}
