/// A cell of dots: they cover a quarter of what their pixels do, and the rest shows the ground.
struct BrailleCell {
    let pattern: Int
    let dots: RGB
    let ground: RGB

    /// Splits the pixels in two, and draws the brighter ones as dots.
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
        self.init(
            pattern: isFirstBright ? first : all & ~first,
            dots: bright.away(from: dark, by: Self.contrast),
            ground: dark
        )
    }

    private init(pattern: Int, dots: RGB, ground: RGB) {
        self.pattern = pattern
        self.dots = dots
        self.ground = ground
    }

    /// The whole of 4 would make up for the dots' size, but shows single dots as sparks.
    private static let contrast = 2
}

extension RGB {
    /// The colour as far again from another one, so many times.
    fileprivate func away(from other: RGB, by factor: Int) -> RGB {
        func moved(_ value: Int, _ other: Int) -> Int {
            max(0, min(255, other + (value - other) * factor))
        }
        return RGB(
            red: moved(red, other.red),
            green: moved(green, other.green),
            blue: moved(blue, other.blue)
        )
    }
}
