package import Decoders

/// The number of colors that a terminal supports.
package enum ColorDepth: String, Hashable, Sendable, CaseIterable {
    /// No colors.
    case monochrome = "mono"
    /// The 16 theme colors.
    case ansi16 = "16"
    /// The 256-color palette of xterm.
    case palette256 = "256"
    /// 24-bit color.
    case trueColor = "24bit"
}

/// A method for imitating colors that the terminal does not support.
package enum Dithering: String, Hashable, Sendable, CaseIterable {
    /// Each pixel has the nearest color.
    case none
    /// A fixed pattern, which depends only on the position of the pixel, selects between similar
    /// colors.
    case ordered
    /// The error of a pixel is distributed to neighboring pixels (Floyd–Steinberg).
    case diffusion

    /// Returns the default dithering for a color depth.
    ///
    /// Without dithering, 256 colors turn a brown table, a stormy sky and a meadow into patches of
    /// dark red, teal and olive. The noise of error diffusion is less visible, even in a thumbnail.
    /// With fewer colors, tones cannot be distinguished without dithering.
    package static func standard(for depth: ColorDepth) -> Dithering {
        depth == .trueColor ? .none : .diffusion
    }
}

/// The capabilities of the terminal, which are estimated at launch and updated when the terminal
/// replies.
package struct ScreenCapabilities: Hashable, Sendable {
    /// The number of colors.
    package var colorDepth: ColorDepth
    /// The characters used to draw images that are not sent as pixels.
    package var symbols: SymbolSet
    /// The dithering of images.
    package var dithering: Dithering
    /// The symbol sets that the user may choose.
    package var offeredSymbols: [SymbolSet]
    /// The graphics protocol, or nil if images are drawn with characters.
    package var graphics: GraphicsProtocol?
    /// The graphics protocols that the user may choose.
    package var offeredGraphics: [GraphicsProtocol] = []
    /// The size of a cell in pixels, which is a typical size until the terminal reports it.
    package var cellPixels = Self.usualCellPixels
    /// Whether the terminal shows all scalars of a grapheme cluster in one cell.
    ///
    /// Terminals that support mode 2027 do so. If ncurses is used, the value is false because
    /// ncurses cells cannot contain emoji sequences.
    package var graphemeClusters: Bool
    /// Whether characters of ambiguous width, including most symbols, occupy two columns.
    package var hasWideSigns = false
    /// The symbols that the terminal's font lacks.
    package var missingSigns: Set<Character> = []
    /// Whether text may contain non-ASCII letters even if images are drawn with ASCII characters.
    package var keepsLetters = false
    /// The theme that the user chose.
    package var theme = ThemeChoice.auto
    /// The user's own colors, which a theme uses only if the terminal supports at least 256 colors.
    ///
    /// The `terminal` theme also requires that the terminal has reported its own colors. `backdrop`
    /// uses the user's colors regardless of these conditions.
    package var colors: [ColorRole: CellColor] = [:]
    /// The terminal's own colors, or nil if the terminal did not report them.
    package var terminalColors: TerminalColors?

    /// The background of transparent images, in the colors of the theme.
    package var backdrop: Backdrop { ThemeColors(self).backdrop }

    /// The assumed size of a cell until the terminal reports it.
    package static let usualCellPixels = PixelSize(width: 10, height: 20)

    /// Creates capabilities.
    ///
    /// By default, the dithering matches the number of colors, all symbol sets are offered, and
    /// images are drawn with characters.
    package init(
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

    /// Returns whether the terminal shows each of these symbols in one column.
    package func shows(_ signs: String) -> Bool {
        symbols != .ascii && !hasWideSigns
            && (missingSigns.isEmpty || missingSigns.isDisjoint(with: signs))
    }

    /// Returns the symbols if the terminal shows all of them, or the ASCII text otherwise.
    package func spelling(_ signs: String, ascii: String) -> String { shows(signs) ? signs : ascii }

    /// The symbols of the user interface that may be missing from a font.
    package static let signs = "●■↓·…◐‖✗–◆▸•▐▌▂█▄░▓▏▎▍▋▊▉┌┐└┘×▁▃▅▆▇↑←→✂−"

    /// The display modes that the user can choose: the graphics protocols, followed by the symbol
    /// sets.
    package var looks: [ScreenCapabilities] {
        (offeredGraphics.map { ($0, symbols) } + offeredSymbols.map { (nil, $0) }).map { look in
            var changed = self
            (changed.graphics, changed.symbols) = look
            return changed
        }
    }

    /// The display mode after the current one; the last mode is followed by the first.
    package var afterPresentLook: ScreenCapabilities {
        let looks = looks
        let place = looks.firstIndex { look in
            look.graphics == graphics && (graphics != nil || look.symbols == symbols)
        }
        return place.map { looks[($0 + 1) % looks.count] } ?? looks.first ?? self
    }

    /// The name of the display mode.
    package var lookTitle: String { graphics.map { "pixels by \($0.title)" } ?? symbols.title }

    /// Returns the size at which to load an image that fills a box of cells.
    ///
    /// This is the number of pixels that the box can show.
    package func imageSize(filling box: ScreenSize) -> PixelSize {
        graphics == nil ? symbols.imageSize(filling: box) : pixelSize(of: box)
    }

    /// Returns the size of a box of cells in terminal pixels.
    package func pixelSize(of box: ScreenSize) -> PixelSize {
        PixelSize(width: box.columns * cellPixels.width, height: box.rows * cellPixels.height)
    }

    /// Returns the size in cells of an image that is fitted into a box.
    ///
    /// The image keeps its aspect ratio, and its size is at least 1×1 cell.
    package func cells(for image: PixelSize, in box: ScreenSize) -> ScreenSize {
        Self.cells(halfCells(pixels(for: image, in: box), in: box))
    }

    /// Converts a size in pixels to half cells, rounded and limited to a box.
    ///
    /// A half cell is one column wide and half a row high.
    package func halfCells(
        _ size: PixelSize,
        in box: ScreenSize,
        rounding: FloatingPointRoundingRule = .toNearestOrAwayFromZero
    ) -> PixelSize {
        func count(_ pixels: Int, per unit: Double, limit: Int) -> Int {
            max(1, min(limit, Int((Double(pixels) / max(1, unit)).rounded(rounding))))
        }
        return PixelSize(
            width: count(size.width, per: Double(cellPixels.width), limit: box.columns),
            height: count(size.height, per: Double(cellPixels.height) / 2, limit: box.rows * 2)
        )
    }

    /// Returns the smallest size in cells that contains a size in half cells.
    package static func cells(_ halfCells: PixelSize) -> ScreenSize {
        ScreenSize(columns: halfCells.width, rows: (halfCells.height + 1) / 2)
    }

    /// Returns the size, in terminal pixels, of an image that fits a box or of the part of the
    /// image that fills the box.
    ///
    /// The image keeps its aspect ratio and is enlarged to at most four times its size.
    package func pixels(
        for image: PixelSize,
        in box: ScreenSize,
        mode: ImageContentMode = .fit
    ) -> PixelSize {
        let (width, height) = (Double(max(1, image.width)), Double(max(1, image.height)))
        let area = pixelSize(of: box)
        let (horizontal, vertical) = (Double(area.width) / width, Double(area.height) / height)
        let scale = min(
            mode == .fit ? min(horizontal, vertical) : max(horizontal, vertical),
            Self.largestEnlargement
        )
        return PixelSize(
            width: max(1, min(area.width, Int((width * scale).rounded()))),
            height: max(1, min(area.height, Int((height * scale).rounded())))
        )
    }

    private static let largestEnlargement = 4.0
}

extension GraphicsProtocol {
    /// The common name of the protocol.
    package var title: String {
        switch self {
        case .kittyPlaceholders, .kitty: "kitty"
        case .iterm: "iterm"
        case .sixel: "sixel"
        }
    }
}

/// The characters used to draw the pixels of images.
package enum SymbolSet: String, Hashable, Sendable, CaseIterable {
    /// Upper and lower half blocks: 1×2 pixels per cell, each with its own color.
    case halfBlocks = "half"
    /// Quadrant blocks: 2×2 pixels per cell in two colors.
    case quadrants
    /// Sextants (Unicode 13): 2×3 pixels per cell in two colors.
    case sextants
    /// Octants (Unicode 16): 2×4 pixels per cell in two colors.
    case octants
    /// Braille patterns: 2×4 dots per cell.
    case braille
    /// ASCII characters chosen by brightness: 1×1 pixel per cell, for locales without UTF-8.
    case ascii

    /// The common name of the symbol set and a description of its resolution.
    package var title: String {
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
