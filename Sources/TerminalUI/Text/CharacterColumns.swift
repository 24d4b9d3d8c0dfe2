/// Converts a character to the contents of the screen columns that it occupies.
///
/// The contents have the form of `FrameCell.scalar`. If the terminal keeps grapheme clusters
/// together (mode 2027), a character is a single cell of at most two columns. Otherwise, each
/// scalar with a width has its own columns, as in nearly all terminals. Combining marks without a
/// width stay with their letter, spacing vowel signs follow the letter, and only the first emoji of
/// a sequence remains.
struct CharacterColumns {
    package let isASCII: Bool
    package let graphemeClusters: Bool
    /// Whether characters of ambiguous width occupy two columns.
    package var hasWideSigns = false

    /// Returns the value of each column that a character occupies, or an empty array if the
    /// character is not shown.
    package func columns(of character: Character) -> [UInt32] {
        let scalars = Array(character.unicodeScalars)
        guard scalars.count > 1 else { return cells(scalars) }
        if let one = Composition.scalar(for: character) { return cells([one]) }
        if let sequence = EmojiSequence(scalars) {
            guard graphemeClusters, !isASCII else { return cells(sequence.fallback) }
            if scalars.count <= GraphemeClusters.sequenceLimit,
                let number = GraphemeClusters.number(of: scalars.map(\.value))
            {
                return [number, 0]
            }
            return cells(sequence.fallback)
        }
        return cells(scalars)
    }

    private func cells(_ scalars: [Unicode.Scalar]) -> [UInt32] {
        let letters = letters(scalars)
        if graphemeClusters, letters.count > 1, let joined = joined(letters) { return joined }
        var columns: [UInt32] = []
        for letter in letters {
            let number = number(of: letter, isContinuation: !columns.isEmpty)
            columns.append(number ?? letter[0].value)
            if isWide(letter[0]) { columns.append(0) }
        }
        return columns
    }

    private func isWide(_ scalar: Unicode.Scalar) -> Bool {
        CharacterWidth.columns(of: scalar) == 2 || hasWideSigns && AmbiguousWidth.holds(scalar)
    }

    /// Returns a cell that contains the whole character, and its right half, or nil if the
    /// character has too many scalars or the table of clusters is full.
    private func joined(_ letters: [[Unicode.Scalar]]) -> [UInt32]? {
        let scalars = letters.joined().map(\.value)
        guard scalars.count <= GraphemeClusters.sequenceLimit,
            let number = GraphemeClusters.number(of: scalars)
        else { return nil }
        return [number, 0]
    }

    private func number(of letter: [Unicode.Scalar], isContinuation: Bool) -> UInt32? {
        // In ASCII mode, nothing is combined because letters outside ASCII become question marks.
        guard !isASCII, letter.count > 1 || isContinuation else { return letter[0].value }
        return GraphemeClusters.number(of: letter.map(\.value), isContinuation: isContinuation)
    }

    /// Returns the visible scalars, grouped into letters with their combining marks.
    private func letters(_ scalars: [Unicode.Scalar]) -> [[Unicode.Scalar]] {
        var letters: [[Unicode.Scalar]] = []
        for scalar in scalars {
            let isJoiner = Self.isJoiner(scalar, after: letters.last?.last)
            guard let clean = isJoiner ? scalar : Self.replacement(scalar) else { continue }
            let isOnLetter = isJoiner || CharacterWidth.columns(of: clean) == 0
            // A mark requires a letter because it would otherwise combine with the previous cell. A
            // line break of two control characters becomes a single space.
            if letters.isEmpty || letters[0][0] == " " {
                if isOnLetter || Self.extends(clean) || !letters.isEmpty { continue }
            }
            guard isOnLetter else {
                letters.append([isASCII && !clean.isASCII ? "?" : clean])
                continue
            }
            let last = letters.count - 1
            guard !isASCII, letters[last].count < GraphemeClusters.letterLimit else { continue }
            letters[last].append(clean)
        }
        return letters
    }

