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

    /// What people call it, with what it shows of a picture.
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
