public import Decoders
public import TerminalGraphics

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
    /// Without it 256 colours make patches of dark red, teal and olive out of a brown table, a
    /// stormy sky and a meadow; the specks of diffusion show less, even in a thumbnail. With fewer
    /// colours there is no other way to tell tones apart.
    public static func standard(for depth: ColorDepth) -> Dithering {
        depth == .trueColor ? .none : .diffusion
    }
}

/// What the terminal can show: guessed at the start, known better when the terminal has answered.
public struct ScreenCapabilities: Hashable, Sendable {
    /// How many colours it shows.
    public var colorDepth: ColorDepth
    /// The characters that stand for pixels where none are shown.
    public var symbols: SymbolSet
    /// The way to tones that the colours don't have.
    public var dithering: Dithering
    /// The pixel characters that the person may choose among.
    public var offeredSymbols: [SymbolSet]
    /// How real pixels are shown; nil for characters alone.
    public var graphics: GraphicsProtocol?
    /// The ways to show pixels that the person may choose among.
    public var offeredGraphics: [GraphicsProtocol] = []
    /// The pixels of one cell.
    public var cellPixels = Self.usualCellPixels
    /// Whether the terminal keeps the scalars of a grapheme cluster together in one cell.
    ///
    /// It says so by knowing mode 2027. Never through ncurses: its cells have no room for emoji
    /// sequences.
    public var graphemeClusters: Bool
    /// Whether characters of ambiguous width, which most signs are, take two columns.
    public var hasWideSigns = false
    /// Signs that the terminal's font lacks.
    public var missingSigns: Set<Character> = []
    /// Whether text has letters beyond ASCII even where pictures are drawn in ASCII.
    public var keepsLetters = false
    /// Which theme the person wants.
    public var theme = ThemeChoice.auto
    /// The person's own colours in place of the theme's, where there are 256 or more.
    public var colors: [ColorRole: CellColor] = [:]
    /// The terminal's own colours; nil unless it told them.
    public var terminalColors: TerminalColors?

    /// What shows through transparent images: colours of the theme.
    var backdrop: Backdrop { ThemeColors(self).backdrop }

    /// The size that a cell is taken to have while the terminal has not told it.
    public static let usualCellPixels = PixelSize(width: 10, height: 20)

    /// Makes capabilities; without arguments for them, with the dithering that suits the colours,
    /// a choice of all symbols, and no pixels.
    public init(
        colorDepth: ColorDepth,
        symbols: SymbolSet,
        dithering: Dithering? = nil,
        offeredSymbols: [SymbolSet] = SymbolSet.allCases,
        graphemeClusters: Bool = false
    ) {
        self.colorDepth = colorDepth
        self.symbols = symbols
        self.dithering = dithering ?? .standard(for: colorDepth)
        self.offeredSymbols = offeredSymbols
        self.graphemeClusters = graphemeClusters
    }

    /// Whether the terminal shows the signs, each in a column of its own.
    func shows(_ signs: String) -> Bool {
        symbols != .ascii && !hasWideSigns
            && (missingSigns.isEmpty || missingSigns.isDisjoint(with: signs))
    }

    /// One of two spellings, as the terminal allows.
    func spelling(_ signs: String, ascii: String) -> String { shows(signs) ? signs : ascii }

    /// Signs that stand beside pictures, and that not every font has.
    public static let signs = "●■↓·…◐‖✗–◆▸•▐▌▂█▄░▓▏▎▍▋▊▉┌┐└┘×▁▃▅▆▇↑←→"

    /// The ways of drawing images that are offered: pixels first, then each set of symbols.
    var looks: [ScreenCapabilities] {
        (offeredGraphics.map { ($0, symbols) } + offeredSymbols.map { (nil, $0) }).map { look in
            var changed = self
            (changed.graphics, changed.symbols) = look
            return changed
        }
    }

    /// The way of drawing images that follows the present one, and after the last the first.
    var afterPresentLook: ScreenCapabilities {
        let looks = looks
        let place = looks.firstIndex { look in
            look.graphics == graphics && (graphics != nil || look.symbols == symbols)
        }
        return place.map { looks[($0 + 1) % looks.count] } ?? looks.first ?? self
    }

    /// How images are drawn, as people call it.
    var lookTitle: String { graphics.map { "pixels by \($0.title)" } ?? symbols.title }

    /// The size to load an image at that is to fill a box of cells: as many pixels as are shown.
    func imageSize(filling box: ScreenSize) -> PixelSize {
        guard graphics != nil else { return symbols.imageSize(filling: box) }
        return PixelSize(
            width: box.columns * cellPixels.width,
            height: box.rows * cellPixels.height
        )
    }

    /// The cells that an image takes inside a box: whole, in its own aspect ratio, at least one cell
    /// each way.
    func cells(for image: PixelSize, in box: ScreenSize) -> ScreenSize {
        Self.cells(halfCells(pixels(for: image, in: box), in: box))
    }

    /// The half cells nearest to a size in the terminal's pixels, at most those of a box.
    func halfCells(
        _ size: PixelSize,
        in box: ScreenSize,
        rounding: FloatingPointRoundingRule = .toNearestOrAwayFromZero
    ) -> PixelSize {
        func count(_ pixels: Int, _ unit: Double, _ limit: Int) -> Int {
            max(1, min(limit, Int((Double(pixels) / max(1, unit)).rounded(rounding))))
        }
        return PixelSize(
            width: count(size.width, Double(cellPixels.width), box.columns),
            height: count(size.height, Double(cellPixels.height) / 2, box.rows * 2)
        )
    }

    /// The cells that so many half cells are in.
    static func cells(_ halfCells: PixelSize) -> ScreenSize {
        ScreenSize(columns: halfCells.width, rows: (halfCells.height + 1) / 2)
    }

    /// The size of an image inside a box in the terminal's pixels: it fits, in its own aspect
    /// ratio, and is enlarged to four times its size at most.
    func pixels(for image: PixelSize, in box: ScreenSize) -> PixelSize {
        let (width, height) = (Double(max(1, image.width)), Double(max(1, image.height)))
        let scale = min(
            Double(box.columns * cellPixels.width) / width,
            Double(box.rows * cellPixels.height) / height,
            Self.largestEnlargement
        )
        return PixelSize(
            width: max(1, Int((width * scale).rounded())),
            height: max(1, Int((height * scale).rounded()))
        )
    }

    private static let largestEnlargement = 4.0
}

extension GraphicsProtocol {
    /// What people call it.
    public var title: String {
        switch self {
        case .kittyPlaceholders, .kitty: "kitty"
        case .iterm: "iterm"
        case .sixel: "sixel"
        }
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
