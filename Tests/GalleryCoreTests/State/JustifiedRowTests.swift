import Decoders
import ImageLoading
import PropertyRuns
import Testing
import VirtualTerminal

@testable import Feeds
@testable import GalleryCore
@testable import TerminalUI

@Suite struct JustifiedRowTests {
    @Test(
        arguments: [
            ([nil, nil, nil], [20, 20, 20]),
            ([10, 20, 30], [12, 19, 29]),
            ([40, 40, 40], [20, 20, 20]),
            ([15, 30, 15], [15, 30, 15]),
            ([1, 1, 1000], [12, 12, 36]),
            ([nil, 40, nil], [15, 30, 15]),
            ([5], [20]),
            ([], []),
        ] as [([Double?], [Int])]
    )
    func `tiles are as wide as their images, and a row is as wide as equal tiles`(
        natural: [Double?],
        widths: [Int]
    ) {
        #expect(JustifiedRow.widths(natural: natural, tile: 20, least: 12) == widths)
    }

    @Test func `a row is filled to the column for any sizes`() {
        for _ in 0..<PropertyRuns.count(2000) {
            let tile = Int.random(in: 1...60)
            let natural = (0..<Int.random(in: 1...20)).map { _ -> Double? in
                Bool.random() ? nil : Double.random(in: 0.001...100_000)
            }
            let widths = JustifiedRow.widths(natural: natural, tile: tile, least: 12)
            #expect(widths.reduce(0, +) == natural.count * tile, "\(tile) \(natural)")
            #expect(widths.allSatisfy { $0 >= min(tile, 12) }, "\(tile) \(natural)")
        }
    }

    /// A gallery with justified rows whose images are loaded.
    ///
    /// The images are alternately portraits and landscapes.
    private func gallery(loading: Bool = true) -> Gallery {
        var gallery = Gallery()
        gallery.press("FF")
        guard loading else { return gallery }
        for slot in gallery.state.pool.slots.indices { load(slot, into: &gallery) }
        return gallery
    }

    @discardableResult
    private func load(_ slot: Int, into gallery: inout Gallery) -> [Effect] {
        let isPortrait = gallery.state.pool.slots[slot].item.map { $0 % 2 == 0 } ?? false
        let original = PixelSize(width: isPortrait ? 800 : 1200, height: isPortrait ? 1200 : 800)
        let loaded = original.scaled(into: gallery.state.targetSize, mode: .fit)
        let pixels = DecodedImage.plain(loaded.width, loaded.height).pixels
        return gallery.send(.slot(slot, .image(DecodedImage(pixels, of: original), .memory)))
    }

    private func rects(_ gallery: Gallery) -> [FrameRect] {
        let layout = gallery.state.grid.layout
        return (0..<layout.columns * layout.rows).map(layout.imageRect)
    }

    @Test func `portraits get narrow tiles and landscapes wide tiles, and rows stay aligned`() {
        let before = rects(gallery(loading: false))
        let gallery = gallery()
        let after = rects(gallery)
        let columns = gallery.state.grid.layout.columns

        #expect(Set(before.map(\.columns)).count == 1)
        #expect(after[0].columns < after[1].columns)
        for row in stride(from: 0, to: after.count, by: columns) {
            let last = row + columns - 1
            #expect(after[row].column == before[row].column)
            #expect(
                after[last].column + after[last].columns
                    == before[last].column + before[last].columns
            )
            for position in row..<last {
                #expect(
                    after[position].column + after[position].columns
                        < after[position + 1].column
                )
            }
        }
    }

    @Test func `a landscape in a justified row is larger than in an equal tile`() throws {
        var gallery = gallery()
        func area() throws -> Int {
            let slot = try #require(gallery.state.pool.slot(ofItem: 1)?.cellImage)
            return slot.rows * slot.columns
        }
        let justified = try area()
        gallery.press("F")
        #expect(try justified > area())
    }

    @Test func `images that arrive change the widths but load nothing`() {
        var gallery = gallery(loading: false)
        for slot in gallery.state.pool.slots.indices {
            #expect(load(slot, into: &gallery).isEmpty)
        }
    }

    @Test func `a click selects the tile that is drawn there`() throws {
        var gallery = gallery()
        for (position, rect) in rects(gallery).enumerated() {
            let column = rect.column + rect.columns - 1
            gallery.send(.input(.mouse(.press(row: rect.row, column: column))))
            #expect(gallery.state.grid.selection == position)
        }
    }

    @Test func `:set justify and F end at equal tiles`() {
        var gallery = gallery()
        gallery.press(":set justify off")
        gallery.press(.enter)
        #expect(Set(rects(gallery).map(\.columns)).count == 1)
        gallery.press(":set justify on")
        gallery.press(.enter)
        #expect(Set(rects(gallery).map(\.columns)).count > 1)
        gallery.press("F")
        #expect(Set(rects(gallery).map(\.columns)).count == 1)
    }
}
