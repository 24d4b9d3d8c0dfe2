/// One cell of the screen.
///
/// A cell never contains a control character (see `FrameText`).
package struct FrameCell: Hashable, Sendable {
    /// The character, as a Unicode scalar.
    ///
    /// The value 0 represents the right half of a wide character. `GraphemeClusters.first` and
    /// higher values are the numbers of grapheme clusters (see `scalars`).
    package var scalar: UInt32
    /// The color of the glyph.
    package var foreground: CellColor
    /// The color behind the glyph.
    package var background: CellColor
    /// The attributes: bold, dim, reverse or underlined.
    package var attributes: CellAttributes

    /// Creates a cell, which is a space by default.
    package init(
        _ scalar: Unicode.Scalar = " ",
        foreground: CellColor = .terminalDefault,
        background: CellColor = .terminalDefault,
        attributes: CellAttributes = []
    ) {
        self.scalar = scalar.value
        self.foreground = foreground
        self.background = background
        self.attributes = attributes
    }
}

/// The style of text: the colors and attributes that a terminal applies to the characters.
package struct CellStyle: Hashable, Sendable {
    /// The color of the glyphs.
    package var foreground: CellColor
    /// The color behind the glyphs.
    package var background: CellColor
    /// The attributes: bold, dim, reverse or underlined.
    package var attributes: CellAttributes

    /// Creates a style with the terminal's own colors by default.
    package init(
        foreground: CellColor = .terminalDefault,
        background: CellColor = .terminalDefault,
        attributes: CellAttributes = []
    ) {
        self.foreground = foreground
        self.background = background
        self.attributes = attributes
    }

    package static let plain = CellStyle()
}

/// The color of a terminal cell, packed into 32 bits.
package struct CellColor: Hashable, Sendable {
    /// The color in packed form.
    ///
    /// The highest byte is the type (0 default, 1 palette, 2 RGB). The lower three bytes are the
    /// value.
    package let rawValue: UInt32

    private init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// The terminal's own foreground or background color.
    package static let terminalDefault = CellColor(rawValue: 0)

    /// Returns a color of the terminal's palette.
    ///
    /// Indices 0–15 are theme colors, 16–231 are a color cube, and 232–255 are grays.
    package static func palette(_ index: UInt8) -> CellColor {
        CellColor(rawValue: 1 << 24 | UInt32(index))
    }

    /// Returns a 24-bit sRGB color.
    package static func rgb(_ red: UInt8, _ green: UInt8, _ blue: UInt8) -> CellColor {
        CellColor(rawValue: 2 << 24 | UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue))
    }

    /// The type and value of a color in unpacked form.
    package enum Kind: Hashable, Sendable {
        /// The terminal's own color.
        case terminalDefault
        /// A palette index.
        case palette(UInt8)
        /// Red, green, blue.
        case rgb(UInt8, UInt8, UInt8)
    }

    /// The type and value of the color.
    package var kind: Kind {
        switch rawValue >> 24 {
        case 0: .terminalDefault
        case 1: .palette(UInt8(truncatingIfNeeded: rawValue))
        default:
            .rgb(
                UInt8(truncatingIfNeeded: rawValue >> 16),
                UInt8(truncatingIfNeeded: rawValue >> 8),
                UInt8(truncatingIfNeeded: rawValue)
            )
        }
    }
}

/// The attributes of a terminal cell.
package struct CellAttributes: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    package static let bold = CellAttributes(rawValue: 1)
    package static let dim = CellAttributes(rawValue: 2)
    /// Swapped foreground and background colors.
    package static let reverse = CellAttributes(rawValue: 4)
    package static let underline = CellAttributes(rawValue: 8)
}
