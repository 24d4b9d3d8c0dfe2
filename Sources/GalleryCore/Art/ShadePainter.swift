internal import Decoders

/// Draws a cell as an ASCII character by the brightness of its pixels.
struct ShadePainter {
    private let plane: PixelPlane
    private let depth: ColorDepth
    private let palette: Palette?
    private let tone: ToneRange

    init(_ plane: PixelPlane, depth: ColorDepth) {
        self.plane = plane
        self.depth = depth
        palette = Palette(depth)
        // Only brightness is left to tell things apart: use all of it.
        tone = depth == .monochrome ? ToneRange(of: plane) : .full
    }

    /// The cell over two pixels, one above the other; the lower may be missing.
    func cell(row: Int, column: Int) -> PaintedCell {
        let upper = plane.color(row: row * 2, column: column)
        let hasLower = row * 2 + 1 < plane.size.height
        let color =
            hasLower ? upper.mean(plane.color(row: row * 2 + 1, column: column)) : upper
        return PaintedCell(
            pattern: Self.ramp[tone.stretched(color.luma) * (Self.ramp.count - 1) / 255],
            foreground: foreground(color),
            background: background(color)
        )
    }

    private static let ramp = Array(" .:-=+*#%@".utf8)

    /// The hue at full brightness: the glyph carries how bright the pixel is.
    private func foreground(_ color: RGB) -> CellColor {
        let peak = max(color.red, color.green, color.blue, 1)
        let bright = color.scaled(by: 255, over: peak)
        switch depth {
        case .trueColor: return bright.cellColor
        case .palette256, .ansi16:
            return palette.map { .palette($0.nearest(to: bright).index) } ?? .terminalDefault
        case .monochrome: return .terminalDefault
        }
    }

    /// The pixel, a little darker than it is, where the terminal has colours enough: letters alone
    /// cover too little of a cell.
    private func background(_ color: RGB) -> CellColor {
        let ground = color.scaled(by: 3, over: 4)
        switch depth {
        case .trueColor: return ground.cellColor
        case .palette256: return .palette(Palette.xterm256.nearest(to: ground).index)
        case .ansi16, .monochrome: return .terminalDefault
        }
    }
}
