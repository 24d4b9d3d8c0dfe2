/// Text made safe for the screen, with its width in columns.
///
/// The only way text gets into a `Frame`. Controls and line breaks become a space; format
/// characters (bidi overrides, zero-width, tags), marks that don't compose and unassigned code
/// points are dropped or replaced, so that a caption can neither send an escape sequence nor
/// disturb its neighbours.
public struct FrameText: Hashable, Sendable {
    /// A scalar for each column; 0 in the second column of a wide character.
    public let columns: [UInt32]

    /// Cleans text and cuts it to `limit` columns; a cut ends in "…", or "..." in ASCII.
    public init(_ text: some StringProtocol, limit: Int = .max, symbols: SymbolSet) {
        var cleaned: [UInt32] = []
        for character in text {
            Self.append(character, to: &cleaned, symbols: symbols)
            guard cleaned.count <= limit else { break }
        }
        columns = cleaned.count <= limit ? cleaned : Self.cut(cleaned, limit, symbols)
    }

    /// Wraps columns of a text that was cleaned before.
    init(cleaned columns: [UInt32]) {
        self.columns = columns
    }

    /// The cleaned text, fit for a line on a terminal.
    public var text: String {
        var text = ""
        text.unicodeScalars.append(
            contentsOf: columns.lazy.filter { $0 != 0 }.compactMap(Unicode.Scalar.init)
        )
        return text
    }

    /// The number of columns.
    public var width: Int { columns.count }

    private static func cut(_ scalars: [UInt32], _ limit: Int, _ symbols: SymbolSet) -> [UInt32] {
        guard limit > 0 else { return [] }
        let dots: [UInt32] = symbols == .ascii ? [0x2E, 0x2E, 0x2E] : [0x2026]
        let ending = dots.prefix(limit < 5 ? 1 : dots.count)
        var kept = Array(scalars.prefix(limit - ending.count))
        if kept.count < scalars.count, scalars[kept.count] == 0 { _ = kept.popLast() }
        return kept + ending
    }

    private static func append(
        _ character: Character,
        to cleaned: inout [UInt32],
        symbols: SymbolSet
    ) {
        if let ascii = character.asciiValue, ascii >= 0x20, ascii < 0x7F {
            cleaned.append(UInt32(ascii))
            return
        }
        for scalar in Composition.scalars(for: character).compactMap(replacement) {
            let shown = symbols == .ascii && !scalar.isASCII ? "?" : scalar
            let width = CharacterWidth.columns(of: shown)
            guard width > 0, shown != " " || cleaned.last != 0x20 else { continue }
            cleaned.append(shown.value)
            if width == 2 { cleaned.append(0) }
        }
    }

    private static func replacement(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
        // Two regional indicators make a flag whose width terminals disagree on: show the letters.
        if Composition.isRegionalIndicator(scalar) {
            return Unicode.Scalar(scalar.value - 0x1F1E6 + 0x41)
        }
        let properties = scalar.properties
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .spaceSeparator: return " "
        case .format: return nil
        case .privateUse, .unassigned, .surrogate: return "\u{FFFD}"
        default: return properties.isDefaultIgnorableCodePoint ? nil : scalar
        }
    }
}

/// Text cut into lines at spaces, by display width.
enum WrappedText {
    /// At most `limit` lines of `width` columns; what does not fit is cut off with an ellipsis.
    static func lines(_ text: FrameText, width: Int, limit: Int) -> [FrameText] {
        guard width > 0, limit > 0 else { return [] }
        var lines: [FrameText] = []
        var rest = text.columns[...].drop { $0 == 0x20 }
        while !rest.isEmpty {
            if lines.count == limit - 1, rest.count > width {
                lines.append(FrameText(columns: rest, cutTo: width))
                break
            }
            let end = lineEnd(rest, width: width)
            lines.append(FrameText(columns: rest[..<end], cutTo: width))
            rest = rest[end...].drop { $0 == 0x20 }
        }
        return lines
    }

    private static func lineEnd(_ columns: ArraySlice<UInt32>, width: Int) -> Int {
        guard columns.count > width else { return columns.endIndex }
        let edge = columns.startIndex + width
        if let space = columns[...edge].lastIndex(of: 0x20), space > columns.startIndex {
            return space
        }
        // No space: cut the word, but not a wide character.
        return columns[edge] == 0 && width > 1 ? edge - 1 : edge
    }
}

extension FrameText {
    /// Part of a cleaned text; a cut leaves its mark in the last column.
    fileprivate init(columns: ArraySlice<UInt32>, cutTo width: Int) {
        var kept = Array(columns)
        if kept.count > width {
            kept = Array(columns.prefix(width - 1))
            if columns[columns.startIndex + kept.count] == 0 { kept[kept.count - 1] = 0x20 }
            kept.append(columns.contains { $0 > 0x7F } ? 0x2026 : 0x2E)
        }
        while kept.last == 0x20 { kept.removeLast() }
        self.init(cleaned: kept)
    }
}
