import ImageLoading
import Testing

@testable import Feeds
@testable import GalleryCore
@testable import TerminalUI

@Suite struct LanesStateTests {
    /// A gallery of 80 by 24 with lanes, whose first cells are loading.
    private func gallery(_ change: (inout LaneSettings) -> Void = { _ in }) -> Gallery {
        LaneScene.gallery(80, 24, change: change)
    }

    private func caption(_ gallery: Gallery, lane: Int) -> String? {
        gallery.state.lanes.transfers.lanes[lane].load?.caption
    }

    @Test func `a cell that leaves the screen breaks its lane in the same frame`() {
        var gallery = gallery()
        let slot = gallery.slot(ofItem: 0) ?? 0
        gallery.send(.slot(slot, .progress(LoadProgress(received: 7_000, expected: 150_000))))
        #expect(gallery.lines.contains { $0.contains("Picture 0") && $0.contains("7.0 kB") })

        gallery.press(.pageDown)
        #expect(gallery.lines.contains { $0.contains("✂ Picture 0") && $0.contains("−143 kB") })
        #expect(gallery.state.needsTicks)
        for _ in 0..<10 { gallery.send(.tick) }
        #expect(!gallery.lines.contains { $0.contains("✂") })
    }

    @Test func `a lane that breaks within the last kilobyte shows no size`() {
        var gallery = gallery()
        let slot = gallery.slot(ofItem: 0) ?? 0
        let progress = LoadProgress(received: 149_720, expected: 150_000)
        gallery.send(.slot(slot, .progress(progress)))

        gallery.press(.pageDown)

        let lane = gallery.lines.first { $0.contains("✂ Picture 0") }
        #expect(lane?.contains("−") == false)
    }

    @Test func `the edge where cells left shows for a second how many were cancelled`() {
        var gallery = gallery()
        gallery.press("j")
        gallery.press("j")
        #expect(gallery.lines[0].hasSuffix("4 cancelled"))
        for _ in 0..<9 { gallery.send(.tick) }
        #expect(gallery.lines[0].hasSuffix("4 cancelled"))
        gallery.send(.tick)
        #expect(!gallery.lines[0].contains("cancelled"))
        // The cells that leave at the bottom are counted separately.
        gallery.press("k")
        gallery.press("k")
        #expect(gallery.state.lanes.flash == LanesState.Flash(edge: .bottom, count: 4))
    }

    @Test func `moving within the screen cancels nothing`() {
        var gallery = gallery()
        gallery.press("jlkh")
        #expect(gallery.state.lanes.flash == nil && gallery.state.lanes.scrollCount == 0)
        #expect(gallery.state.lanes.transfers.cancelledCount == 0)
    }

    @Test func `an image that is loaded again at another size keeps its lane`() {
        var gallery = gallery()
        let slot = gallery.slot(ofItem: 0) ?? 0
        gallery.send(.slot(slot, .progress(LoadProgress(received: 0, expected: nil))))
        gallery.send(.resize(ScreenSize(columns: 82, rows: 25)))
        #expect(gallery.state.lanes.transfers.cancelledCount == 0)
        #expect(caption(gallery, lane: 0) == "Picture 0")
    }

    @Test func `all loads of the screen that are cancelled by key break their lanes`() {
        var gallery = gallery()
        let slot = gallery.slot(ofItem: 0) ?? 0
        gallery.send(.slot(slot, .progress(LoadProgress(received: 0, expected: nil))))
        gallery.press("X")
        gallery.send(.slot(slot, .failed(.cancelled)))
        #expect(gallery.state.lanes.transfers.lanes[0].shownBreak?.caption == "Picture 0")
    }

    @Test func `nothing wakes an idle gallery with lanes`() {
        var gallery = Gallery(count: 100, columns: 80, rows: 24, tileWidth: nil)
        gallery.press("T")
        let events = LoadEvent.image(.plain(4, 4), .memory)
        for item in gallery.state.visibleItems {
            gallery.send(.slot(gallery.slot(ofItem: item) ?? 0, events))
        }
        for _ in 0..<60 { gallery.send(.tick) }
        #expect(!gallery.state.needsTicks)
    }

    @Test func `known sizes count as not downloaded, and the engine's counts are added`() {
        var gallery = gallery { $0.byteCounts = ItemByteCounts(first: [1_000_000], mean: 200_000) }
        gallery.press(.pageDown)
        #expect(gallery.state.notDownloadedByteCount == 1_000_000 + 7 * 200_000)
        var all = LoadingStatistics()
        (all.bytesSaved, all.bytesNotNeeded, all.bytesReceived) = (9_000_000, 1_000_000, 1_700_000)
        gallery.send(.statistics(.loading(all)))
        #expect(gallery.lines.contains { $0.contains("not downloaded 12.4 MB of 14.1 MB") })
    }

