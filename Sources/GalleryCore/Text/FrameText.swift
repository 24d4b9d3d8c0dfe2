/// Text made safe for the screen, with its width in columns.
///
/// The only way text gets into a `Frame`. Controls and line breaks become a space; format
/// characters (bidi overrides, zero-width, tags), marks without a letter and unassigned code points
/// are dropped or replaced, so that a caption can neither send an escape sequence nor disturb its
/// neighbours. Letters keep their marks, at most four: what a cell of ncurses holds.
public struct FrameText: Hashable, Sendable {
    /// What each column shows, as `FrameCell.scalar` has it.
    public let columns: [UInt32]

    /// Cleans text and cuts it to `limit` columns; a cut ends in "…", or "..." in ASCII.
    ///
    /// With `graphemeClusters` a character is one cell, as in a terminal that keeps clusters
    /// together; else what it consists of is laid out cell by cell (`CharacterColumns`).
    public init(
        _ text: some StringProtocol,
        limit: Int = .max,
        symbols: SymbolSet,
        graphemeClusters: Bool = false
    ) {
        let layout = CharacterColumns(
            isASCII: symbols == .ascii,
            graphemeClusters: graphemeClusters
        )
        self.init(text, limit: limit, layout: layout, hasDots: symbols == .ascii)
    }

    /// The same for a terminal.
    init(_ text: some StringProtocol, limit: Int = .max, on capabilities: ScreenCapabilities) {
        let layout = CharacterColumns(
            isASCII: capabilities.symbols == .ascii && !capabilities.keepsLetters,
            graphemeClusters: capabilities.graphemeClusters,
            hasWideSigns: capabilities.hasWideSigns
        )
        self.init(text, limit: limit, layout: layout, hasDots: !capabilities.shows("…"))
    }

    private init(
        _ text: some StringProtocol,
        limit: Int,
        layout: CharacterColumns,
        hasDots: Bool
    ) {
        var cleaned: [UInt32] = []
        for character in text {
            if let ascii = character.asciiValue, ascii >= 0x20, ascii < 0x7F {
                cleaned.append(UInt32(ascii))
            } else {
                let columns = layout.columns(of: character)
                guard columns != [0x20] || cleaned.last != 0x20 else { continue }
                cleaned += columns
            }
            guard cleaned.count <= limit else { break }
        }
        guard cleaned.count > limit else {
            columns = cleaned
            return
        }
        columns = Self.head(cleaned, limit, Self.ellipsis(limit: limit, isDots: hasDots))
    }

    /// Wraps columns of a text that was cleaned before.
    init(cleaned columns: [UInt32]) {
        self.columns = columns
    }

    /// The cleaned text, fit for a line on a terminal.
    public var text: String {
        var text = ""
        text.unicodeScalars.append(
            contentsOf: columns.lazy.flatMap(FrameCell.scalars).compactMap(Unicode.Scalar.init)
        )
        return text
    }

    /// The number of columns.
    public var width: Int { columns.count }

    /// What a cut leaves: "…", or dots.
    static func ellipsis(limit: Int, isDots: Bool) -> [UInt32] {
        guard isDots else { return [0x2026] }
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
}

extension FrameText {
    /// The columns at which another text stands in this one.
    func spans(of other: FrameText, isCaseSensitive: Bool) -> [Range<Int>] {
        func folded(_ columns: [UInt32]) -> [UInt32] {
            guard !isCaseSensitive else { return columns }
            return columns.map { value in
                guard let scalar = Unicode.Scalar(value) else { return value }
                let lower = scalar.properties.lowercaseMapping.unicodeScalars
                return lower.count == 1 ? lower.first?.value ?? value : value
            }
        }
        let (text, wanted) = (folded(columns), folded(other.columns))
        guard !wanted.isEmpty, wanted.count <= text.count else { return [] }
        var spans: [Range<Int>] = []
        var start = 0
        while start + wanted.count <= text.count {
            if text[start..<start + wanted.count].elementsEqual(wanted) {
                spans.append(start..<start + wanted.count)
                start += wanted.count
            } else {
                start += 1
            }
        }
        return spans
    }
}
