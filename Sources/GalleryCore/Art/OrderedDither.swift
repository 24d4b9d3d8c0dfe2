/// Ordered dithering: the pattern depends on the place only, so that a picture does not crawl when
/// it is drawn again.
enum OrderedDither {
    /// Bayer's 4×4 matrix, 0 to 15.
    static func threshold(row: Int, column: Int) -> Int {
        matrix[(row & 3) * 4 + (column & 3)]
    }

    private static let matrix = [0, 8, 2, 10, 12, 4, 14, 6, 3, 11, 1, 9, 15, 7, 13, 5]

    /// The palette entry for one pixel, by Knoll's pattern dithering (US patent 6,606,166, expired
    /// 2019): 16 entries whose mean is the colour, sorted by brightness, picked by the matrix.
    static func entry(_ color: RGB, row: Int, column: Int, palette: Palette) -> UInt8 {
        let strength = palette.ditherStrength
        let exact = palette.nearest(to: color)
        guard exact.color != color else { return exact.index }
        var chosen: [(luma: Int, index: UInt8)] = []
        chosen.reserveCapacity(16)
        var debt = RGB(red: 0, green: 0, blue: 0)
        for _ in 0..<16 {
            let wish = RGB(
                red: clamp(color.red + debt.red * strength / 8),
                green: clamp(color.green + debt.green * strength / 8),
                blue: clamp(color.blue + debt.blue * strength / 8))
            let entry = palette.nearest(to: wish)
            chosen.append((entry.color.luma, entry.index))
            debt.red += color.red - entry.color.red
            debt.green += color.green - entry.color.green
            debt.blue += color.blue - entry.color.blue
        }
        chosen.sort { $0.luma < $1.luma }
        return chosen[threshold(row: row, column: column)].index
    }

    private static func clamp(_ value: Int) -> Int { max(0, min(255, value)) }
}
