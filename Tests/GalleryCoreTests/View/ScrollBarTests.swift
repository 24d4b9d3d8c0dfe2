import ImageLoading
import Testing
import VirtualTerminal

@testable import Feeds
@testable import GalleryCore
@testable import TerminalUI

@Suite struct ScrollBarTests {
    @Test func `the thumb is as long as the visible share, and touches an end only at that end`() {
        for rowCount in [3, 7, 25, 1_000, 1_000_000] {
            for height in [4, 20, 60] {
                let last = rowCount - 2
                let starts = [0, 1, last / 2, last - 1, last].filter { (0...last).contains($0) }
                for start in starts {
                    let bar = ScrollBar(
                        height: height,
                        rowCount: rowCount,
                        visible: start..<start + 2
                    )
                    #expect(!bar.thumb.isEmpty && bar.thumb.upperBound <= height)
                    if start == 0 { #expect(bar.thumb.lowerBound == 0) }
                    if start == last { #expect(bar.thumb.upperBound == height) }
                    if start > 0, height - bar.thumb.count > 1 { #expect(bar.thumb.lowerBound > 0) }
                    #expect((0..<height).contains(bar.row(ofRow: start)))
                }
            }
        }
        #expect(ScrollBar(height: 10, rowCount: 4, visible: 0..<2).thumb == 0..<5)
    }

    private func edge(_ gallery: Gallery) -> [String] {
        let frame = gallery.state.frame()
        let column = frame.size.columns - 1
        return frame.lines.dropLast().map { line in
            line.count > column ? String(line.suffix(1)) : " "
        }
    }

    @Test func `marks and failures are ticks beside more than one screen`() {
        var gallery = Gallery(count: 1_000, columns: 80, rows: 24)
        #expect(edge(gallery).filter { $0 == "▐" }.count == 1)
        gallery.send(.slot(gallery.slot(ofItem: 1) ?? 0, .failed(.notFound)))
        gallery.press("500gmG")
        let rows = edge(gallery)
        gallery.press("gm")
        #expect(edge(gallery)[0] == "✗")
        #expect(rows[0] == "✗" && rows.firstIndex(of: "◆") == 11 && rows.last == "▐")
        #expect(edge(Gallery(count: 4)).allSatisfy { $0 == " " })
    }

    @Test func `the ticks of many marks reach the end of the bar`() {
        var gallery = Gallery(count: 5_000)
        gallery.press(.control("a"))
        #expect(edge(gallery).allSatisfy { $0 == "◆" })
    }

    @Test func `a million marks are drawn in the time of a frame`() {
        var gallery = Gallery(count: 100_000)
        gallery.press(.control("a"))
        let start = ContinuousClock.now
        for _ in 0..<20 { _ = gallery.state.frame() }
        #expect(ContinuousClock.now - start < .seconds(2))
    }
}
