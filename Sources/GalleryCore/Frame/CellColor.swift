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
