import Testing
import VirtualTerminal

@testable import Feeds
@testable import GalleryCore
@testable import TerminalUI

@Suite struct GridStateTests {
    /// A settled grid with four columns and two rows of tiles on the screen.
    private func grid(_ count: Int, selecting position: Int = 0) -> GridState {
        var grid = GridState(on: display, settings: GallerySettings(tileWidth: 17))
        grid.firstSelection = position
        grid.open(ItemOrder(feedCount: count))
        settle(&grid)
        return grid
    }

    private var display: DisplayState {
        var display = DisplayState(.color, settings: GallerySettings())
        display.resize(to: ScreenSize(columns: 80, rows: 24))
        return display
    }

    private func settle(_ grid: inout GridState) {
        grid.settle(in: grid.wholeLayout(on: display))
    }

    private func feed(_ items: [Int]) -> Feed {
        Feed(items: items.map { FeedItem(url: "http://h/\($0)") }, title: "t")
    }

    @Test func `a feed opens at a stored position, and only once`() {
        var grid = grid(100, selecting: 30)
        #expect(grid.selection == 30)
        #expect(grid.topRow > 0)
        grid.open(ItemOrder(feedCount: 50))
        #expect(grid.selection == 0 && grid.isAtStart)
        #expect(self.grid(3, selecting: 30).selection == 2)
        #expect(self.grid(0, selecting: 30).selectedItem == nil)
    }

    @Test func `movements stop at the ends, also with a huge count`() {
        var grid = grid(100)
        #expect(grid.layout.columns == 4)
        grid.move(.down, times: .max)
        #expect(grid.selection == 96)
        grid.move(.right, times: .max)
        #expect(grid.selection == 99)
        grid.move(.up, times: 2)
        #expect(grid.selection == 91)
        grid.move(.first, times: 1)
        #expect(grid.selection == 0)
        grid.move(.pageUp, times: .max)
        #expect(grid.isAtStart)
    }

    @Test func `scrolling moves the selection by the same rows`() {
        var grid = grid(100, selecting: 2)
        grid.scroll(rows: 3)
        #expect(grid.topRow == 3 && grid.selection == 14)
        grid.scroll(rows: -99)
        #expect(grid.topRow == 0 && grid.selection == 2)
    }

    @Test func `the next position of the last image is the first`() {
        #expect(grid(3, selecting: 1).nextPosition == 2)
        #expect(grid(3, selecting: 2).nextPosition == 0)
        #expect(grid(1).nextPosition == nil)
        #expect(grid(0).nextPosition == nil)
    }

    @Test func `another order keeps the selected item in its row`() {
        var grid = grid(100, selecting: 40)
        settle(&grid)
        let row = grid.selection / 4 - grid.topRow
        let items = stride(from: UInt32(0), to: 100, by: 2)
        #expect(grid.show(ItemOrder(items: Array(items), isAscending: true)) == true)
        #expect(grid.selectedItem == 40)
        #expect(grid.selection / 4 - grid.topRow == row)
        #expect(grid.show(grid.order) == false)
    }

    @Test func `new items at the start are added as complete rows above the screen`() {
        var grid = grid(0)
        grid.open(ItemOrder(newestFirst: 20))
        settle(&grid)
        grid.select(5)
        grid.growAtStart(to: ItemOrder(newestFirst: 30))
        #expect(grid.count == 28)
        #expect(grid.selection == 13 && grid.topRow == 2)
        #expect(grid.selectedItem == 14)
        grid.showAll(ItemOrder(newestFirst: 30))
        #expect(grid.count == 30)
    }

    @Test func `if the selected item is removed, the nearest remaining item is selected`() {
        let old = feed(Array(0..<8))
        for (remaining, expected) in [([0, 1, 2, 6, 7], 6), ([0, 1, 2], 2), ([5, 4, 3], 4)] {
            let new = feed(remaining)
            var grid = grid(8, selecting: 4)
            grid.renumber(FeedRenumbering(from: old, to: new), in: ItemOrder(wholeOf: new))
            #expect(new[grid.selectedItem ?? 0].url == "http://h/\(expected)")
        }
    }

    @Test func `a tile width equal to the automatic one is not kept`() {
        var grid = grid(100)
        grid.tileWidth = nil
        settle(&grid)
        let columns = grid.layout.columns
        #expect(grid.changeColumns(by: -1, on: display) == true)
        #expect(grid.tileWidth != nil)
        settle(&grid)
        #expect(grid.layout.columns < columns)
        #expect(grid.changeColumns(by: 1, on: display) == true)
        #expect(grid.tileWidth == nil)
    }

    @Test func `automatic scrolling moves one row after its ticks`() {
        var grid = grid(100)
        #expect(grid.tickAutoScroll() == false)
        let notice = grid.toggleAutoScroll(ticksPerRow: 2, stopHint: "; s stops it")
        #expect(notice.text == "auto-scroll on; s stops it")
        #expect(grid.tickAutoScroll() == false)
        #expect(grid.tickAutoScroll() == true)
        #expect(grid.topRow == 1 && grid.selection == 4)
        _ = grid.toggleAutoScroll(ticksPerRow: 2, stopHint: "")
        #expect(grid.autoScroll == nil)
        var small = self.grid(2)
        _ = small.toggleAutoScroll(ticksPerRow: 2, stopHint: "")
        #expect(small.autoScroll == nil)
    }
}
