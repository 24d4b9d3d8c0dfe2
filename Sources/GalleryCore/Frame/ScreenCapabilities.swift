/// How many colours the terminal shows.
public enum ColorDepth: String, Hashable, Sendable, CaseIterable {
    /// No colour.
    case monochrome = "mono"
    /// The 16 theme colours.
    case ansi16 = "16"
    /// The 256-colour palette of xterm.
    case palette256 = "256"
    /// 24-bit colour.
    case trueColor = "24bit"
}

/// How tones between the colours of a palette are shown.
public enum Dithering: String, Hashable, Sendable, CaseIterable {
    /// Each pixel takes the nearest colour.
    case none
    /// By a pattern that depends on the place only.
    case ordered
    /// What a pixel can't show is passed on to its neighbours (Floyd and Steinberg).
    case diffusion

    /// What suits a number of colours if nothing is asked for.
    ///
    /// A thumbnail has so few pixels that dithering to 256 colours looks like noise, while bands
    /// keep its shapes. With fewer there is no other way to tell tones apart.
    public static func standard(for depth: ColorDepth) -> Dithering {
        switch depth {
        case .trueColor, .palette256: .none
        case .ansi16, .monochrome: .ordered
        }
    }
}

/// What the terminal can show; found once at the start.
public struct ScreenCapabilities: Hashable, Sendable {
    /// How many colours it shows.
    public var colorDepth: ColorDepth
    /// The characters that stand for pixels.
    public var symbols: SymbolSet
    /// The way to tones that the colours don't have.
    public var dithering: Dithering
    /// The pixel characters that the person may choose among.
    public var offeredSymbols: [SymbolSet]

    /// Makes capabilities; without arguments for them, with the dithering that suits the colours
    /// and a choice of all symbols.
    public init(
        colorDepth: ColorDepth,
        symbols: SymbolSet,
        dithering: Dithering? = nil,
        offeredSymbols: [SymbolSet] = SymbolSet.allCases
    ) {
        self.colorDepth = colorDepth
        self.symbols = symbols
        self.dithering = dithering ?? .standard(for: colorDepth)
        self.offeredSymbols = offeredSymbols
    }

    /// The symbols that follow the present ones in the choice, the first after the last.
    var symbolsAfterPresent: SymbolSet {
        guard let place = offeredSymbols.firstIndex(of: symbols) else {
            return offeredSymbols.first ?? symbols
        }
        return offeredSymbols[(place + 1) % offeredSymbols.count]
    }
}

/// Which characters stand for pixels.
public enum SymbolSet: String, Hashable, Sendable, CaseIterable {
    /// Upper and lower half blocks: 1×2 pixels a cell, each with a colour of its own.
    case halfBlocks = "half"
    /// Quadrant blocks: 2×2 pixels a cell in two colours.
    case quadrants
    /// Sextants (Unicode 13): 2×3 pixels a cell in two colours.
    case sextants
    /// Octants (Unicode 16): 2×4 pixels a cell in two colours.
    case octants
    /// Braille patterns: 2×4 dots a cell.
    case braille
    /// ASCII characters by brightness: 1×1 pixel a cell; for locales without UTF-8.
    case ascii

    /// What people call it, with what it shows of an image.
    public var title: String {
        switch self {
        case .halfBlocks: "half blocks, 1x2 pixels a cell"
        case .quadrants: "quadrants, 2x2 pixels a cell"
        case .sextants: "sextants, 2x3 pixels a cell"
        case .octants: "octants, 2x4 pixels a cell"
        case .braille: "braille, 2x4 dots a cell"
        case .ascii: "ASCII"
        }
    }
}
