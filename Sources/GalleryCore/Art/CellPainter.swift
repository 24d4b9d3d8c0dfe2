internal import Decoders

/// Decides what each cell of a picture looks like.
struct CellPainter {
    typealias Cell = (glyph: UInt16, foreground: CellColor, background: CellColor)

    private let pixels: OpaquePixels
    private let capabilities: ScreenCapabilities
    private let tone: ToneRange

    init(
        _ pixels: PixelBuffer,
        capabilities: ScreenCapabilities,
        backdrop: Backdrop = .checkerboard
    ) {
        self.pixels = OpaquePixels(pixels, backdrop: backdrop)
        self.capabilities = capabilities
        // Only brightness is left to tell things apart: use all of it.
        let isPoor = capabilities.colorDepth == .monochrome
        tone = isPoor ? ToneRange(of: self.pixels) : .full
    }

    /// The cell over two pixels, one above the other; the lower may be missing.
    func cell(row: Int, column: Int) -> Cell {
        switch (capabilities.symbols, capabilities.colorDepth) {
        case (.halfBlocks, .monochrome): monochromeBlocks(row: row, column: column)
        case (.halfBlocks, _): halfBlock(row: row, column: column)
        case (.ascii, _): shade(row: row, column: column)
        }
    }

    private func hasLower(_ row: Int) -> Bool { row * 2 + 1 < pixels.size.height }

    private func halfBlock(row: Int, column: Int) -> Cell {
        let upper = paint(row: row * 2, column: column)
        guard hasLower(row) else { return (0x2580, upper, .terminalDefault) }
        return (0x2580, upper, paint(row: row * 2 + 1, column: column))
    }

    private func paint(row: Int, column: Int) -> CellColor {
        let color = pixels.color(row: row, column: column)
        switch capabilities.colorDepth {
        case .trueColor, .monochrome: return color.cellColor
        case .palette256:
            return .palette(
                OrderedDither.entry(color, row: row, column: column, palette: .xterm256)
            )
        case .ansi16:
            return .palette(OrderedDither.entry(color, row: row, column: column, palette: .ansi16))
        }
    }

    private func monochromeBlocks(row: Int, column: Int) -> Cell {
        let glyphs: [UInt16] = [0x20, 0x2580, 0x2584, 0x2588]
        let upper = isLit(row: row * 2, column: column) ? 1 : 0
        let lower = hasLower(row) && isLit(row: row * 2 + 1, column: column) ? 2 : 0
        return (glyphs[upper + lower], .terminalDefault, .terminalDefault)
    }

    private func isLit(row: Int, column: Int) -> Bool {
        let threshold = OrderedDither.threshold(row: row, column: column)
        return tone.stretched(pixels.color(row: row, column: column).luma) > threshold * 16 + 7
    }

    private func shade(row: Int, column: Int) -> Cell {
        let upper = pixels.color(row: row * 2, column: column)
        let color =
            hasLower(row) ? upper.mean(pixels.color(row: row * 2 + 1, column: column)) : upper
        let glyph = Self.ramp[tone.stretched(color.luma) * (Self.ramp.count - 1) / 255]
        return (UInt16(glyph), shadeColor(color), shadeGround(color))
    }

    private static let ramp = Array(" .:-=+*#%@".utf8)

    /// The hue at full brightness: the glyph carries how bright the pixel is.
    private func shadeColor(_ color: RGB) -> CellColor {
        let peak = max(color.red, color.green, color.blue, 1)
        let bright = color.scaled(by: 255, over: peak)
        switch capabilities.colorDepth {
        case .trueColor: return bright.cellColor
        case .palette256: return .palette(Palette.xterm256.nearest(to: bright).index)
        case .ansi16: return .palette(Palette.ansi16.nearest(to: bright).index)
        case .monochrome: return .terminalDefault
        }
    }

    /// The pixel, a little darker than it is, where the terminal has colours enough: letters alone
    /// cover too little of a cell.
    private func shadeGround(_ color: RGB) -> CellColor {
        let ground = color.scaled(by: 3, over: 4)
        switch capabilities.colorDepth {
        case .trueColor: return ground.cellColor
        case .palette256: return .palette(Palette.xterm256.nearest(to: ground).index)
        case .ansi16, .monochrome: return .terminalDefault
        }
    }
}
