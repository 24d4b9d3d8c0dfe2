/// Sanitized text and its width in columns.
///
/// All text in a `Frame` has this type. Control characters and line breaks become a space. Format
/// characters (bidi overrides, zero-width characters, tags), combining marks without a letter, and
/// unassigned code points are removed or replaced. A caption can therefore neither send an escape
/// sequence nor change adjacent cells. Letters keep at most four combining marks, which is the
/// capacity of an ncurses cell.
package struct FrameText: Hashable, Sendable {
    /// The content of each column, in the form of `FrameCell.scalar`.
    package let columns: [UInt32]

    /// Creates sanitized text of at most `limit` columns; shortened text ends with "…" or "...".
    ///
    /// If `graphemeClusters` is true, each character is a single cell, as in a terminal that keeps
    /// clusters together. Otherwise, the parts of a character have their own cells
    /// (`CharacterColumns`).
    package init(
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

    /// Creates sanitized text for a terminal.
    package init(
        _ text: some StringProtocol,
        limit: Int = .max,
        on capabilities: ScreenCapabilities
    ) {
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
        columns = Self.head(
            cleaned,
            limit: limit,
            ellipsis: Self.ellipsis(limit: limit, isDots: hasDots)
        )
    }

    /// Creates text from columns that have already been sanitized.
    package init(cleaned columns: [UInt32]) {
        self.columns = columns
    }

    /// The sanitized text, which is safe to write to a terminal.
    package var text: String {
        var text = ""
        text.unicodeScalars.append(
            contentsOf: columns.lazy.flatMap(FrameCell.scalars).compactMap(Unicode.Scalar.init)
        )
        return text
    }

    /// The number of columns.
    package var width: Int { columns.count }

    /// Returns the ellipsis: "…", or dots if `isDots` is true.
    ///
    /// There are three dots, or a single dot if `limit` is less than 5.
    static func ellipsis(limit: Int, isDots: Bool) -> [UInt32] {
        guard isDots else { return [0x2026] }
        return Array(repeating: 0x2E, count: limit < 5 ? 1 : 3)
    }

    /// Returns the first columns followed by the ellipsis, in at most `limit` columns.
    ///
    /// No character is split, so the result may be narrower than `limit`.
    package static func head(_ columns: [UInt32], limit: Int, ellipsis: [UInt32]) -> [UInt32] {
        guard limit >= ellipsis.count else { return [] }
        var end = min(limit - ellipsis.count, columns.count)
        while end > 0, end < columns.count, FrameCell.isContinuation(columns[end]) { end -= 1 }
        return columns[..<end] + ellipsis
    }
}

extension FrameText {
    /// Returns the ranges of columns in which `other` occurs.
    package func spans(of other: FrameText, isCaseSensitive: Bool) -> [Range<Int>] {
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
