import GalleryCore

extension VirtualScreen {
    /// SGR.
    ///
    /// Colours with parts come as `38;2;r;g;b`, `38:2:r:g:b` or `38:2:id:r:g:b`.
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

/// How many cells a character takes: the parts of Unicode's East Asian Width that tests use.
enum CharacterWidth {
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF,
        0xA000...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60,
        0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F680...0x1F6FF, 0x1F900...0x1F9FF,
        0x20000...0x3FFFD,
    ]
    private static let combining: [ClosedRange<UInt32>] = [
        0x0300...0x036F, 0x200B...0x200F, 0x20D0...0x20FF, 0xFE00...0xFE0F, 0xFE20...0xFE2F,
    ]

    static func of(_ scalar: UInt32) -> Int {
        if scalar < 0x300 { return 1 }
        if combining.contains(where: { $0.contains(scalar) }) { return 0 }
        return wide.contains { $0.contains(scalar) } ? 2 : 1
    }
}
