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

/// Which characters stand for pixels.
public enum SymbolSet: String, Hashable, Sendable, CaseIterable {
    /// Upper and lower half blocks: 1×2 pixels a cell.
    case halfBlocks = "half"
    /// ASCII characters by brightness: 1×1 pixel a cell; for locales without UTF-8.
    case ascii
}

/// What the terminal can show; found once at the start.
public struct ScreenCapabilities: Hashable, Sendable {
    /// Colours.
    public var colorDepth: ColorDepth
    /// Pixel characters.
    public var symbols: SymbolSet

    /// Makes capabilities.
    public init(colorDepth: ColorDepth, symbols: SymbolSet) {
        self.colorDepth = colorDepth
        self.symbols = symbols
    }
}
