/// A cell of dots: they cover a quarter of what their pixels do, and the rest shows the ground.
///
/// The colours of dots and ground together have the mean of the cell.
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

    /// The whole of 4 would make up for the dots' size, but shows single dots as sparks.
    private static let contrast = 2
}

extension RGB {
    /// The colour moved by a fraction of the way from one to another.
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
