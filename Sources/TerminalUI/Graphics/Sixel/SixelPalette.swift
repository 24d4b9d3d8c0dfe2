/// A palette for sixels, in which each channel is a whole percentage.
struct SixelPalette {
    /// The colors that the terminal displays for `percents`.
    let palette: Palette
    /// The red, green and blue components of each color, in percent.
    let percents: [SIMD3<UInt8>]

    /// Rounds the colors of `palette`; if this makes colors equal, only one of them is kept.
    init(rounding palette: Palette) {
        var known: Set<SIMD3<UInt8>> = []
        let rounded = palette.colors.map(Self.percents).filter { known.insert($0).inserted }
        self.palette = Palette(rounded.map(Self.color))
        percents = self.palette.colors.map(Self.percents)
    }

    private static func percents(of color: Color) -> SIMD3<UInt8> {
        let percents = (color * (100 / 255)).rounded(.toNearestOrAwayFromZero)
        return SIMD3(UInt8(percents.x), UInt8(percents.y), UInt8(percents.z))
    }

    /// Returns the color that terminals display for these percentages.
    ///
    /// xterm, foot, mlterm and Konsole round each channel to the nearest value.
    private static func color(of percents: SIMD3<UInt8>) -> Color {
        let exact = Color(Float(percents.x), Float(percents.y), Float(percents.z), 0) * 2.55
        return exact.rounded(.toNearestOrAwayFromZero)
    }
}
