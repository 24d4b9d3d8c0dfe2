/// Finds the best two colors for a cell.
///
/// A split assigns each pixel to one of two groups. The best color of a group is its mean. The
/// squared error of a split is the error of a single color minus the gain of the split. For
/// centered pixels with the sum `a` over the `n` pixels of the first group, the gain is `|a|² (1/n
/// + 1/(N - n))`, where N is the number of pixels. All splits are tried, eight at a time. Eight
/// pixels have 128 splits, because the last pixel always stays in the second group.
struct TwoColorSplit: Sendable {
    /// The number of pixels in a cell: 4, 6 or 8.
    package let pixelCount: Int
    /// The factors `(1/n + 1/(N - n)) / N²` for all patterns, eight per vector.
    ///
    /// The factors are divided by N² because the centered pixels are multiplied by N.
    private let weights: [SIMD8<Float>]

    init(pixelCount: Int) {
        precondition((4...8).contains(pixelCount), "the first three pixels are the lanes")
        self.pixelCount = pixelCount
        let count = Float(pixelCount)
        weights = (0..<1 << (pixelCount - 4)).map { high in
            var weights = SIMD8<Float>()
            for low in 0..<8 where high + low > 0 {
                let inside = Float((high << 3 | low).nonzeroBitCount)
                weights[low] = (1 / inside + 1 / (count - inside)) / (count * count)
            }
            return weights
        }
    }

    /// Returns the pattern of the pixels in the first group, or 0 if one color is as good as two.
    package func best(_ pixels: CellPixels) -> Int {
        var gain = SIMD8<Float>()
        var patterns = SIMD8<Int32>()
        forEachEight(pixels) { high, gains in
            let isBetter = gains .> gain
            gain.replace(with: gains, where: isBetter)
            patterns.replace(with: Self.lanes &+ Int32(high << 3), where: isBetter)
        }
        var best = 0
        for lane in 1..<8 where gain[lane] > gain[best] { best = lane }
        return Int(patterns[best])
    }

    /// Calls `body` with the gains of the patterns `high * 8` to `high * 8 + 7`, in ascending
    /// order.
    @inline(__always)
    func forEachEight(_ pixels: CellPixels, _ body: (_ high: Int, SIMD8<Float>) -> Void) {
        let red = centered(pixels.red)
        let green = centered(pixels.green)
        let blue = centered(pixels.blue)
        let lowRed = Self.sums(red)
        let lowGreen = Self.sums(green)
        let lowBlue = Self.sums(blue)
        var bases = InlineArray<16, SIMD4<Float>>(repeating: .zero)
        for high in weights.indices {
            if high > 0 {
                let pixel = 3 + high.trailingZeroBitCount
                let color = SIMD4(red[pixel], green[pixel], blue[pixel], 0)
                bases[high] = bases[high & (high - 1)] + color
            }
            let base = bases[high]
            let sumRed = lowRed + base.x
            let sumGreen = lowGreen + base.y
            let sumBlue = lowBlue + base.z
            let square = sumRed * sumRed + sumGreen * sumGreen + sumBlue * sumBlue
            body(high, square * weights[high])
        }
    }

    /// Returns the values multiplied by the number of pixels, minus the sum of the values.
    private func centered(_ values: SIMD8<Float>) -> SIMD8<Float> {
        values * Float(pixelCount) - values.sum()
    }

    /// Returns the sums of the eight subsets of the first three values.
    private static func sums(_ values: SIMD8<Float>) -> SIMD8<Float> {
        first * values[0] + second * values[1] + third * values[2]
    }

    private static let lanes = SIMD8<Int32>(0, 1, 2, 3, 4, 5, 6, 7)
    private static let first = SIMD8<Float>(0, 1, 0, 1, 0, 1, 0, 1)
    private static let second = SIMD8<Float>(0, 0, 1, 1, 0, 0, 1, 1)
    private static let third = SIMD8<Float>(0, 0, 0, 0, 1, 1, 1, 1)
}
