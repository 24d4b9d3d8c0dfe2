import Testing

@testable import GalleryCore
@testable import TerminalUI

@Suite struct DemoStoryTests {
    private func gallery() -> Gallery {
        LaneScene.gallery(80, 24) { $0.tellsStory = true }
    }

    /// Sends ticks until a phase begins; returns all effects.
    @discardableResult
    private func tick(_ gallery: inout Gallery, until phase: DemoStory.Phase) -> [Effect] {
        var effects: [Effect] = []
        for _ in 0..<400 where gallery.state.lanes.story?.phase != phase {
            effects += gallery.send(.tick)
        }
        #expect(gallery.state.lanes.story?.phase == phase)
        return effects
    }

    @Test func `the story scrolls with and without cancellation, and compares`() {
        var gallery = gallery()
        #expect(gallery.lines.contains { $0.contains("Each transfer has a lane.") })
        #expect(gallery.state.needsTicks && gallery.state.cancelsLoads)

        tick(&gallery, until: .scrolling)
        #expect(gallery.lines.contains { $0.contains("what leaves the screen stops loading") })
        tick(&gallery, until: .resting)
        let top = gallery.state.grid.topRow
        #expect(top > 10 && gallery.state.lanes.transfers.cancelledCount > 0)

        tick(&gallery, until: .keeping)
        #expect(gallery.state.grid.topRow == top && !gallery.state.cancelsLoads)
        let cancelled = gallery.state.lanes.transfers.cancelledCount
        tick(&gallery, until: .waiting)
        #expect(gallery.state.lanes.transfers.cancelledCount == cancelled)
        #expect(gallery.state.lanes.keptCount > 0)

        let effects = tick(&gallery, until: .comparing)
        #expect(effects.contains(.loading(.cancelKept)) && gallery.state.cancelsLoads)
        tick(&gallery, until: .scrolling)
    }

    @Test func `at the end of the list the story turns back`() {
        var story = DemoStory()
        var rows: Set<Int> = []
        var row = 0
        for _ in 0..<2000 {
            row = story.tick(topRow: row, lastTopRow: 3, isMissing: false)
            rows.insert(row)
        }
        #expect(rows == [0, 1, 2, 3])
    }

    @Test func `the key of auto-scroll stops the story with cancellation on, and restarts it`() {
        var gallery = gallery()
        tick(&gallery, until: .keeping)
        let effects = gallery.press("a")
        #expect(effects == [.loading(.cancelKept)])
        #expect(gallery.state.lanes.story == nil && gallery.state.cancelsLoads)
        gallery.press("a")
        #expect(gallery.state.lanes.story == DemoStory())
    }

    @Test func `the command for auto-scroll stops the story and restarts it`() {
        var gallery = gallery()
        gallery.press(":set auto-scroll off")
        gallery.press(.enter)
        #expect(gallery.state.lanes.story == nil && gallery.state.grid.autoScroll == nil)

        gallery.press(":set auto-scroll on")
        gallery.press(.enter)
        #expect(gallery.state.lanes.story == DemoStory() && gallery.state.grid.autoScroll == nil)
    }

    @Test func `a user who turns cancellation off ends the story`() {
        var gallery = gallery()
        gallery.press("Z")
        #expect(gallery.state.lanes.story == nil && !gallery.state.cancelsLoads)
    }

    @Test func `the story waits while an image or the help is open`() {
        var gallery = gallery()
        gallery.press("?")
        let before = gallery.state.lanes.story
        gallery.send(.tick)
        #expect(gallery.state.lanes.story == before)
    }

    @Test func `only a gallery with lanes replaces auto-scroll by the story`() {
        var settings = GallerySettings(scrollsByItself: true)
        settings.tellStory()
        #expect(settings.scrollsByItself && !settings.lanes.tellsStory)
        settings.lanes.areShown = true
        settings.tellStory()
        #expect(!settings.scrollsByItself && settings.lanes.tellsStory)
    }
}
