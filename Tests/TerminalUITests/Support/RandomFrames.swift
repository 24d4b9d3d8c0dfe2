import ImageLoadingTesting

@testable import TerminalUI

/// Makes frames as a gallery might, and unlikelier ones.
struct RandomFrames {
    var generator: SeededGenerator
    var depth = ColorDepth.trueColor

    /// Returns the next frame: a few changed cells, a scroll, a new screen, another size, or the
    /// same.
    mutating func next(after frame: Frame) -> Frame {
        var frame = frame
        switch Int.random(in: 0..<10, using: &generator) {
        case 0: return full(size: frame.size)
        case 1: return full(size: size())
        case 2: return frame
        case 3...5: return scrolled(frame)
        default:
            for _ in 0..<Int.random(in: 1...30, using: &generator) { change(&frame) }
            return frame
        }
    }

    mutating func size() -> ScreenSize {
        ScreenSize(
            columns: Int.random(in: 1...40, using: &generator),
            rows: Int.random(in: 1...24, using: &generator)
        )
    }

    mutating func full(size: ScreenSize) -> Frame {
        var frame = Frame(size: size)
        for row in 0..<size.rows { fill(&frame, row: row) }
        return frame
    }

    private mutating func scrolled(_ frame: Frame) -> Frame {
        let size = frame.size
        guard size.rows > 3 else { return frame }
        let top = Int.random(in: 0..<size.rows / 2, using: &generator)
        let bottom = Int.random(in: top + 2...size.rows, using: &generator)
        var distance = Int.random(in: 1..<bottom - top, using: &generator)
        if Bool.random(using: &generator) { distance = -distance }
        let scroll = Scroll(rows: top..<bottom, distance: distance)
        var moved = frame
        for row in top..<bottom {
            guard case .row(let source) = scroll.source(of: row) else {
                fill(&moved, row: row)
                continue
            }
            for column in 0..<size.columns { moved[row, column] = frame[source, column] }
        }
        if Bool.random(using: &generator) { change(&moved) }
        return moved
    }

    private mutating func fill(_ frame: inout Frame, row: Int) {
        for column in 0..<frame.size.columns { put(cell(), in: &frame, row, column) }
    }

    private mutating func change(_ frame: inout Frame) {
        let row = Int.random(in: 0..<frame.size.rows, using: &generator)
        let column = Int.random(in: 0..<frame.size.columns, using: &generator)
        put(cell(), in: &frame, row, column)
    }

    /// Writes a cell so that the frame stays whole: no half of a wide character is left over.
    private mutating func put(_ cell: FrameCell, in frame: inout Frame, _ row: Int, _ column: Int) {
        if frame[row, column].scalar == 0, column > 0 { frame[row, column - 1].scalar = 0x20 }
        clearRightHalf(in: &frame, row, column + 1)
        frame[row, column] = cell
        guard Int.random(in: 0..<8, using: &generator) == 0, column + 1 < frame.size.columns else {
            return
        }
        clearRightHalf(in: &frame, row, column + 2)
        frame[row, column].scalar = 0x65E5
        frame[row, column + 1] = frame[row, column]
        frame[row, column + 1].scalar = 0
    }

    private func clearRightHalf(in frame: inout Frame, _ row: Int, _ column: Int) {
        if column < frame.size.columns, frame[row, column].scalar == 0 {
            frame[row, column].scalar = 0x20
        }
    }

    private mutating func cell() -> FrameCell {
        let glyphs: [Unicode.Scalar] = [" ", " ", "a", "é", "▀", "▀", "▄", "█", "│", "~"]
        let attributes: [CellAttributes] = [[], [], [], [], .bold, .dim, .reverse, .underline]
        return FrameCell(
            glyphs.randomElement(using: &generator) ?? "x",
            foreground: color(),
            background: color(),
            attributes: attributes.randomElement(using: &generator) ?? []
        )
    }

    /// Returns one of few colors, so that equal neighbors, equal backgrounds and exchanges occur.
    private mutating func color() -> CellColor {
        let index = UInt8.random(in: 0..<4, using: &generator)
        if index == 3 || depth == .monochrome { return .terminalDefault }
        switch depth {
        case .trueColor: return .rgb(index * 85, 7, 255 - index)
        case .palette256: return .palette(index * 60 + index)
        default: return .palette(index * 3)
        }
    }
}
