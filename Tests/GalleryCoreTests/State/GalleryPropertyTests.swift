import Decoders
import ImageLoading
import ImageLoadingTesting
import PropertyRuns
import Testing

@testable import Feeds
@testable import GalleryCore
@testable import TerminalUI

/// Whatever happens in whatever order, the gallery stays whole.
@Suite struct GalleryPropertyTests {
    @Test(arguments: [UInt64(1), 2, 3, 4, 14])
    func `1,000 random messages keep every invariant`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var state = GalleryState(
            capabilities: ScreenCapabilities(
                colorDepth: ColorDepth.allCases[Int(seed) % 4],
                symbols: .halfBlocks
            ),
            settings: GallerySettings()
        )
        var program = ShadowProgram()
        for step in 0..<PropertyRuns.count(1_000) {
            let message = RandomMessage.next(&generator, viewport: state.detail?.viewport)

            if case .reloaded(let reload) = message, let change = reload.change {
                program.renumber(change.numbers)
            }
            program.run(state.update(message))

            let context = "seed \(seed), step \(step), \(message)"
            program.check(state, context)
            checkSelection(state, context)
            checkFrame(state.frame(), of: state, context)
        }
    }

    private func checkSelection(_ state: GalleryState, _ context: String) {
        guard state.itemCount > 0 else {
            #expect(state.grid.selection == 0, "\(context)")
            return
        }
        #expect((0..<state.itemCount).contains(state.grid.selection), "\(context)")
        guard state.fits, state.display.isSizeKnown else { return }
        #expect(state.visiblePositions.contains(state.grid.selection), "\(context)")
    }

    private func checkFrame(_ frame: Frame, of state: GalleryState, _ context: String) {
        #expect(frame.size == state.screen, "\(context)")
        #expect(frame.cells.count == frame.size.columns * frame.size.rows, "\(context)")
        var isWhole = true
        for row in 0..<frame.size.rows {
            for column in 0..<frame.size.columns {
                isWhole = isWhole && self.isWhole(frame, row, column)
            }
        }
        #expect(isWhole, "a control character or half a wide one: \(context)")
    }

    private func isWhole(_ frame: Frame, _ row: Int, _ column: Int) -> Bool {
        let cell = frame[row, column]
        guard cell.scalar != 0 else {
            guard column > 0 else { return false }
            return isWide(frame[row, column - 1])
        }
        let isClean = cell.scalars.allSatisfy { scalar in
            Unicode.Scalar(scalar).map { $0.properties.generalCategory != .control } ?? false
        }
        guard isClean, isWide(cell) else { return isClean }
        return column + 1 < frame.size.columns && frame[row, column + 1].scalar == 0
    }

    private func isWide(_ cell: FrameCell) -> Bool {
        let first = cell.scalars.first.flatMap(Unicode.Scalar.init)
        return first.map(CharacterWidth.columns) == 2
    }
}

/// The loads that a program would have running if it executed all effects.
struct ShadowProgram {
    private var itemOfSlot: [Int: Int] = [:]

    mutating func run(_ effects: [Effect]) {
        for effect in effects {
            switch effect {
            case .bind(let slot, let item, let size, _, _):
                #expect(!size.isEmpty)
                itemOfSlot[slot] = item
            case .unbind(let slot): itemOfSlot[slot] = nil
            default: break
            }
        }
    }

    /// Applies new item numbers to the bound slots.
    mutating func renumber(_ numbers: FeedRenumbering) {
        itemOfSlot = itemOfSlot.compactMapValues { numbers[$0] }
    }

    /// Every visible item has exactly one slot, and the program loads what the pool says.
    func check(_ state: GalleryState, _ context: String) {
        let bound = state.pool.slots.compactMap(\.item)
        #expect(bound.sorted() == state.visibleItems.sorted(), "\(context)")
        for (slot, item) in itemOfSlot {
            #expect(state.pool.slots.indices.contains(slot), "\(context)")
            guard state.pool.slots.indices.contains(slot) else { continue }
            #expect(state.pool.slots[slot].item == item, "\(context)")
        }
    }
}
