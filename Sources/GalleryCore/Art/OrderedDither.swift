/// Ordered dithering: the pattern depends on the place only, so that a picture does not crawl when
/// it is drawn again.
enum OrderedDither {
    /// Bayer's 4×4 matrix, 0 to 15.
    static func threshold(row: Int, column: Int) -> Int {
        matrix[(row & 3) * 4 + (column & 3)]
    }

    private static let matrix = [0, 8, 2, 10, 12, 4, 14, 6, 3, 11, 1, 9, 15, 7, 13, 5]

    /// The palette entry for one pixel.
    ///
    /// Knoll's pattern dithering (US patent 6,606,166, expired
    /// 2019): 16 entries whose mean is the colour, sorted by brightness, picked by the matrix.
    ///
    /// The correction is kept within the palette's `ditherReach`.
    static func entry(_ color: RGB, row: Int, column: Int, palette: Palette) -> UInt8 {
        let exact = palette.nearest(to: color)
        guard exact.color != color, palette.ditherReach > 0 else { return exact.index }
        // Brightness in the high bits, the entry in the low eight.
        var chosen: [Int] = []
        chosen.reserveCapacity(16)
        var debt = RGB(red: 0, green: 0, blue: 0)
        for _ in 0..<16 {
            let wish = color.moved(by: debt, atMost: palette.ditherReach)
            let entry = palette.nearest(to: wish)
            chosen.append(entry.color.luma << 8 | Int(entry.index))
            debt.red += color.red - entry.color.red
            debt.green += color.green - entry.color.green
            debt.blue += color.blue - entry.color.blue
        }
        chosen.sort()
        return UInt8(truncatingIfNeeded: chosen[threshold(row: row, column: column)])
    }
}

extension RGB {
    fileprivate func moved(by offset: RGB, atMost reach: Int) -> RGB {
        func move(_ value: Int, _ offset: Int) -> Int {
            max(0, min(255, value + max(-reach, min(reach, offset))))
        }
        return RGB(
            red: move(red, offset.red),
            green: move(green, offset.green),
            blue: move(blue, offset.blue)
        )
    }
}
