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
        guard cleaned.count > limit else {
            columns = cleaned
            return
        }
        columns = Self.head(cleaned, limit, Self.ellipsis(limit: limit, symbols: symbols))
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

    /// What a cut leaves: "…", in ASCII dots.
    static func ellipsis(limit: Int, symbols: SymbolSet) -> [UInt32] {
        guard symbols == .ascii else { return [0x2026] }
        return Array(repeating: 0x2E, count: limit < 5 ? 1 : 3)
    }

    /// The first columns and what a cut leaves, in `limit` columns or one less: no character is cut
    /// in two.
    static func head(_ columns: [UInt32], _ limit: Int, _ ellipsis: [UInt32]) -> [UInt32] {
        guard limit >= ellipsis.count else { return [] }
        var end = min(limit - ellipsis.count, columns.count)
        while end > 0, end < columns.count, FrameCell.isContinuation(columns[end]) { end -= 1 }
        return columns[..<end] + ellipsis
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
