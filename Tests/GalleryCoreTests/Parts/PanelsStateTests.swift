import Decoders
import TerminalUI
import Testing

@testable import GalleryCore

@Suite struct PanelsStateTests {
    private let wide = GridLayout(
        screen: ScreenSize(columns: 120, rows: 40),
        cellPixels: PixelSize(width: 8, height: 16),
        itemCount: 100,
        sizedFor: 100
    )
    private let narrow = GridLayout(
        screen: ScreenSize(columns: 50, rows: 24),
        cellPixels: PixelSize(width: 8, height: 16),
        itemCount: 100,
        sizedFor: 100
    )

    @Test func `an open panel takes columns from a wide grid, and covers a narrow one`() {
        var panels = PanelsState()
        #expect(panels.takeRoom(from: wide) == wide)
        panels.openStatistics()
        #expect(panels.takeRoom(from: wide).columns < wide.columns)
        #expect(panels.column != nil)
        #expect(!panels.isStatisticsPage(isImageOpen: false))
        #expect(panels.isStatisticsPage(isImageOpen: true))

        #expect(panels.takeRoom(from: narrow) == narrow)
        #expect(panels.column == nil)
        #expect(panels.isStatisticsPage(isImageOpen: false))
    }

    @Test func `only the information takes columns from an open image`() {
        let screen = ScreenSize(columns: 120, rows: 40)
        var panels = PanelsState()
        panels.openStatistics()
        #expect(panels.columnsForImage(on: screen) == 120)
        panels.openInformation()
        #expect(panels.columnsForImage(on: screen) == 80)
        #expect(!panels.isInformationPage(on: screen, isImageOpen: true))
        let small = ScreenSize(columns: 89, rows: 40)
        #expect(panels.columnsForImage(on: small) == 89)
        #expect(panels.isInformationPage(on: small, isImageOpen: true))
    }

    @Test func `details are requested for each selected item, and again after its load`() {
        var panels = PanelsState()
        #expect(panels.follow(selectedItem: 3) == [])
        panels.openInformation()
        #expect(panels.follow(selectedItem: 3) == [.readInformation(item: 3)])
        #expect(panels.follow(selectedItem: 3) == [])
        panels.note(.failed(.notFound), ofItem: 4)
        #expect(panels.follow(selectedItem: 3) == [])
        panels.note(.failed(.notFound), ofItem: 3)
        #expect(panels.follow(selectedItem: 3) == [.readInformation(item: 3)])
        #expect(panels.follow(selectedItem: nil) == [])
    }

    @Test func `details of an item that is no longer selected are dropped`() {
        var found = PictureInformation()
        found.add("model", "R5", to: "Camera")
        var panels = PanelsState()
        panels.openInformation()
        _ = panels.follow(selectedItem: 1)
        panels.take(found, ofItem: 0)
        #expect(panels.information?.found == nil)
        panels.take(found, ofItem: 1)
        #expect(panels.information?.found == found)
    }

    @Test func `a page scrolls no further than its first and last line`() {
        let area = PanelArea(on: ScreenSize(columns: 50, rows: 12), isPage: true, from: 0)
        let content = PanelContent(heights: [9, 9], in: area)
        #expect(content.height == 10)
        #expect(content.scrolled(to: .max).line == 9)
        #expect(content.scrolled(to: -1).line == 0)
    }

    @Test func `a new screen size scrolls to the start`() {
        var panels = PanelsState()
        panels.openStatistics()
        panels.showStatistics(at: PanelPosition(line: 5))
        panels.scrollToStart()
        #expect(panels.statistics?.position == PanelPosition())
    }

    @Test func `the chart of network traffic exists only while the statistics are open`() {
        var panels = PanelsState()
        panels.tick(received: 0)
        #expect(!panels.needsTicks)
        panels.openStatistics()
        panels.tick(received: 0)
        panels.tick(received: 9)
        #expect(panels.needsTicks)
        panels.closeStatistics()
        #expect(!panels.needsTicks)
    }
}
