internal import Decoders

/// Draws an image with the characters of a symbol set.
///
/// The image must already have been scaled to the pixels of the symbols. It may cover only a part
/// of the last row of cells.
struct CellRenderer {
    private let plane: PixelPlane
    private let symbols: SymbolSet
    private let grid: CellGrid
    private let depth: ColorDepth
    private let palette: TerminalPalette?
    private let split: TwoColorSplit
    private let shades: ShadeRenderer?

    init(
        _ pixels: PixelBuffer,
        capabilities: ScreenCapabilities,
        backdrop: Backdrop? = nil
    ) {
        symbols = capabilities.symbols
        grid = symbols.grid
        depth = capabilities.colorDepth
        palette = TerminalPalette(depth)
        split = TwoColorSplit(pixelCount: max(4, grid.pixelCount))
        let plane = PixelPlane(pixels, grid: grid, backdrop: backdrop ?? capabilities.backdrop)
        guard symbols != .ascii else {
            shades = ShadeRenderer(plane, depth: depth)
            self.plane = plane
            return
        }
        shades = nil
        let ditherer = Ditherer(
            depth: depth,
            dithering: capabilities.dithering,
            isDots: symbols == .braille
        )
        self.plane = ditherer.dithered(plane)
    }

    /// Returns the cell at a position inside the image.
    package func cell(row: Int, column: Int) -> RenderedCell {
        if let shades { return shades.cell(row: row, column: column) }
        if symbols == .halfBlocks, depth != .monochrome {
            return halfBlock(row: row, column: column)
        }
        let (pixels, covered) = pixels(row: row, column: column)
        if depth == .monochrome { return lit(pixels, covered) }
        // A cell of dots has no visible edge, so the last row of cells is drawn in full.
        if symbols == .braille { return dots(pixels) }
        guard covered + 1 == 1 << grid.pixelCount else { return part(pixels, covered) }
        return blocks(pixels)
    }

    private func halfBlock(row: Int, column: Int) -> RenderedCell {
        let hasLower = row * 2 + 1 < plane.size.height
        return RenderedCell(
            pattern: 1,
            foreground: color(plane.color(row: row * 2, column: column)),
            background: hasLower
                ? color(plane.color(row: row * 2 + 1, column: column)) : .terminalDefault
        )
    }

    /// Returns the pixels of a cell, and a bit pattern of the pixels that are inside the image.
    ///
    /// The other pixels repeat the last row of the image.
    private func pixels(row: Int, column: Int) -> (CellPixels, covered: Int) {
        var pixels = CellPixels()
        let top = row * grid.rows
        let rows = min(grid.rows, plane.size.height - top)
        for line in 0..<grid.rows {
            let start = (top + min(line, rows - 1)) * plane.size.width + column * grid.columns
            for offset in 0..<grid.columns {
                pixels[line * grid.columns + offset] = plane.colors[start + offset]
            }
        }
        return (pixels, (1 << (rows * grid.columns)) - 1)
    }

    private func color(_ color: RGB) -> CellColor {
        palette.map { .palette($0.nearest(to: color).index) } ?? color.cellColor
    }

    /// Returns a cell that the image covers only partly.
    ///
    /// The rest of the cell has the terminal's own color, so only one color is left for the image.
    private func part(_ pixels: CellPixels, _ covered: Int) -> RenderedCell {
        RenderedCell(
            pattern: UInt8(truncatingIfNeeded: covered),
            foreground: color(pixels.mean(of: covered)),
            background: .terminalDefault
        )
    }

    /// Returns a cell without colors, in which bright pixels have the terminal's foreground color.
    private func lit(_ pixels: CellPixels, _ covered: Int) -> RenderedCell {
        var pattern = 0
        for pixel in 0..<grid.pixelCount where pixels[pixel].x > 127 { pattern |= 1 << pixel }
        return RenderedCell(
            pattern: UInt8(truncatingIfNeeded: pattern & covered),
            foreground: .terminalDefault,
            background: .terminalDefault
        )
    }

