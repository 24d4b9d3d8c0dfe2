/// How a run of text looks: the colours and attributes that a terminal applies to what is written.
public struct CellStyle: Hashable, Sendable {
    /// Colour of the glyphs.
    public var foreground: CellColor
    /// Colour behind them.
    public var background: CellColor
    /// Attributes.
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
