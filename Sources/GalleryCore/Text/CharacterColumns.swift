/// The columns that one character of a text takes: what stands in each, as `FrameCell` has it.
///
/// Where the terminal keeps grapheme clusters together (mode 2027) a character is one cell, of two
/// columns at most. Elsewhere each scalar with a width has columns of its own, as nearly all
/// terminals lay them out: marks without a width stay on their letter, spacing vowel signs follow
/// it, and of an emoji sequence the first emoji is left.
struct CharacterColumns {
    let isASCII: Bool
    let graphemeClusters: Bool
    /// Whether characters of ambiguous width take two columns.
    var hasWideSigns = false

    /// Empty for what is not shown.
    func columns(of character: Character) -> [UInt32] {
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

    /// All of it in one cell, if it has room.
    private func joined(_ letters: [[Unicode.Scalar]]) -> [UInt32]? {
        let scalars = letters.joined().map(\.value)
        guard scalars.count <= GraphemeClusters.sequenceLimit,
            let number = GraphemeClusters.number(of: scalars)
        else { return nil }
        return [number, 0]
    }

    private func number(of letter: [Unicode.Scalar], isContinuation: Bool) -> UInt32? {
        // In ASCII nothing is put together: there are question marks only.
        guard !isASCII, letter.count > 1 || isContinuation else { return letter[0].value }
        return GraphemeClusters.number(of: letter.map(\.value), isContinuation: isContinuation)
    }

    /// The scalars that are shown, each that has a width with the marks on it.
    private func letters(_ scalars: [Unicode.Scalar]) -> [[Unicode.Scalar]] {
        var letters: [[Unicode.Scalar]] = []
        for scalar in scalars {
            let isJoiner = Self.isJoiner(scalar, after: letters.last?.last)
            guard let clean = isJoiner ? scalar : Self.replacement(scalar) else { continue }
            let isOnLetter = isJoiner || CharacterWidth.columns(of: clean) == 0
            // It needs a letter, or it would get hold of the cell before; and a line break of two
            // controls is one space.
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

    /// Whether it is a spacing mark that belongs to whatever stands before it, as not all do.
    private static func extends(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.generalCategory == .spacingMark && "a\(Character(scalar))".count == 1
    }

    /// A joiner after a virama chooses the form of a conjunct; everywhere else it does nothing that
    /// can be seen in a cell.
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
        // A lone half of a flag has a width that terminals disagree on.
        if EmojiSequence.isRegionalIndicator(scalar) { return EmojiSequence.letter(scalar) }
        return properties.isDefaultIgnorableCodePoint ? nil : scalar
    }
}

/// An emoji of several scalars.
struct EmojiSequence {
    /// What stands for it in a terminal that draws each scalar by itself.
    let fallback: [Unicode.Scalar]

    /// Nil if the scalars make no emoji; what is not well formed is text like any other.
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
        // The cap stays on its key, for it has no width.
        fallback = first.isASCII ? scalars.filter { $0 != Self.emojiStyle } : [first]
    }

    static func isRegionalIndicator(_ scalar: Unicode.Scalar) -> Bool {
        (0x1F1E6...0x1F1FF).contains(scalar.value)
    }

    /// The letter of a regional indicator.
    static func letter(_ indicator: Unicode.Scalar) -> Unicode.Scalar {
        Unicode.Scalar(indicator.value - 0x1F1E6 + 0x41) ?? "?"
    }

    private static let joiner: Unicode.Scalar = "\u{200D}"
    private static let emojiStyle: Unicode.Scalar = "\u{FE0F}"

    private static func isKeycap(_ scalars: [Unicode.Scalar]) -> Bool {
        scalars.count == 3 && scalars[0].isASCII && scalars[0].properties.isEmoji
            && scalars[1] == emojiStyle && scalars[2] == "\u{20E3}"
    }

    /// A black flag with the code of a region in tags, which are letters that nobody sees.
    private static func isRegion(_ scalars: [Unicode.Scalar]) -> Bool {
        scalars.count > 3 && scalars[0] == "\u{1F3F4}" && scalars.last == "\u{E007F}"
            && scalars.dropFirst().dropLast().allSatisfy {
                (0xE0030...0xE0039).contains($0.value) || (0xE0061...0xE007A).contains($0.value)
            }
    }

    /// Emoji with a skin tone or an emoji style, joined by joiners.
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
