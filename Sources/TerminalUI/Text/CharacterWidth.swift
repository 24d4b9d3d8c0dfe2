import SystemSupport

/// A namespace for determining the number of terminal columns that a character occupies.
package enum CharacterWidth {
    /// Returns the number of columns that a scalar occupies: 0, 1 or 2.
    ///
    /// The number is 0 if the scalar combines with the previous character. Control and format
    /// characters must already have been removed, as in `FrameText`.
    package static func columns(of scalar: Unicode.Scalar) -> Int {
        guard scalar.value >= 0x300 else { return 1 }
        if isCombining(scalar) { return 0 }
        return isWide(scalar.value) ? 2 : 1
    }

    /// Returns whether a scalar combines with the previous character.
    ///
    /// Combining marks combine with it, and so do the vowels and final consonants of conjoining
    /// Hangul.
    static func isCombining(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark: true
        default: (0x1160...0x11FF).contains(scalar.value)
        }
    }

    /// Returns whether a scalar has East Asian Width W or F (Unicode Standard Annex 11).
    ///
    /// Pictorial emoji have width W.
    private static func isWide(_ value: UInt32) -> Bool {
        guard value >= 0x1100 else { return false }
        let place = wide.partitioningIndex { $0.upperBound >= value }
        return place < wide.count && wide[place].contains(value)
    }

    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x231A...0x231B, 0x2329...0x232A, 0x23E9...0x23EC, 0x23F0...0x23F0,
        0x23F3...0x23F3, 0x25FD...0x25FE, 0x2614...0x2615, 0x2648...0x2653, 0x267F...0x267F,
        0x2693...0x2693, 0x26A1...0x26A1, 0x26AA...0x26AB, 0x26BD...0x26BE, 0x26C4...0x26C5,
        0x26CE...0x26CE, 0x26D4...0x26D4, 0x26EA...0x26EA, 0x26F2...0x26F3, 0x26F5...0x26F5,
        0x26FA...0x26FA, 0x26FD...0x26FD, 0x2705...0x2705, 0x270A...0x270B, 0x2728...0x2728,
        0x274C...0x274C, 0x274E...0x274E, 0x2753...0x2755, 0x2757...0x2757, 0x2795...0x2797,
        0x27B0...0x27B0, 0x27BF...0x27BF, 0x2B1B...0x2B1C, 0x2B50...0x2B50, 0x2B55...0x2B55,
        0x2E80...0x303E, 0x3041...0x3247, 0x3250...0x4DBF, 0x4E00...0xA4CF, 0xA960...0xA97F,
        0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF01...0xFF60,
        0xFFE0...0xFFE6, 0x16FE0...0x18CFF, 0x1AFF0...0x1B2FF, 0x1F004...0x1F004,
        0x1F0CF...0x1F0CF, 0x1F18E...0x1F18E, 0x1F191...0x1F19A, 0x1F200...0x1F320,
        0x1F32D...0x1F335, 0x1F337...0x1F37C, 0x1F37E...0x1F393, 0x1F3A0...0x1F3CA,
        0x1F3CF...0x1F3D3, 0x1F3E0...0x1F3F0, 0x1F3F4...0x1F3F4, 0x1F3F8...0x1F43E,
        0x1F440...0x1F440, 0x1F442...0x1F4FC, 0x1F4FF...0x1F53D, 0x1F54B...0x1F54E,
        0x1F550...0x1F567, 0x1F57A...0x1F57A, 0x1F595...0x1F596, 0x1F5A4...0x1F5A4,
        0x1F5FB...0x1F64F, 0x1F680...0x1F6C5, 0x1F6CC...0x1F6CC, 0x1F6D0...0x1F6D2,
        0x1F6D5...0x1F6D7, 0x1F6DC...0x1F6DF, 0x1F6EB...0x1F6EC, 0x1F6F4...0x1F6FC,
        0x1F7E0...0x1F7EB, 0x1F7F0...0x1F7F0, 0x1F90C...0x1F93A, 0x1F93C...0x1F945,
        0x1F947...0x1F9FF, 0x1FA70...0x1FAFF, 0x20000...0x3FFFD,
    ]
}

/// A namespace for replacing base letters and combining marks with precomposed characters.
///
/// File names from macOS are decomposed ("e" + U+0301). Fewer terminals support combining marks
/// than precomposed letters.
enum Composition {
    /// Returns the precomposed form of a character, or nil if the character has no such form.
    package static func scalar(for character: Character) -> Unicode.Scalar? {
        composed[character] ?? hangul(character.unicodeScalars)
    }

    /// The precomposed scalar for each character.
    ///
    /// `Character` is compared and hashed by canonical equivalence, so looking up a decomposed
    /// character finds its precomposed form.
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

    /// Computes a Hangul syllable from L + V (+ T) (Unicode Standard, section 3.12).
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
