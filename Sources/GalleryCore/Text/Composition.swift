/// One scalar for a base letter and its marks, where Unicode has one.
///
/// File names from macOS come decomposed ("e" + U+0301); a cell of the screen holds one scalar.
enum Composition {
    /// The scalars to show for a character: composed if possible, else without its marks.
    ///
    /// Of an emoji sequence only the first picture, whose width terminals agree on.
    static func scalars(for character: Character) -> [Unicode.Scalar] {
        let scalars = character.unicodeScalars
        guard scalars.count > 1, let first = scalars.first else { return Array(scalars) }
        if let one = composed[character] ?? hangul(scalars) { return [one] }
        if first.properties.isEmojiPresentation, !isRegionalIndicator(first) { return [first] }
        return scalars.filter { !CharacterWidth.isCombining($0) }
    }

    static func isRegionalIndicator(_ scalar: Unicode.Scalar) -> Bool {
        (0x1F1E6...0x1F1FF).contains(scalar.value)
    }

    /// `Character` compares and hashes by canonical equivalence, so that looking up a decomposed
    /// one finds its composed twin.
    private static let composed: [Character: Unicode.Scalar] = {
        let ranges: [ClosedRange<UInt32>] = [
            0xC0...0x24F, 0x386...0x3CE, 0x400...0x4F9, 0x1E00...0x1FFC, 0x304C...0x30FE,
        ]
        var table: [Character: Unicode.Scalar] = [:]
        for scalar in ranges.joined().compactMap(Unicode.Scalar.init) {
            table[Character(scalar)] = scalar
        }
        return table
    }()

    /// The Unicode Standard, section 3.12: L + V (+ T) by arithmetic.
    private static func hangul(_ scalars: Character.UnicodeScalarView) -> Unicode.Scalar? {
        let values = scalars.map(\.value)
        guard (2...3).contains(values.count), (0x1100...0x1112).contains(values[0]),
            (0x1161...0x1175).contains(values[1])
        else { return nil }
        let final = values.count == 3 ? values[2] : 0x11A7
        guard (0x11A7...0x11C2).contains(final) else { return nil }
        let syllable = ((values[0] - 0x1100) * 21 + values[1] - 0x1161) * 28 + final - 0x11A7
        return Unicode.Scalar(0xAC00 + syllable)
    }
}
