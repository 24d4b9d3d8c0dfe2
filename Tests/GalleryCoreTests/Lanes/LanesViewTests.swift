import ImageLoading
import Testing
import VirtualTerminal

@testable import GalleryCore
@testable import TerminalUI

@Suite struct LanesViewTests {
    @Test(arguments: [
        (80, 24, 4), (120, 40, 4), (200, 60, 3), (60, 24, 4), (80, 20, 2), (40, 12, 1), (39, 24, 0),
        (80, 11, 0), (20, 5, 0),
    ])
    func `the window's size determines the rows of lanes`(columns: Int, rows: Int, expected: Int) {
        let screen = ScreenSize(columns: columns, rows: rows)
        #expect(LaneArea.rows(on: screen, slots: 6) == expected)
        let gallery = LaneScene.gallery(columns, rows)
        #expect(gallery.state.laneRows == expected)
    }

    @Test(arguments: [1, 6, 16, 64])
    func `lanes never cover an image, a caption or the status bar`(slots: Int) {
        for (columns, rows) in Scene.sizes + [(80, 20), (61, 33), (120, 24)] {
            let gallery = LaneScene.gallery(columns, rows) { $0.slotCount = slots }
            let layout = gallery.state.grid.layout
            let area = LaneArea(
                on: gallery.state.screen,
                columns: columns,
                slots: slots
            )
            #expect(layout.firstFreeRow <= area.rect.row, "\(columns)×\(rows)")
            #expect(area.rect.row + area.rect.rows == rows - 1)
            for lane in 0..<min(area.laneCount, slots) {
                let place = area.place(ofLane: lane)
                #expect(place.row >= area.rect.row + area.textRows && place.row < rows - 1)
                #expect(place.columns >= 20 && place.column + place.columns < columns)
            }
        }
    }

    @Test func `running loads without a visible lane are counted`() {
        var gallery = LaneScene.gallery(400, 17) { $0.slotCount = 64 }
        for item in gallery.state.visibleItems {
            let progress = LoadProgress(received: 0, expected: nil)
            gallery.send(.slot(gallery.slot(ofItem: item) ?? 0, .progress(progress)))
        }

        let running = gallery.state.lanes.transfers.runningCount
        #expect(running > 8)
        let texts = LaneTexts(state: gallery.state)
        #expect(texts.queue(visibleLanes: 2) == "+\(running - 2) more")
        // In a low window, one row shows the symbols of at most eight lanes.
        #expect(gallery.lines.contains { $0.contains("+\(running - 8) more") })
    }

    @Test func `a prefetched image has an empty lane with its name, progress and bytes`() throws {
        var gallery = LaneScene.gallery(80, 24, captions: (0..<40).map { "Island \($0)" })
        for item in gallery.state.visibleItems {
            gallery.send(.slot(gallery.slot(ofItem: item) ?? 0, .finished(.failure(.cancelled))))
        }
        let progress = LoadProgress(received: 34_000, expected: 68_000)
        let transfers = [
            PrefetchTransfer(item: 17, progress: progress),
            // The feed was replaced by a shorter one.
            PrefetchTransfer(item: 1_000, progress: progress),
        ]

        gallery.send(.statistics(.prefetching(PrefetchStatistics(), transfers)))

        let lane = try #require(gallery.lines.first { $0.contains("Island 17") })
        #expect(lane.contains("↓ Island 17 ") && lane.contains("34 kB"))
    }

    @Test func `the first screen has the instruction with the user's key`() {
        let text = "what leaves the screen stops loading."
        var gallery = LaneScene.gallery(80, 24)
        #expect(gallery.lines.contains { $0.contains("Hold j: \(text)") })
        gallery.press(.pageDown)
        #expect(!gallery.lines.contains { $0.contains(text) })
        #expect(LaneScene.gallery(80, 20).lines.contains { $0.contains(text) })
    }

    @Test func `the trace is between the grid and the lanes`() throws {
        var gallery = LaneScene.gallery(120, 40)
        gallery.press("t")
        let trace = try #require(gallery.lines.firstIndex { $0.contains("Trace") })
        let hint = try #require(gallery.lines.firstIndex { $0.contains("Hold j") })
        #expect(trace < hint)
        #expect(gallery.state.wantedEventCount == hint - 1 - trace - 1)
    }

    @Test func `a panel takes columns from the lanes, and pages cover them`() {
        var gallery = LaneScene.busy(120, 40, .color)
        gallery.press("s")
        #expect(gallery.lines.contains { $0.contains("not downloaded") })
        gallery.press("?")
        #expect(!gallery.lines.contains { $0.contains("not downloaded") })
        gallery.press(.escape, .escape)
        gallery.press(" ")
        #expect(!gallery.state.showsLanes)
        // The image view has no lanes, so its status bar has the bytes.
        let bar = gallery.lines.last ?? ""
        #expect(bar.contains("not downloaded") || bar.contains("saved"))
    }

    @Test func `the key shows and hides the lanes, and names a window that is too small`() {
        var gallery = Gallery(columns: 80, rows: 24, tileWidth: nil)
        let before = gallery.lines
        gallery.press("T")
        #expect(gallery.state.laneRows == 4 && gallery.state.showsLanes)
        gallery.press("T")
        #expect(gallery.lines.dropLast() == before.dropLast())
        gallery.press(" T")
        #expect(gallery.lines.last?.contains("lanes on") == true)
        var small = Gallery(columns: 30, rows: 24, tileWidth: nil)
        small.press("T")
        #expect(small.lines.last?.contains("too small") == true)
    }

    @Test func `a plain terminal gets ASCII signs only`() {
        for (columns, rows) in Scene.sizes {
            let text = LaneScene.busy(columns, rows, .plain).lines.joined()
            #expect(text.utf8.allSatisfy { $0 < 0x80 }, "\(columns)×\(rows)")
        }
    }
}
