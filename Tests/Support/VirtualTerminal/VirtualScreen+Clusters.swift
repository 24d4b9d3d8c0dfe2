import TerminalUI

extension VirtualScreen {
    /// How a terminal lays out a character of several scalars.
    package enum ClusterLayout: CaseIterable, Sendable {
        /// Each scalar has its own width; a scalar without a width combines with the previous cell.
        case scalars
        /// One cell, as wide as all of it but of two columns at most (foot, WezTerm, Contour).
        case clusters
        /// One cell, as wide as its first scalar, or two columns for an emoji style (Ghostty, kitty).
        case firstScalar

        fileprivate func joins(_ scalar: UInt32, to scalars: [UInt32]) -> Bool {
            guard self != .scalars else { return CharacterWidth.of(scalar) == 0 }
            var text = String.UnicodeScalarView()
            text.append(contentsOf: (scalars + [scalar]).compactMap(Unicode.Scalar.init))
            return String(text).count == 1
        }

        fileprivate func width(_ scalars: [UInt32]) -> Int {
            let isEmojiStyle = scalars.contains(0xFE0F) && scalars[0] != 0x20
            switch self {
            case .scalars: return scalars.first.map(CharacterWidth.of) ?? 0
            case .clusters:
                let sum = scalars.map(CharacterWidth.of).reduce(0, +)
                return min(2, isEmojiStyle ? 2 : sum)
            case .firstScalar:
                return isEmojiStyle ? 2 : scalars.first.map(CharacterWidth.of) ?? 0
            }
        }
    }

    /// Adds a scalar to the character that was written last, if it belongs to it.
    mutating func extend(with scalar: UInt32) -> Bool {
        guard let (row, column) = anchor else { return false }
        let before = self[row, column].scalars
        guard !before.isEmpty, clusterLayout.joins(scalar, to: before) else { return false }
        let scalars = before + [scalar]
        self[row: row, column].scalar = GraphemeClusters.number(of: scalars) ?? 0xFFFD
        let isWide = column + 1 < size.columns && self[row, column + 1].scalar == 0
        if clusterLayout.width(scalars) == 2, !isWide, column + 1 < size.columns {
            separate(at: column + 2)
            self[row: row, column + 1] = self[row, column]
            self[row: row, column + 1].scalar = 0
            isWrapPending = column + 2 == size.columns
            self.column = min(column + 2, size.columns - 1)
        }
        return true
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

    static func of(_ scalar: UInt32) -> Int {
        if scalar < 0x300 { return 1 }
        switch Unicode.Scalar(scalar)?.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: return wide.contains { $0.contains(scalar) } ? 2 : 1
        }
    }
}
