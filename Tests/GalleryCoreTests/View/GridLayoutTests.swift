import Decoders
import Testing

@testable import Feeds
@testable import GalleryCore
@testable import TerminalUI

@Suite struct GridLayoutTests {
    private func layout(
        _ columns: Int,
        _ rows: Int,
        count: Int,
        cell: (Int, Int) = (10, 20),
        tileWidth: Int? = nil
    ) -> GridLayout {
        GridLayout(
            screen: ScreenSize(columns: columns, rows: rows),
            cellPixels: PixelSize(width: cell.0, height: cell.1),
            itemCount: count,
            sizedFor: count,
            tileWidth: tileWidth
        )
    }

    private func text(_ layout: GridLayout) -> String {
        let (box, first) = (layout.imageBox, layout.imageRect(at: 0))
        return "\(layout.columns)x\(layout.rows) of \(box.columns)x\(box.rows) "
            + "at \(first.row),\(first.column)"
    }

    /// Computed by a second implementation, in Python.
    @Test(arguments: [
        (80, 24, 1, 10, 20, "1x1 of 53x20 at 1,13"), (80, 24, 6, 10, 20, "3x2 of 24x9 at 1,2"),
        (80, 24, 1000, 10, 20, "3x2 of 24x9 at 1,2"),
        (120, 40, 1, 10, 20, "1x1 of 96x36 at 1,12"), (120, 40, 6, 10, 20, "3x2 of 37x17 at 1,2"),
        (120, 40, 40, 10, 20, "4x3 of 27x10 at 2,3"),
        (200, 60, 1, 10, 20, "1x1 of 149x56 at 1,25"),
        (200, 60, 6, 10, 20, "3x2 of 64x27 at 1,2"),
        (200, 60, 1000, 10, 20, "6x4 of 31x12 at 2,2"), (40, 12, 1, 10, 20, "1x1 of 21x8 at 1,9"),
        (40, 12, 1000, 10, 20, "2x1 of 18x8 at 1,1"), (20, 5, 6, 10, 20, "1x1 of 12x4 at 0,4"),
        (120, 40, 1000, 8, 18, "4x3 of 27x10 at 2,3"), (200, 60, 9, 9, 19, "4x3 of 47x17 at 1,3"),
        (64, 7, 50, 10, 20, "2x1 of 16x6 at 0,15"), (300, 20, 50, 10, 20, "14x2 of 19x7 at 1,4"),
        (59, 11, 3, 8, 16, "3x1 of 17x8 at 0,2"), (132, 43, 17, 7, 14, "5x3 of 24x11 at 2,2"),
        (237, 12, 1000, 10, 20, "8x1 of 21x8 at 1,27"),
        (100, 100, 1000, 6, 13, "3x8 of 30x10 at 2,3"),
    ])
    func `tiles are as large as possible while enough of them are shown`(
        columns: Int,
        rows: Int,
        count: Int,
        width: Int,
        height: Int,
        expected: String
    ) {
        #expect(text(layout(columns, rows, count: count, cell: (width, height))) == expected)
    }

    @Test func `in every window tiles and frames are inside, separate, and above the bar`() {
        for columns in stride(from: 20, through: 310, by: 7) {
            for rows in stride(from: 5, through: 100, by: 3) {
                for count in [1, 2, 5, 40, 1000] {
                    let layout = layout(columns, rows, count: count)
                    #expect(isSound(layout, columns, rows), "\(columns)x\(rows), \(count)")
                }
            }
        }
    }

    /// Whether no tile and no frame touches another one, the edge or the status bar.
    private func isSound(_ layout: GridLayout, _ columns: Int, _ rows: Int) -> Bool {
        let gap = layout.hasGaps ? 1 : 0
        let rects = (0..<layout.rows * layout.columns).map { position in
            var rect = layout.imageRect(at: position)
            rect.rows += gap + (layout.hasCaptions ? 1 : 0)
            rect.row -= gap
            rect.column -= 1
            rect.columns += 2
            return rect
        }
        let isInside = rects.allSatisfy { rect in
            rect.row >= 0 && rect.row + rect.rows <= rows - 1 && rect.column >= 0
                && rect.column + rect.columns <= columns
        }
        let isApart = rects.indices.dropFirst().allSatisfy { index in
            let (rect, before) = (rects[index], rects[index - 1])
            return rect.row >= before.row + before.rows
                || rect.row == before.row && rect.column >= before.column + before.columns
        }
        return isInside && isApart
    }

    @Test(arguments: [20, 40, 80, 120, 200, 226, 300])
    func `each step changes the number of columns, down to one and back`(columns: Int) {
        let cell = PixelSize(width: 10, height: 20)
        var width: Int?
        var counts: [Int] = []
        for step in [1, -1] {
            var now = layout(columns, 50, count: 1000, tileWidth: width)
            while let next = now.tileWidth(changingColumnsBy: step, cellPixels: cell) {
                width = next
                now = layout(columns, 50, count: 1000, tileWidth: width)
                counts.append(now.columns)
                #expect(now.imageBox.columns >= 12 || now.columns == 1)
                guard counts.count < 100 else { break }
            }
        }
        #expect(counts.last ?? 1 == 1)
        #expect(zip(counts, counts.dropFirst()).allSatisfy { $0 != $1 })
    }

    @Test func `a list that changes does not move the tiles`() {
        let screen = ScreenSize(columns: 120, rows: 40)
        let cell = PixelSize(width: 10, height: 20)
        let boxes = [0, 1, 5, 40, 900].map { count in
            GridLayout(screen: screen, cellPixels: cell, itemCount: count, sizedFor: 40).imageBox
        }

        #expect(Set(boxes).count == 1)
    }

    @Test(arguments: [(120, 40, 2, 62), (200, 60, 4, 135), (80, 24, 1, 29)])
    func `a panel takes whole columns of tiles`(
        columns: Int,
        rows: Int,
        left: Int,
        panelColumn: Int
    ) throws {
        let whole = layout(columns, rows, count: 1000)
        let rest = try #require(whole.leaving(40))

        #expect(rest.columns == left)
        #expect(rest.panelColumn == panelColumn)
        #expect(rest.imageBox == whole.imageBox)
        #expect(rest.imageRect(at: 0) == whole.imageRect(at: 0))
    }

    @Test func `if no column of tiles would remain, there is no panel`() {
        #expect(layout(60, 24, count: 1000).leaving(40) == nil)
    }
}
