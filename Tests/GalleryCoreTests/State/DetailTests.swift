import Decoders
import ImageLoading
import Testing
import VirtualTerminal

@testable import Feeds
@testable import GalleryCore
@testable import TerminalUI

@Suite struct DetailTests {
    /// The viewport that the effects ask to be drawn.
    private func drawn(_ effects: [Effect]) -> DetailViewport? {
        effects.compactMap { effect in
            if case .detail(.render(_, let viewport)) = effect { viewport } else { nil }
        }.last
    }

    /// A gallery that looks at picture 0, 1000×500.
    private func opened() -> (Gallery, DetailViewport?) {
        var gallery = Gallery()
        gallery.press(.enter)
        let effects = gallery.send(.detail(.load(.image(.plain(1000, 500), .network))))
        return (gallery, drawn(effects))
    }

    @Test func `opening loads at full size, requests a drawing, and shows the cells`()
        throws
    {
        var gallery = Gallery()
        #expect(gallery.press(" ") == [.detail(.open(item: 0, refreshing: false))])

        let image = DecodedImage.plain(1000, 500)
        let effects = gallery.send(.detail(.load(.image(image, .disk))))
        let viewport = try #require(drawn(effects))
        #expect(effects == [.detail(.render(image.pixels, viewport))])

        let cells = CellImage(image.pixels, viewport: viewport, capabilities: .color)
        gallery.send(.detail(.rendered(cells, viewport)))

        #expect(cells.columns == 76)
        #expect(cells.rows == 19)
        #expect(gallery.lines[2] == "  " + String(repeating: "▀", count: 76))
        #expect(gallery.lines[23].hasPrefix(" 1/100  Picture 0  1000×500  JPEG   fit, 76%"))
    }

    @Test func `progress and failure are in the bar, and nothing is drawn over the image`() {
        var gallery = Gallery(columns: 100)
        gallery.press(.enter)

        gallery.send(
            .detail(.load(.progress(LoadProgress(received: 1_500_000, expected: 3_000_000))))
        )
        #expect(gallery.lines[23].contains("Picture 0  █████       50% of 3.0 MB "))
        #expect(gallery.lines[..<23].allSatisfy { $0.isEmpty })

        gallery.send(.detail(.load(.failed(.notFound))))
        #expect(gallery.lines[10].hasSuffix("    not found (404)"))
        #expect(gallery.lines[11].hasSuffix("    r tries again"))
        #expect(gallery.lines[23].contains("1/100  not found (404)  r tries again  Picture 0"))
        #expect(gallery.press("r") == [.detail(.open(item: 0, refreshing: false))])
        #expect(gallery.press("R") == [.detail(.open(item: 0, refreshing: true))])
    }

    @Test func `a stale image is reported as stale, until it is refreshed`() {
        var gallery = Gallery(columns: 100)
        gallery.press(.enter)

        gallery.send(.detail(.load(.image(.plain(1000, 500), .disk, isStale: true))))
        #expect(gallery.lines[23].contains("1000×500  JPEG  may be old   fit, 84%"))

        gallery.press("R")
        gallery.send(.detail(.load(.image(.plain(1000, 500), .network))))
        gallery.state.notice = nil
        #expect(gallery.lines[23].contains("1000×500  JPEG   fit, 84%"))
    }