    private func blocks(_ pixels: CellPixels) -> RenderedCell {
        let all = (1 << grid.pixelCount) - 1
        guard let palette else {
            let pattern = split.best(pixels)
            let outside = pixels.mean(of: all & ~pattern).cellColor
            let inside = pattern == 0 ? outside : pixels.mean(of: pattern).cellColor
            return simplest(pattern, inside: inside, outside: outside)
        }
        let best = PaletteSplit(palette: palette, split: split).best(pixels)
        return simplest(
            best.pattern,
            inside: .palette(best.inside.index),
            outside: .palette(best.outside.index)
        )
    }

    /// Returns a cell for a pattern of two colors.
    ///
    /// Two characters are possible: the pattern, or its inverse with swapped colors. The character
    /// with the lower number is used because more fonts contain it and it is often a byte shorter.
    private func simplest(
        _ pattern: Int,
        inside: CellColor,
        outside: CellColor
    ) -> RenderedCell {
        let pattern = UInt8(truncatingIfNeeded: pattern)
        let inverse = UInt8(truncatingIfNeeded: (1 << grid.pixelCount) - 1) & ~pattern
        guard symbols.glyph(inverse) < symbols.glyph(pattern) else {
            return RenderedCell(pattern: pattern, foreground: inside, background: outside)
        }
        return RenderedCell(pattern: inverse, foreground: outside, background: inside)
    }

    private func dots(_ pixels: CellPixels) -> RenderedCell {
        let cell = BrailleCell(pixels, split: split)
        return RenderedCell(
            pattern: UInt8(truncatingIfNeeded: cell.pattern),
            foreground: color(cell.dots),
            background: color(cell.ground)
        )
    }
}

/// A rendered cell: a pattern from the symbol set, and its two colors.
struct RenderedCell {
    package var pattern: UInt8
    package var foreground: CellColor
    package var background: CellColor
}

/// A cell drawn with braille dots, each of which covers a quarter of a pixel.
///
/// The background is visible between the dots. Together, the dots and the background have the mean
/// color of the cell.
struct BrailleCell {
    package let pattern: Int
    let dots: RGB
    package let ground: RGB

    /// Splits the pixels into two groups, and draws the brighter group as dots.
    init(_ pixels: CellPixels, split: TwoColorSplit) {
        let all = (1 << split.pixelCount) - 1
        let first = split.best(pixels)
        let means = (pixels.mean(of: first), pixels.mean(of: all & ~first))
        guard first != 0 else {
            self.init(pattern: 0, dots: means.1, ground: means.1)
            return
        }
        let isFirstBright = means.0.luma > means.1.luma
        let (bright, dark) = isFirstBright ? means : (means.1, means.0)
        let pattern = isFirstBright ? first : all & ~first
        let mean = pixels.mean(of: all)
        let share = pattern.nonzeroBitCount * Self.contrast
        let ground = mean.moved(from: bright, to: dark, share, over: 4 * split.pixelCount)
        self.init(
            pattern: pattern,
            dots: ground.moved(from: dark, to: bright, Self.contrast, over: 1),
            ground: ground
        )
    }

    private init(pattern: Int, dots: RGB, ground: RGB) {
        self.pattern = pattern
        self.dots = dots
        self.ground = ground
    }

    /// The factor by which the difference between dots and background exceeds the difference
    /// between the groups.
    ///
    /// A factor of 4 would compensate for the size of the dots but would make single dots too
    /// bright.
    private static let contrast = 2
}

extension RGB {
    /// Returns this color plus a fraction of the difference between two other colors.
    fileprivate func moved(
        from start: RGB,
        to end: RGB,
        _ numerator: Int,
        over denominator: Int
    ) -> RGB {
        func moved(_ value: Int, _ way: Int) -> Int {
            max(0, min(255, value + way * numerator / denominator))
        }
        return RGB(
            red: moved(red, end.red - start.red),
            green: moved(green, end.green - start.green),
            blue: moved(blue, end.blue - start.blue)
        )
    }
}
