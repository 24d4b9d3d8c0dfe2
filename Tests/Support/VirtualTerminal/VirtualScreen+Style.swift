import TerminalUI

extension VirtualScreen {
    /// SGR.
    ///
    /// Colors with components are written as `38;2;r;g;b`, `38:2:r:g:b` or `38:2:id:r:g:b`.
    mutating func setStyle(_ parameters: [[Int]]) {
        var rest = parameters.isEmpty ? [[0]] : parameters[...]
        while let parameter = rest.popFirst() {
            switch parameter[0] {
            case 38: style.foreground = color(parameter, &rest) ?? style.foreground
            case 48: style.background = color(parameter, &rest) ?? style.background
            case let code: setStyle(code)
            }
        }
    }

    private mutating func setStyle(_ code: Int) {
        switch code {
        case 0: style = FrameCell()
        case 1: style.attributes.insert(.bold)
        case 2: style.attributes.insert(.dim)
        case 4: style.attributes.insert(.underline)
        case 7: style.attributes.insert(.reverse)
        case 22: style.attributes.subtract([.bold, .dim])
        case 24: style.attributes.remove(.underline)
        case 27: style.attributes.remove(.reverse)
        case 30...37: style.foreground = .palette(UInt8(code - 30))
        case 39: style.foreground = .terminalDefault
        case 40...47: style.background = .palette(UInt8(code - 40))
        case 49: style.background = .terminalDefault
        case 90...97: style.foreground = .palette(UInt8(code - 82))
        case 100...107: style.background = .palette(UInt8(code - 92))
        default: unknownSequences.append("SGR \(code)")
        }
    }

    private func color(_ parameter: [Int], _ rest: inout ArraySlice<[Int]>) -> CellColor? {
        if parameter.count > 1 {
            let parts = Array(parameter.dropFirst())
            return color(kind: parts[0], parts: parts.count == 5 ? parts[2...] : parts[1...])
        }
        guard let kind = rest.popFirst()?.first else { return nil }
        let count = kind == 2 ? 3 : 1
        let parts = rest.prefix(count).map { $0[0] }
        rest = rest.dropFirst(count)
        return color(kind: kind, parts: parts[...])
    }

    private func color(kind: Int, parts: ArraySlice<Int>) -> CellColor? {
        let values = parts.map { UInt8(clamping: $0) }
        switch (kind, values.count) {
        case (5, 1): return .palette(values[0])
        case (2, 3): return .rgb(values[0], values[1], values[2])
        default: return nil
        }
    }
}
