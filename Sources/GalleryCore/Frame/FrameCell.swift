/// One cell of the screen.
///
/// It never holds a control character (see `FrameText`).
public struct FrameCell: Hashable, Sendable {
    /// The character; 0 in the right half of a wide character, and from `GraphemeClusters.first` on
    /// the number of several scalars (`scalars` has them).
    public var scalar: UInt32
    /// Colour of the glyph.
    public var foreground: CellColor
    /// Colour behind the glyph.
    public var background: CellColor
    /// Bold, dim, reverse or underlined.
    public var attributes: CellAttributes

    /// Makes a cell; without arguments a blank.
    public init(
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

/// How a run of text looks: the colours and attributes that a terminal applies to what is written.
public struct CellStyle: Hashable, Sendable {
    /// Colour of the glyphs.
    public var foreground: CellColor
    /// Colour behind them.
    public var background: CellColor
    /// Bold, dim, reverse or underlined.
    public var attributes: CellAttributes

    /// Makes a style; without arguments the terminal's own.
    public init(
        foreground: CellColor = .terminalDefault,
        background: CellColor = .terminalDefault,
        attributes: CellAttributes = []
    ) {
        self.foreground = foreground
        self.background = background
        self.attributes = attributes
    }

    static let plain = CellStyle()
}

/// A colour of one terminal cell, packed into 32 bits: the top byte says of which kind.
public struct CellColor: Hashable, Sendable {
    /// Kind in the top byte (0 default, 1 palette, 2 RGB), value below.
    public let rawValue: UInt32

    private init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// The terminal's own foreground or background.
    public static let terminalDefault = CellColor(rawValue: 0)

    /// An entry of the terminal's palette: 0-15 theme colours, 16-231 cube, 232-255 greys.
    public static func palette(_ index: UInt8) -> CellColor {
        CellColor(rawValue: 1 << 24 | UInt32(index))
    }

    /// A 24-bit sRGB colour.
    public static func rgb(_ red: UInt8, _ green: UInt8, _ blue: UInt8) -> CellColor {
        CellColor(rawValue: 2 << 24 | UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue))
    }

    /// What the packed value means.
    public enum Kind: Hashable, Sendable {
        /// The terminal's own colour.
        case terminalDefault
        /// A palette index.
        case palette(UInt8)
        /// Red, green, blue.
        case rgb(UInt8, UInt8, UInt8)
    }

    /// The unpacked colour.
    public var kind: Kind {
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

/// Attributes of one terminal cell.
public struct CellAttributes: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: UInt8

    /// Makes a set from bits.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// Bold.
    public static let bold = CellAttributes(rawValue: 1)
    /// Dim.
    public static let dim = CellAttributes(rawValue: 2)
    /// Foreground and background exchanged.
    public static let reverse = CellAttributes(rawValue: 4)
    /// Underlined.
    public static let underline = CellAttributes(rawValue: 8)
}