    /// Returns whether a scalar is one of the spacing marks that combine with the previous
    /// character.
    private static func extends(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.generalCategory == .spacingMark && "a\(Character(scalar))".count == 1
    }

    /// Returns whether a scalar is a joiner that affects how the text is displayed.
    ///
    /// After a virama, a joiner selects the form of a conjunct.
    private static func isJoiner(_ scalar: Unicode.Scalar, after last: Unicode.Scalar?) -> Bool {
        (0x200C...0x200D).contains(scalar.value)
            && last?.properties.canonicalCombiningClass == .virama
    }

    private static func replacement(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
        let properties = scalar.properties
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .spaceSeparator: return " "
        case .format: return nil
        case .privateUse, .unassigned, .surrogate: return "\u{FFFD}"
        default: break
        }
        // Terminals disagree on the width of a single regional indicator.
        if EmojiSequence.isRegionalIndicator(scalar) { return EmojiSequence.letter(scalar) }
        return properties.isDefaultIgnorableCodePoint ? nil : scalar
    }
}

/// An emoji that consists of several scalars.
struct EmojiSequence {
    /// The scalars that replace the sequence if the terminal draws each scalar separately.
    package let fallback: [Unicode.Scalar]

    /// Creates a sequence, or returns nil if the scalars are not a valid emoji sequence.
    init?(_ scalars: [Unicode.Scalar]) {
        guard let first = scalars.first else { return nil }
        if Self.isRegionalIndicator(first) {
            guard scalars.count == 2, Self.isRegionalIndicator(scalars[1]) else { return nil }
            fallback = scalars.map(Self.letter)
            return
        }
        guard Self.isKeycap(scalars) || Self.isRegion(scalars) || Self.isJoined(scalars) else {
            return nil
        }
        // The keycap stays with its key because it has no width.
        fallback = first.isASCII ? scalars.filter { $0 != Self.emojiStyle } : [first]
    }

    static func isRegionalIndicator(_ scalar: Unicode.Scalar) -> Bool {
        (0x1F1E6...0x1F1FF).contains(scalar.value)
    }

    /// Returns the letter that a regional indicator represents.
    package static func letter(_ indicator: Unicode.Scalar) -> Unicode.Scalar {
        Unicode.Scalar(indicator.value - 0x1F1E6 + 0x41) ?? "?"
    }

    private static let joiner: Unicode.Scalar = "\u{200D}"
    private static let emojiStyle: Unicode.Scalar = "\u{FE0F}"

    private static func isKeycap(_ scalars: [Unicode.Scalar]) -> Bool {
        scalars.count == 3 && scalars[0].isASCII && scalars[0].properties.isEmoji
            && scalars[1] == emojiStyle && scalars[2] == "\u{20E3}"
    }

    /// Returns whether the scalars are a black flag and a region code in tag characters.
    private static func isRegion(_ scalars: [Unicode.Scalar]) -> Bool {
        scalars.count > 3 && scalars[0] == "\u{1F3F4}" && scalars.last == "\u{E007F}"
            && scalars.dropFirst().dropLast().allSatisfy {
                (0xE0030...0xE0039).contains($0.value) || (0xE0061...0xE007A).contains($0.value)
            }
    }

    /// Returns whether the scalars are emoji, possibly with modifiers, separated by joiners.
    private static func isJoined(_ scalars: [Unicode.Scalar]) -> Bool {
        scalars.split(separator: joiner, omittingEmptySubsequences: false).allSatisfy { element in
            guard let emoji = element.first, emoji.properties.isEmoji else { return false }
            guard let addition = element.dropFirst().first else { return !emoji.isASCII }
            return element.count == 2
                && (addition == emojiStyle
                    || addition.properties.isEmojiModifier
                        && emoji.properties.isEmojiModifierBase)
        }
    }
}