    // M15
    @Test func `a refresh changes nothing on the screen until new pixels arrive`() throws {
        var (gallery, viewport) = opened()
        gallery.press("+")
        viewport = gallery.state.detail?.viewport
        let shown = try #require(viewport)
        let image = DecodedImage.plain(1000, 500)
        let cells = CellImage(image.pixels, viewport: shown, capabilities: .color)
        gallery.send(.detail(.rendered(cells, shown)))
        let before = gallery.state.frame()

        gallery.press("R")
        #expect(gallery.send(.detail(.load(.preview(image)))).isEmpty)
        let during = gallery.state.frame()

        for row in 0..<22 {
            for column in 0..<80 { #expect(during[row, column] == before[row, column]) }
        }
        gallery.press("X")
        gallery.state.notice = nil
        #expect(gallery.lines[23].contains("1000×500  JPEG   1"))
        gallery.press("R")
        let newer = gallery.send(
            .detail(.load(.image(.plain(1000, 500, [9, 9, 9, 255]), .network)))
        )
        #expect(drawn(newer)?.crop == shown.crop)
    }

    @Test(arguments: [Key.escape, .enter, .character("q"), .character(" ")])
    func `returning to the grid cancels the load`(key: Key) {
        var gallery = Gallery()
        gallery.press(.enter)

        #expect(gallery.press(key) == [.detail(.close)])
        #expect(gallery.state.detail == nil)
    }

    @Test func `n and p step through the feed, and the grid follows`() {
        var gallery = Gallery()
        gallery.press(.enter)
        #expect(gallery.press("p").isEmpty)

        for item in 1...8 {
            let effects = gallery.press("n")
            #expect(effects.first == .detail(.open(item: item, refreshing: false)))
        }

        #expect(gallery.state.visibleItems.contains(8))
        #expect(gallery.state.pool.slot(ofItem: 8) != nil)
    }

    @Test func `the whole image cannot be panned: arrows step`() {
        var (gallery, _) = opened()

        #expect(gallery.press(.right).first == .detail(.open(item: 1, refreshing: false)))
        #expect(gallery.press("k").first == .detail(.open(item: 0, refreshing: false)))
    }

    @Test func `zooming shows a part, panning moves it and stops at the edge`() throws {
        var (gallery, first) = opened()
        let whole = try #require(first).crop

        let zoomed = try #require(drawn(gallery.press("+++")))
        #expect(whole == PixelRect(x: 0, y: 0, width: 1000, height: 500))
        #expect(zoomed.crop.width < 400)

        var rects: [Int] = []
        for _ in 0..<20 {
            if let next = drawn(gallery.press("h")) { rects.append(next.crop.x) }
        }
        #expect(rects.last == 0)
        #expect(rects == rects.sorted(by: >))
        #expect(gallery.press("h").isEmpty)
        #expect(drawn(gallery.press("0"))?.crop == whole)
    }

    @Test func `cells of another viewport are ignored`() throws {
        var (gallery, first) = opened()
        let old = try #require(first)
        gallery.press("+")

        gallery.send(
            .detail(.rendered(CellImage(.plain(4, 4), box: old.box, capabilities: .color), old))
        )

        #expect(gallery.state.detail?.cellImage == nil)
    }

    // Pictures of one size have equal viewports, yet are not each other's.
    @Test func `cells of the previous image are ignored, even at the same size`() throws {
        var (gallery, first) = opened()
        let old = try #require(first)
        gallery.press("n")
        gallery.send(.detail(.load(.image(.plain(1000, 500), .network))))

        gallery.send(
            .detail(.rendered(CellImage(.plain(4, 4), box: old.box, capabilities: .color), old))
        )

        #expect(gallery.state.detail?.cellImage == nil)
    }

    @Test func `news after returning to the grid is ignored`() {
        var (gallery, _) = opened()
        gallery.press(.escape)
        let before = gallery.lines

        #expect(gallery.send(.detail(.load(.image(.plain(9, 9), .network)))).isEmpty)
        #expect(gallery.lines == before)
    }

    @Test func `a resize and other symbols draw the image again`() throws {
        var (gallery, _) = opened()

        let resized = drawn(gallery.send(.resize(ScreenSize(columns: 40, rows: 12))))
        #expect(resized?.box == ScreenSize(columns: 40, rows: 9))
        #expect(drawn(gallery.press("b")) == resized)
    }

    @Test func `an item with a problem is explained without a load`() {
        var state = GalleryState(capabilities: .color, settings: GallerySettings())
        let bad = FeedItem(url: "ftp://h", problem: "unknown scheme ftp:")
        _ = state.update(.resize(ScreenSize(columns: 80, rows: 24)))
        _ = state.update(.feed(.success(Feed(items: [bad], title: "f"))))

        #expect(state.update(.input(.key(.enter))).isEmpty)
        #expect(state.frame().lines.joined().contains("unknown scheme ftp:"))
        #expect(state.update(.input(.key(.character("R")))).isEmpty)
    }

    @Test(arguments: [(1, 1), (1, 100_000), (100_000, 1), (3, 7), (0, 0), (12_000, 9_000)])
    func `any image has a crop inside it and an output inside the box`(width: Int, height: Int) {
        let size = PixelSize(width: width, height: height)
        let box = ScreenSize(columns: 80, rows: 22)
        var viewport = DetailViewport(serial: 1, imageSize: size, box: box)

        for step in 0..<40 {
            viewport.zoomIn()
            viewport.pan(step.isMultiple(of: 3) ? .right : .down)
            let crop = viewport.crop
            #expect(crop.x >= 0 && crop.y >= 0 && crop.width >= 0 && crop.height >= 0)
            #expect(crop.x + crop.width <= max(1, width))
            #expect(crop.y + crop.height <= max(1, height))
            #expect(viewport.outputSize.width <= 800)
            #expect(viewport.outputSize.height <= 440)
        }
        for _ in 0..<60 { viewport.zoomOut() }
        #expect(viewport.showsWholeImage)
    }
}
