internal import Decoders

/// Represents the brightness of pixels with ASCII characters.
struct ShadeRenderer {
    private let plane: PixelPlane
    private let depth: ColorDepth
    private let palette: TerminalPalette?
    private let tone: ToneRange

    init(_ plane: PixelPlane, depth: ColorDepth) {
        self.plane = plane
        self.depth = depth
        palette = TerminalPalette(depth)
        // Without colors, only the brightness remains, so its full range is used.
        tone = depth == .monochrome ? ToneRange(of: plane) : .full
    }

    /// Returns the cell at a position inside the image, in the mean color of its two pixels.
    ///
    /// In the last row of cells, the lower pixel may be missing.
    package func cell(row: Int, column: Int) -> RenderedCell {
        let upper = plane.color(row: row * 2, column: column)
        let hasLower = row * 2 + 1 < plane.size.height
        let color =
            hasLower ? upper.mean(plane.color(row: row * 2 + 1, column: column)) : upper
        return RenderedCell(
            pattern: Self.ramp[tone.stretched(color.luma) * (Self.ramp.count - 1) / 255],
            foreground: foreground(color),
            background: background(color)
        )
    }

    private static let ramp = Array(" .:-=+*#%@".utf8)

    /// Returns the color at full brightness because the character already represents the
    /// brightness.
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

    /// Returns the background color of a cell, which is a slightly darker color.
    ///
    /// If the terminal has at most 16 colors, returns the default color. Without a colored
    /// background, letters cover too little of a cell.
    private func background(_ color: RGB) -> CellColor {
        let ground = color.scaled(by: 3, over: 4)
        switch depth {
        case .trueColor: return ground.cellColor
        case .palette256: return .palette(TerminalPalette.xterm256.nearest(to: ground).index)
        case .ansi16, .monochrome: return .terminalDefault
        }
    }
}

/// The range of brightness in an image.
struct ToneRange {
    private let low: Int
    private let high: Int

    /// The full range, which leaves brightness unchanged.
    package static let full = ToneRange(low: 0, high: 255)

    private init(low: Int, high: Int) {
        self.low = low
        self.high = high
    }

    /// Finds the brightness range of the visible pixels, without the darkest and brightest 2 %.
    ///
    /// The range is at least a quarter of the scale, so a plain surface does not become noise.
    init(of plane: PixelPlane) {
        var counts = Array(repeating: 0, count: 256)
        for color in plane.colors where color.w > 0 { counts[RGB(color).luma] += 1 }
        let ignored = counts.reduce(0, +) / 50
        let low = Self.first(0..<256, where: ignored, counts)
        let high = Self.first((0..<256).reversed(), where: ignored, counts)
        let missing = max(0, 64 - (high - low))
        self.init(low: max(0, low - missing / 2), high: min(255, high + (missing + 1) / 2))
    }

    /// Returns a brightness value after stretching this range to the full scale.
    func stretched(_ luma: Int) -> Int {
        max(0, min(255, (luma - low) * 255 / max(1, high - low)))
    }

    private static func first(
        _ levels: some Sequence<Int>,
        where ignored: Int,
        _ counts: [Int]
    ) -> Int {
        var seen = 0
        for level in levels {
            seen += counts[level]
            if seen > ignored { return level }
        }
        return 0
    }
}
