import Testing
import VirtualTerminal

@testable import Feeds
@testable import GalleryCore
@testable import TerminalUI

/// Properties of the grid in every size, mode and state that permit pixel images instead of their
/// cells.
@Suite struct TilePropertyTests {
    /// Where the images of a screen are.
    private func boxes(_ gallery: Gallery) -> [FrameRect] {
        let state = gallery.state
        return state.visiblePositions.compactMap { item in
            guard let image = state.pool.slot(ofItem: item)?.cellImage else { return nil }
            let position = item - state.visiblePositions.lowerBound
            return FrameImage(image, centeredIn: state.grid.layout.imageRect(at: position)).rect
        }
    }

    private static let blocks = Set(" ▀▄█".unicodeScalars.map(\.value))

    @Test func `no text and no frame is drawn inside the box of an image`() {
        for (name, capabilities) in Scene.modes where capabilities.symbols != .ascii {
            for (columns, rows) in Scene.sizes {
                for keys in ["", "s", "w", "C"] {
                    for item in [0, 2, 5] {
                        var gallery = Scene.gallery(columns, rows, capabilities, selecting: item)
                        gallery.press(keys)
                        guard !gallery.state.isStatisticsPage else { continue }
                        let frame = gallery.state.frame()
                        for box in boxes(gallery) {
                            #expect(box.row + box.rows <= rows - 1)
                            #expect(
                                isPicture(frame, box),
                                "\(name) \(columns)x\(rows) \(keys) \(item)"
                            )
                        }
                    }
                }
            }
        }
    }

    private func isPicture(_ frame: Frame, _ box: FrameRect) -> Bool {
        (box.row..<box.row + box.rows).allSatisfy { row in
            (box.column..<box.column + box.columns).allSatisfy { column in
                Self.blocks.contains(frame[row, column].scalar)
            }
        }
    }

    @Test func `selecting another image changes only gutters, captions and the bar`() {
        for (name, capabilities) in Scene.modes {
            for (columns, rows) in Scene.sizes {
                var gallery = Scene.gallery(columns, rows, capabilities)
                let before = gallery.state.frame()
                let layout = gallery.state.grid.layout
                for _ in 1..<max(1, gallery.state.visibleItems.count) {
                    gallery.press(.right)
                    let after = gallery.state.frame()
                    for row in 0..<rows - 1 {
                        for column in 0..<columns where before[row, column] != after[row, column] {
                            let isImage = (0..<layout.rows * layout.columns).contains { position in
                                layout.imageRect(at: position).contains(row: row, column: column)
                            }
                            #expect(!isImage, "\(name) \(columns)x\(rows) at \(row),\(column)")
                        }
                    }
                }
            }
        }
    }

    @Test func `every row is as wide as the window, and every cell has a look`() {
        for (_, capabilities) in Scene.modes {
            for (columns, rows) in Scene.sizes {
                for keys in ["", "s", "?", " ", "C", ":1"] {
                    var gallery = Scene.gallery(columns, rows, capabilities)
                    gallery.press(keys)
                    let frame = gallery.state.frame()
                    #expect(frame.cells.count == columns * rows)
                    let hasGround = frame.cells.allSatisfy { $0.background != .terminalDefault }
                    let isColored = gallery.state.theme.hasSurfaces
                    #expect(hasGround == isColored)
                }
            }
        }
    }
}