    @Test func `known sizes do not apply to the items of another feed`() {
        var gallery = gallery { $0.byteCounts = ItemByteCounts(mean: 200_000) }
        let items = (0..<100).map { FeedItem(url: "http://other/\($0).jpg", caption: "Other") }
        gallery.send(.feed(.success(Feed(items: items, title: "other"))))
        let before = gallery.state.notDownloadedByteCount
        for item in gallery.state.visibleItems {
            gallery.send(.slot(gallery.slot(ofItem: item) ?? 0, .queued))
        }

        gallery.press(.pageDown)

        #expect(gallery.state.lanes.transfers.cancelledCount == 16)
        #expect(gallery.state.notDownloadedByteCount == before)
    }

    @Test func `the time without cancellation is shown only if it differs`() {
        var gallery = gallery()
        var response = ImageResponse(
            image: .plain(1, 1),
            source: .network,
            byteCount: 50_000,
            httpStatus: 200
        )
        var times = LoadTimes(total: .seconds(1))
        (times.answer, times.transfer) = (.milliseconds(300), .milliseconds(700))
        response.times = times
        let slot = gallery.slot(ofItem: 0) ?? 0
        gallery.send(.slot(slot, .progress(LoadProgress(received: 50_000, expected: 50_000))))
        gallery.send(.slot(slot, .finished(.success(response))))

        var all = LoadingStatistics()
        (all.bytesSaved, all.bytesReceived, all.liveTransfers) = (100, 50_000, 1)
        gallery.send(.statistics(.loading(all)), .tick)
        #expect(gallery.lines.contains { $0.contains("not downloaded 100 B of 50 kB") })
        #expect(!gallery.lines.contains { $0.contains("instead of") })

        all.bytesSaved = 1_200_000
        gallery.send(.statistics(.loading(all)))
        #expect(gallery.lines.contains { $0.contains("0.1 s instead of 4.1 s") })
    }

    // MARK: Without cancellation

    @Test func `without cancellation the load of a cell continues under a number`() throws {
        var gallery = gallery()
        gallery.press("Z")
        #expect(!gallery.state.cancelsLoads)
        let slot = gallery.slot(ofItem: 0) ?? 0
        let effects = gallery.press(.pageDown)
        let kept = effects.compactMap { effect -> Int? in
            guard case .loading(.keep(slot, let load)) = effect else { return nil }
            return load
        }
        #expect(kept.count == 1 && gallery.state.lanes.keptCount == 8)
        // The program must join the load before the slot leaves it.
        let keep = effects.firstIndex(of: .loading(.keep(slot: slot, load: kept[0])))
        let bind = effects.firstIndex { effect in
            if case .bind(slot, _, _, _, _) = effect { true } else { false }
        }
        let (keepIndex, bindIndex) = (try #require(keep), try #require(bind))
        #expect(keepIndex < bindIndex)

        gallery.send(.kept(load: kept[0], .progress(LoadProgress(received: 5, expected: 10))))
        #expect(caption(gallery, lane: 0) == "Picture 0")
        gallery.send(.kept(load: kept[0], .image(.plain(1, 1), .network)))
        #expect(gallery.state.lanes.keptCount == 7 && caption(gallery, lane: 0) == nil)
        #expect(gallery.state.lanes.transfers.cancelledCount == 0)
    }

    @Test func `a cell that returns without cancellation shares the lane of its load`() {
        var gallery = gallery { $0.cancels = false }
        let slot = gallery.slot(ofItem: 0) ?? 0
        let progress = LoadEvent.progress(LoadProgress(received: 5, expected: 10))
        gallery.send(.slot(slot, progress))
        gallery.press(.pageDown, .pageUp, .pageDown)
        let effects = gallery.press(.pageUp)
        #expect(!effects.contains { if case .loading = $0 { true } else { false } })
        let lanes = gallery.state.lanes.transfers.lanes
        #expect(lanes.count { $0.load?.caption == "Picture 0" } == 1)
        #expect(gallery.state.lanes.transfers.pendingCount == 16)

        // The loads of the visible cells continue when the others are cancelled.
        gallery.press("Z")
        #expect(gallery.state.lanes.transfers.pendingCount == 8)
        gallery.send(.slot(gallery.slot(ofItem: 0) ?? 0, .image(.plain(1, 1), .network)))
        #expect(gallery.state.lanes.transfers.pendingCount == 7)
    }

    @Test func `a returned cell keeps its lane if only the load without a cell is cancelled`() {
        var settings = LaneSettings()
        settings.cancels = false
        var lanes = LanesState(settings)
        _ = lanes.bind(slot: 0, url: "u", caption: "u", byteCount: nil)
        let effects = lanes.unbind(slot: 0)
        #expect(effects == [.loading(.keep(slot: 0, load: 1))])
        _ = lanes.bind(slot: 1, url: "u", caption: "u", byteCount: nil)

        lanes.take(.failed(.cancelled), ofKept: 1)

        #expect(lanes.keptCount == 0 && lanes.transfers.pendingCount == 1)
        lanes.take(.failed(.cancelled), ofSlot: 1)
        #expect(lanes.transfers.pendingCount == 0)
    }

    @Test func `turning cancellation on cancels the loads without a cell`() {
        var gallery = gallery { $0.cancels = false }
        gallery.press(.pageDown)
        #expect(gallery.state.lanes.keptCount == 8)
        let effects = gallery.press("Z")
        #expect(effects == [.loading(.cancelKept)])
        #expect(gallery.state.lanes.keptCount == 0)
        #expect(gallery.state.lanes.transfers.cancelledCount == 8)
        #expect(gallery.state.cancelsLoads)
    }

    @Test func `the waiting times with and without cancellation are compared`() {
        var gallery = gallery()
        let start = ContinuousClock.now
        var screen = ScreenStatistics()
        for (cancels, end) in [(true, 200), (false, 4800)] {
            var image = CursorImage(scrollCount: end, cancels: cancels, state: .missing)
            screen.scrollWait.note(image, at: start)
            image.state = .shown
            screen.scrollWait.note(image, at: start + .milliseconds(end))
        }
        gallery.send(.statistics(.screen(screen)))
        let text = "first image after scrolling: 0.2 s / 4.8 s without cancellation"
        #expect(gallery.lines.contains { $0.contains(text) })
    }
}

@Suite struct ScrollWaitTests {
    private let start = ContinuousClock.now

