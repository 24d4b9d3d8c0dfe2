import TerminalUI

extension VirtualScreen {
    mutating func perform(_ action: SequenceParser.Action) {
        switch action {
        case .character(let scalar): put(scalar)
        case .control(let byte): control(byte)
        case .escape(let text): escape(text)
        case .sequence(0, let parameters, let final): sequence(final, parameters)
        case .sequence(UInt8(ascii: "?"), let parameters, "h"):
            for parameter in parameters { setMode(parameter[0], true) }
        case .sequence(UInt8(ascii: "?"), let parameters, "l"):
            for parameter in parameters { setMode(parameter[0], false) }
        // Queries, which change nothing on the screen.
        case .sequence(UInt8(ascii: ">"), _, "q"), .sequence(UInt8(ascii: ">"), _, "c"),
            .sequence(UInt8(ascii: "?"), _, "$p"):
            break
        case .sequence(let marker, _, let final):
            unknownSequences.append("CSI \(Unicode.Scalar(marker)) \(final)")
        }
    }

    private mutating func control(_ byte: UInt8) {
        switch byte {
        case 0x08: move(row, column - 1)
        case 0x09: move(row, min(size.columns - 1, (column / 8 + 1) * 8))
        case 0x0A, 0x0B, 0x0C: lineFeed()
        case 0x0D: move(row, 0)
        default: break
        }
    }

    private mutating func escape(_ text: String) {
        switch text {
        case "7": savedCursor = (row, column, style)
        case "8":
            move(savedCursor.row, savedCursor.column)
            style = savedCursor.style
        case "D": lineFeed()
        case "E":
            move(row, 0)
            lineFeed()
        case "M": reverseLineFeed()
        case "(B", "(0", ")B", ")0", "=", ">", "\\": break
        default: unknownSequences.append("ESC \(text)")
        }
    }

    private mutating func sequence(_ final: String, _ parameters: [[Int]]) {
        func number(_ index: Int, or fallback: Int = 1) -> Int {
            guard index < parameters.count, parameters[index][0] > 0 else { return fallback }
            return parameters[index][0]
        }
        switch final {
        case "A": move(row - number(0), column)
        case "B", "e": move(row + number(0), column)
        case "C", "a": move(row, column + number(0))
        case "D": move(row, column - number(0))
        case "E": move(row + number(0), 0)
        case "F": move(row - number(0), 0)
        case "G", "`": move(row, number(0) - 1)
        case "H", "f": move(number(0) - 1, number(1) - 1)
        case "d": move(number(0) - 1, column)
        case "J": eraseInDisplay(number(0, or: 0))
        case "K": eraseInLine(number(0, or: 0))
        case "X": blank(row, column..<min(size.columns, column + number(0)))
        case "L": insertLines(number(0))
        case "M": deleteLines(number(0))
        case "@": insertCells(number(0))
        case "P": deleteCells(number(0))
        case "S": scrollUp(region, by: number(0))
        case "T": scrollDown(region, by: number(0))
        case "b": for _ in 0..<number(0) { put(lastWritten) }
        case "m": setStyle(parameters)
        case "r": setRegion(number(0) - 1, number(1, or: size.rows))
        case "s": savedCursor = (row, column, style)
        case "u": move(savedCursor.row, savedCursor.column)
        case "n" where number(0) == 6: replies += "\u{1B}[\(row + 1);\(column + 1)R".utf8
        case "n" where number(0) == 5: replies += "\u{1B}[0n".utf8
        case "c": replies += "\u{1B}[?62;22c".utf8
        case "t", "h", "l", "q", " q": break
        default: unknownSequences.append("CSI \(final)")
        }
    }

    private mutating func setRegion(_ top: Int, _ bottom: Int) {
        let bottom = min(bottom, size.rows)
        guard top + 1 < bottom else { return }
        region = top..<bottom
        move(0, 0)
    }

    private mutating func setMode(_ mode: Int, _ isOn: Bool) {
        if [47, 1047, 1049].contains(mode), modes.contains(mode) != isOn {
            if isOn {
                primaryCells = cells
                savedCursor = (row, column, style)
                cells = Array(repeating: FrameCell(), count: cells.count)
            } else {
                cells = primaryCells.count == cells.count ? primaryCells : cells
                move(savedCursor.row, savedCursor.column)
            }
        }
        if isOn { modes.insert(mode) } else { modes.remove(mode) }
    }
}