    private func note(
        _ wait: inout ScrollWait,
        _ count: Int,
        _ state: CursorImage.State,
        cancels: Bool = true,
        at milliseconds: Int
    ) {
        let image = CursorImage(scrollCount: count, cancels: cancels, state: state)
        wait.note(image, at: start + .milliseconds(milliseconds))
    }

    @Test func `the wait grows from the last scroll step until the image is visible`() {
        var wait = ScrollWait()
        note(&wait, 1, .missing, at: 0)
        note(&wait, 2, .missing, at: 100)
        note(&wait, 2, .missing, at: 299)
        #expect(wait.cancelling == nil)
        note(&wait, 2, .missing, at: 300)
        #expect(wait.cancelling == .milliseconds(200))
        note(&wait, 2, .shown, at: 700)
        note(&wait, 2, .shown, at: 900)
        #expect(wait.cancelling == .milliseconds(600))
        #expect(wait.keeping == nil)
    }

    @Test func `images from memory and images that fail are not measured`() {
        var wait = ScrollWait()
        note(&wait, 1, .shown, at: 0)
        note(&wait, 1, .missing, at: 10)
        #expect(wait.cancelling == nil)
        note(&wait, 2, .missing, at: 20)
        note(&wait, 2, .missing, at: 400)
        note(&wait, 2, .none, at: 500)
        note(&wait, 2, .shown, at: 900)
        #expect(wait.cancelling == nil)
    }

    @Test func `a wait during which cancellation was switched is not measured`() {
        var wait = ScrollWait()
        note(&wait, 1, .missing, at: 0)
        note(&wait, 1, .missing, cancels: false, at: 500)
        note(&wait, 1, .shown, cancels: false, at: 900)
        #expect(wait.keeping == nil && wait.cancelling == nil)
    }

    @Test func `scrolling on keeps the time of the last wait that ended`() {
        var wait = ScrollWait()
        note(&wait, 1, .missing, cancels: false, at: 0)
        note(&wait, 1, .shown, cancels: false, at: 4800)
        note(&wait, 2, .missing, cancels: false, at: 5000)
        note(&wait, 2, .missing, cancels: false, at: 5900)
        #expect(wait.keeping == .milliseconds(900))
        note(&wait, 3, .missing, cancels: false, at: 6000)
        #expect(wait.keeping == .milliseconds(4800))
    }
}
